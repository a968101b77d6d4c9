"""What the server of victims loads before it forks: victims begin at once, and cheaply."""

import matplotlib.figure  # noqa: F401
import pandas  # noqa: F401
import pyarrow.parquet  # noqa: F401
import rich.live  # noqa: F401
import scipy.stats  # noqa: F401

import reports.folders
import reports.sweep  # noqa: F401
import scripts.cli
import scripts.reproduce
import scripts.sweep  # noqa: F401
import sim.run  # noqa: F401
from sim.engine import compiled_loop
from sim.experiment import Experiment

for game, strategy in (("shooting-party", "tidy"), ("president", "lowest")):
    compiled_loop(Experiment.make(game, [strategy]).rules, logging=False)
