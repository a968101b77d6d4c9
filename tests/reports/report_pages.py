"""Pages and runs made up for tests, with names that try to break out of wherever they are put."""

import csv
import io
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

import sim.games
from reports.outcomes import OutcomeTable, outcome_table
from reports.page import Cell, Figure, Page, Study, Table
from reports.parts import heat_part, ladder_part, outcome_part
from reports.plots import Effect, EffectRow, effects
from reports.words import Name, Number, Sentence
from sim.tally import Tally

NASTY = '<script>alert(1)</script> & "it\'s" $x_1$ {braces} \x00\x1b日本 -1e-05'
HOSTILE_CELLS = ("=1+1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "＝1", '=HYPERLINK("x")')
LONG = "a-strategy-with-a-name-that-goes-on(parameter=12345,another=67890,third=13579)"

RULES = sim.games.load("shooting-party")


def tally(games: int = 5_000, seed: int = 7) -> Tally:
    """Counts of made-up games in legal cells, some of them empty."""
    rng = np.random.default_rng(seed)
    queens = rng.integers(0, 5, games)
    aces = np.minimum(queens, rng.integers(0, 4, games))
    return Tally(
        ("queens", "aces"), dict(Counter(zip(queens.tolist(), aces.tolist(), strict=True)))
    )


def table(games: int = 5_000, seed: int = 7) -> OutcomeTable:
    """An outcome table in which the headline never happened."""
    return outcome_table(tally(games, seed), RULES.measures)


def study(name: str = "made-up") -> Study:
    """A study with every kind of part and hostile names in every place."""
    outcomes = table()
    common = max(outcomes.outcomes, key=lambda outcome: outcome.count)
    runs = [(NASTY, outcomes.headline), (LONG, common), ("plain", outcomes.outcomes[5])]
    heat = heat_part(
        f"{name}-heat", f"How {NASTY} ends", outcomes, RULES, commands=[f"play '{NASTY}'"]
    )
    assert heat is not None
    rows = [
        EffectRow("rule", f"rule = {n}", {"one": Effect(n / 10, n / 10 - 0.05, n / 10 + 0.05)})
        for n in range(-3, 4)
    ]
    rows.append(EffectRow("other", NASTY, {"one": Effect(0, 0, 0), LONG: Effect(-0.1, -0.2, 0.1)}))
    effect = effects(f"{name}-effects", rows, title="Effects", axis="change of the share")
    values = [("b", 3.0), ("a", float("nan")), ("c10", -1e-05), ("c9", 12_345.678), (NASTY, 0.0)]
    values += [(cell, 1.0) for cell in HOSTILE_CELLS]
    plain = Table(
        name=f"{name}-table",
        title=NASTY,
        columns=("name", NASTY),
        rows=tuple((Cell.name(n), Cell.number(f"{v:.3g}", v)) for n, v in values),
        data=pd.DataFrame(values, columns=["name", "=value"]),
        note=Sentence.of("A note on {who} and {what}.", who=Name(NASTY), what=Number("-1.5e-03")),
    )
    return Study(
        name=name,
        title=f"A study of {NASTY}",
        lead=Sentence.of("What {who} did.", who=Name(NASTY)),
        findings=(Sentence.of("{who} had {n}.", who=Name(NASTY), n=Number("(1.0 ± 2.0)e-04")),),
        parts=(
            ladder_part(f"{name}-ladder", "Ladder", runs, commands=[f"play '{NASTY}'"]),
            outcome_part(f"{name}-outcomes", "Outcomes", outcomes),
            heat,
            Figure(effect, Sentence(("Lines are intervals.",))),
            plain,
        ),
        settings=(("Strategy", Sentence((Name(NASTY),))), (NASTY, Sentence(("x",)))),
        commands=(f"make '{NASTY}'",),
    )


def page(*names: str) -> Page:
    """A page with a study for each name."""
    return Page(
        title=f"A page by {NASTY}",
        lead=NASTY,
        studies=tuple(study(name) for name in names or ("made-up",)),
        commands=(f"again '{NASTY}'",),
    )


def rows_of(text: str) -> list[dict[str, str]]:
    """A CSV text as dictionaries of texts, letter by letter."""
    return list(csv.DictReader(io.StringIO(text)))


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
