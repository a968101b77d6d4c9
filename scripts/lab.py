"""playout in a notebook: what the commands do, as short calls that return pandas frames.

    from scripts import lab
    lab.outcomes("shooting-party", "tidy", games=100_000)
    lab.compare("shooting-party", "hostess", "gambler", games=20_000)
    lab.sweep("president", "lowest", vary={"exchange": ["none", "2/1"]})

One strategy sits at every seat, else one is given for each. `options` maps rule options to values;
`models` are recall models in games of memory. Every frame says in `frame.attrs["command"]` how the
same is done on the command line. All functions raise `sim.errors.PlayoutError` with one sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim.errors import UsageError
from sim.experiment import LARGEST_SEED, Experiment
from sim.options import shown

if TYPE_CHECKING:
    import pandas as pd

Options = Mapping[str, Any]
#: Rows that are returned at once; a longer table belongs into a run folder.
MOST_ROWS = 10_000_000


def outcomes(
    game: str,
    *strategies: str,
    games: int = 10_000,
    seed: int = 1,
    options: Options | None = None,
    models: Sequence[str] = (),
    jobs: int | None = None,
) -> pd.DataFrame:
    """How games 0 … games - 1 ended: one row an outcome.

    Columns: outcome, meaning, count (games), share (of games, 0 to 1), low, high (the share's
    interval), level, method; where outcomes are a whole table, also joint limits.
    """
    from reports.outcomes import outcome_table
    from sim.run import run

    experiment = _experiment(game, strategies, seed, options, models)
    frame = outcome_table(run(experiment, games, jobs=jobs).tally, experiment.measures).to_frame()
    frame.attrs["command"] = experiment.command("run", "--games", str(games))
    return frame


def games_table(
    game: str,
    *strategies: str,
    games: int = 10_000,
    seed: int = 1,
    options: Options | None = None,
    models: Sequence[str] = (),
    table: str = "games",
) -> pd.DataFrame:
    """The rows of games 0 … games - 1, or with table="rounds" of their rounds.

    Columns are those of the run folder's tables, see docs/runs.md.
    """
    import pandas as pd

    from sim.engine import StoppedError, play
    from sim.fault import describe
    from sim.store import columns_of, tables_of

    experiment = _experiment(game, strategies, seed, options, models)
    rules = experiment.rules
    _require("games", games, 1, MOST_ROWS)
    if table not in tables_of(rules):
        raise UsageError(f"{game} has no table {table!r}; it has {', '.join(tables_of(rules))}")
    try:
        played = play(rules, experiment.options, experiment.seating, seed, 0, games)
    except StoppedError as error:
        raise describe(experiment, error) from None
    frame = pd.DataFrame(columns_of(played, rules, experiment.options)[table])
    frame.attrs["command"] = experiment.command("run", "--games", str(games), "--out", "DIR")
    return frame


def compare(
    game: str,
    *strategies: str,
    games: int | None = None,
    until: float | None = None,
    decide: float | None = None,
    against: str | None = None,
    score: str | None = None,
    design: str | None = None,
    level: float = 0.95,
    seed: int = 1,
    options: Options | None = None,
    models: Sequence[str] = (),
    jobs: int | None = None,
) -> pd.DataFrame:
    """Two strategies: a row a score (or with a rule to stop by, one row). More: a row a pair.

    Columns: score, unit, first, second, difference (first minus second, in the unit), low, high,
    level, method, blocks, and more; see docs/compare.md. `until` and `decide` are the rules of
    `playout compare`; `games` is the number of deals, or the most with a rule.
    """
    from reports.stopping import Watched
    from scripts import compare as comparing
    from scripts.compare_output import tables_of

    if games is not None:
        _require("games", games, 2, LARGEST_SEED)
    _require_level(level)
    if until is not None and decide is not None:
        raise UsageError("until and decide are two rules to stop by; give one of them")
    if (until is not None or decide is not None) and len(strategies) != 2:
        raise UsageError("until and decide compare two strategies; for more give games")
    match = comparing.make_match(
        game, strategies, options=_texts(options), seed=seed, against=against, score=score,
        design=None if design == "auto" else design, models=models,
    )  # fmt: skip
    if design == "auto":
        match, _ = comparing.choose_design(match, jobs)
    rule: Watched | None = None
    if until is not None:
        rule = comparing.until(match, until, level)
    if decide is not None:
        rule = comparing.decide(match, decide, level, 0.05, 0.05)
    limit = games or (comparing.DEFAULT_GAMES if rule is None else comparing.MOST_GAMES)
    compared = comparing.play_match(match, limit, level=level, rule=rule, jobs=jobs)
    tables = tables_of(compared)
    frame = next(t for t in tables if t.name in ("effects", "pairs")).data.copy()
    frame.attrs["command"] = tables[0].commands[0]
    return frame


def standing(
    game: str,
    *strategies: str,
    games: int = 10_000,
    against: str | None = None,
    score: str | None = None,
    seed: int = 1,
    options: Options | None = None,
    models: Sequence[str] = (),
    jobs: int | None = None,
) -> pd.DataFrame:
    """Three strategies or more by their mean score: a row a strategy, the best first.

    Columns: strategy, best_place, worst_place (what simultaneous intervals leave open), score,
    unit, mean (against the field, or the mean lead at tables), low, high, level, method, blocks.
    """
    from scripts import compare as comparing
    from scripts.compare_output import standing_table

    _require("games", games, 2, LARGEST_SEED)
    match = comparing.make_match(
        game, strategies, options=_texts(options), seed=seed, against=against, score=score,
        models=models,
    )  # fmt: skip
    compared = comparing.play_match(match, games, jobs=jobs)
    table = standing_table(compared, compared.comparison.standing())
    frame = table.data.copy()
    frame.attrs["command"] = table.commands[0]
    return frame


def sweep(
    game: str,
    *strategies: str,
    vary: Mapping[str, Sequence[Any]],
    games: int = 2000,
    score: str | None = None,
    target: str | None = None,
    level: float = 0.95,
    seed: int = 1,
    options: Options | None = None,
    models: Sequence[str] = (),
    jobs: int | None = None,
) -> pd.DataFrame:
    """Rule variants on the same deals, in long form: a row for each setting and score.

    Columns: game, seed, option_NAME for each option given or varied, strategy, score, unit, games,
    value (the mean, in the unit), low, high (simultaneous over all settings), level, method,
    change (from the first setting), change_low, change_high, and with a target its verdict.
    """
    from reports.sweep import Target
    from scripts.sweep import command_of, play_sweep
    from sim.sweep import Sweep

    _require_level(level)
    values = {name: [shown(value) for value in listed] for name, listed in vary.items()}
    grid = Sweep.make(
        game, strategies, values, options=_texts(options), seed=seed, score=score, models=models
    )
    wish = None
    if target is not None:
        wish = Target.parse(target, [trait.name for trait in grid.traits])
    result = play_sweep(grid, games, level=level, target=wish, jobs=jobs)
    frame = result.frame()
    frame.attrs["command"] = command_of(result)
    return frame


def events(
    game: str,
    *strategies: str,
    index: int = 0,
    seed: int = 1,
    options: Options | None = None,
    models: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """The events of one game, as `playout trace` writes them."""
    from sim.trace import events as events_of

    _require("index", index, 0, LARGEST_SEED)
    return list(events_of(_experiment(game, strategies, seed, options, models), index))


def _experiment(
    game: str,
    strategies: Sequence[str],
    seed: int,
    options: Options | None,
    models: Sequence[str],
) -> Experiment:
    return Experiment.make(game, strategies, options=options or {}, seed=seed, models=models)


def _require(name: str, value: Any, least: int, most: int) -> None:
    """Raise UsageError for what is no whole number in this range."""
    whole = hasattr(value, "__index__") and not isinstance(value, bool)
    if not (whole and least <= value <= most):
        raise UsageError(f"{name} {value!r} is not a whole number from {least} to {most:,}")


def _require_level(level: Any) -> None:
    if not (isinstance(level, int | float) and 0.5 <= level <= 0.9999):
        raise UsageError(f"level {level!r} is not a number from 0.5 to 0.9999")


def _texts(options: Options | None) -> list[str]:
    return [f"{name}={shown(value)}" for name, value in (options or {}).items()]
