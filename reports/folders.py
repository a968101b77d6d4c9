"""A page from run folders, for `playout report DIR…`.

Only what the folders hold is used: strategies are named as the manifests name them and need not be
here. A chunk counts only if its bytes are those that were written.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import sim.games
from reports.numbers import format_count
from reports.outcomes import OutcomeTable, outcome_table
from reports.page import Figure, Page, Study, Table, check_out, write_page
from reports.parts import heat_part, ladder_part, outcome_part
from reports.rank_parts import rank_parts
from reports.words import Name, Number, Sentence
from sim import ranges
from sim.contract import Ruleset
from sim.errors import FolderError, OptionError, UsageError
from sim.experiment import quoted, rules_digest
from sim.options import RuleOptions, shown
from sim.store import Chunk, RunFolder, tables_of
from sim.tally import Tally, tally_games

MOST_GAPS = 5
"""So many missing ranges of games are named one by one."""


@dataclass(frozen=True, eq=False)
class StoredRun:
    """A run as its folder tells it."""

    name: str
    rules: Ruleset
    options: RuleOptions
    specs: tuple[str, ...]
    seed: int
    tally: Tally
    missing: tuple[ranges.Range, ...]
    other_rules: bool
    versions: Mapping[str, str]
    #: The recall model of each seat, in games of memory.
    models: tuple[str, ...] = ()

    @cached_property
    def table(self) -> OutcomeTable:
        """How the games ended."""
        return outcome_table(self.tally, self.rules.measures_for(self.options))

    @property
    def strategies(self) -> str:
        """The strategies in one line."""
        return self.specs[0] if len(set(self.specs)) == 1 else " / ".join(self.specs)

    @property
    def memory(self) -> str:
        """The recall models in one line; empty in games without memory."""
        return " / ".join(self.models[:1] if self.one_memory else self.models)

    @property
    def one_memory(self) -> bool:
        """Whether all seats have the same recall model."""
        return len(set(self.models)) == 1

    @property
    def changed(self) -> str:
        """The recall models, and the options that differ from their defaults, in one line."""
        options = [f"{name}={shown(value)}" for name, value in self.options.changed().items()]
        return ", ".join([self.memory, *options] if self.memory else options)

    def command(self) -> str:
        """The command that plays the same games."""
        specs = [self.specs[0]] if len(set(self.specs)) == 1 else list(self.specs)
        words = ["playout", "run", self.rules.name]
        for spec in specs:
            words += ["--strategy", quoted(spec)]
        for model in self.models[:1] if self.one_memory else self.models:
            words += ["--model", quoted(model)]
        words += ["--seed", str(self.seed)]
        for name, value in self.options.changed().items():
            words += ["--option", quoted(f"{name}={shown(value)}")]
        stop = self.missing[-1][1] if self.missing else 0
        return " ".join([*words, "--games", str(max(self.tally.games, stop))])


# --- reading ------------------------------------------------------------------------------------


def read_run(path: Path, name: str = "") -> StoredRun:
    """Read a run folder. Raises FolderError with one sentence where it cannot be trusted."""
    folder = RunFolder(path)
    manifest = folder.manifest()
    try:
        told = manifest["experiment"]
        game, seed, values = str(told["game"]), int(told["seed"]), dict(told["options"])
        specs = tuple(str(seat["spec"]) for seat in told["strategies"])
        games, keep = int(manifest["games"]), str(manifest["keep"])
        models = tuple(str(model["spec"]) for model in told.get("models", []))
        versions = {str(k): str(v) for k, v in dict(manifest.get("versions", {})).items()}
    except (KeyError, TypeError, ValueError):
        raise FolderError(
            f"{folder.manifest_path} does not describe a run: it was changed or made by "
            f"something else"
        ) from None
    try:
        rules = sim.games.load(game)
        options = rules.options.from_mapping(values)
    except OptionError as error:
        raise FolderError(f"{path} has options that {game} does not know here: {error}") from None
    except UsageError as error:
        raise FolderError(f"{path} cannot be read here: {error}") from None
    tally, done = _stored(folder, keep, rules)
    if tally.games == 0:
        raise FolderError(f"{path} holds no finished games yet")
    if not specs:
        raise FolderError(f"{folder.manifest_path} names no strategy")
    missing = ranges.gaps(done, max(games, done[-1][1]))
    other_rules = told.get("rules") != rules_digest(rules)
    return StoredRun(
        name or path.resolve().name, rules, options, specs, seed, tally, tuple(missing),
        other_rules, versions, models,
    )  # fmt: skip


def _stored(folder: RunFolder, keep: str, rules: Ruleset) -> tuple[Tally, list[ranges.Range]]:
    """The counts of a folder and the games they are of."""
    try:
        if keep == "counts":
            tally, done, damaged = folder.read_counts(rules.tally, rules.round_tally)
            if damaged:
                raise FolderError(_damage(damaged[0]))
        elif keep == "games":
            tally, done = _from_chunks(folder, rules)
        else:
            raise FolderError(f"{folder.manifest_path} keeps {keep!r}, which is not known here")
    except FolderError:
        raise
    except Exception as error:  # pyarrow has errors of its own for what is no Parquet file
        reason = " ".join(str(error).split())[:100]
        raise FolderError(
            f"{folder.path} holds results that cannot be read as those of {rules.name}: {reason}"
        ) from None
    if any(count < 0 for count in tally.cells.values()) or tally.games != ranges.size(done):
        raise FolderError(f"{folder.path} contradicts itself about how many games it holds")
    return tally, ranges.merged(done)


def _damage(path: Path) -> str:
    return (
        f"{path} is damaged: its bytes are not those that were written; the command that made the "
        f"folder plays its games again"
    )


def _from_chunks(folder: RunFolder, rules: Ruleset) -> tuple[Tally, list[ranges.Range]]:
    """Count the chunks that every table has."""
    spans: list[dict[ranges.Range, Chunk]] = []
    for table in tables_of(rules):
        found = {(chunk.start, chunk.stop): chunk for chunk in folder.chunks(table)}
        for chunk in found.values():
            if not chunk.intact():
                raise FolderError(_damage(chunk.path))
        spans.append(found)
    tally, done = Tally(rules.tally), []
    for span, chunk in spans[-1].items():
        if all(span in others for others in spans):
            tables = folder.read_tables(chunk, tables_of(rules))
            tally.add(tally_games(rules, tables["games"], tables.get("rounds")))
            done.append(span)
    return tally, done


# --- reporting ----------------------------------------------------------------------------------


def report_folders(
    dirs: Sequence[Path], out: Path, on_notice: Callable[[str], None] | None = None
) -> list[Path]:
    """Write a page on run folders into `out`; returns the files, the page last.

    `on_notice` is told, in a sentence each, what the reader must know: missing games, other rules.
    Raises FolderError, UsageError and StorageError.
    """
    check_out(out)
    runs = read_runs(dirs)
    for run in runs:
        for sentence in notices(run):
            if on_notice is not None:
                on_notice(sentence)
    page = page_of_runs(runs, [str(path) for path in dirs])
    return [written.path for written in write_page(page, out)]


def read_runs(dirs: Sequence[Path]) -> list[StoredRun]:
    """Read folders; those of one name are told apart by a number."""
    if not dirs:
        raise UsageError("no run folder is given")
    runs: list[StoredRun] = []
    seen: set[Path] = set()
    taken: set[str] = set()
    for path in dirs:
        if path.resolve() in seen:
            continue
        seen.add(path.resolve())
        name, n = path.resolve().name, 1
        while name in taken:
            n += 1
            name = f"{path.resolve().name} ({n})"
        taken.add(name)
        runs.append(read_run(path, name))
    return runs


def notices(run: StoredRun) -> list[str]:
    """What a reader must know of a run before its numbers, in a sentence each."""
    found = []
    if run.missing:
        spans = [f"{a:,} to {b - 1:,}" for a, b in run.missing[:MOST_GAPS]]
        spans += ["…"] * (len(run.missing) > MOST_GAPS)
        found.append(
            f"{run.name}: {ranges.size(run.missing):,} games are missing ({', '.join(spans)}); the "
            f"run was interrupted or is still going on"
        )
    if run.other_rules:
        found.append(
            f"{run.name}: it was played with other code of the rules than is installed here, or "
            f"under another version of Python; the rules installed here name its outcomes"
        )
    return found


def page_of_runs(runs: Sequence[StoredRun], dirs: Sequence[str]) -> Page:
    """The page: a section for each run, after a ladder for each game with several."""
    by_game: dict[str, list[StoredRun]] = {}
    for run in runs:
        by_game.setdefault(run.rules.name, []).append(run)
    studies = []
    for game, of_game in by_game.items():
        if len(of_game) > 1:
            studies.append(_side_by_side(game, of_game))
        for run, label in zip(of_game, _labels(of_game), strict=True):
            studies.append(_study(run, runs.index(run) + 1, label))
    # where the folders are is the user's own business: the page names the last part alone
    names = " ".join(shlex.quote(Path(path).name or path) for path in dirs)
    number = f"{len(runs)} runs" if len(runs) > 1 else "a run"
    return Page(
        title=f"playout: report on {number}",
        lead="What was kept in run folders: how the games ended, with intervals, the settings "
        "behind them and the commands that play them again.",
        studies=tuple(studies),
        commands=(f"playout report {names}",),
    )


def _labels(runs: Sequence[StoredRun]) -> list[str]:
    """What sets each run apart: its strategies, else options, seed or the folder's name."""
    labels = [run.strategies for run in runs]
    if len({run.changed for run in runs}) > 1:
        labels = [
            f"{label} [{run.changed}]" if run.changed else label
            for label, run in zip(labels, runs, strict=True)
        ]
    if len({run.seed for run in runs}) > 1:
        labels = [f"{label} seed {run.seed}" for label, run in zip(labels, runs, strict=True)]
    return [
        label if labels.count(label) == 1 else f"{label}: {run.name}"
        for label, run in zip(labels, runs, strict=True)
    ]


def _side_by_side(game: str, runs: Sequence[StoredRun]) -> Study:
    labels = _labels(runs)
    rules = runs[0].rules
    same = len({run.seed for run in runs}) == 1
    figure = ladder_part(
        f"{game}-runs",
        f"How often each run ends as {rules.measures[0].name}",
        [(label, run.table.headline) for label, run in zip(labels, runs, strict=True)],
        more="The runs have the same seed, so games of one pack are dealt alike: `playout compare` "
        "takes differences deal by deal, which is sharper than comparing these intervals."
        if same
        else "The runs have different seeds, hence different deals.",
        commands=[run.command() for run in runs],
    )
    return Study(
        name=f"{game}-together",
        title=f"{rules.title}: {len(runs)} runs",
        lead=Sentence((f"Share of games that end as {rules.measures[0].name}.",)),
        findings=(),
        parts=(figure,),
        settings=tuple(
            (label, Sentence.of("folder {name}", name=Name(run.name)))
            for label, run in zip(labels, runs, strict=True)
        ),
        commands=(),
    )


def _study(run: StoredRun, place: int, label: str) -> Study:
    name, table, command = f"run-{place}", run.table, run.command()
    head = table.headline
    parts: list[Figure | Table] = []
    heat = heat_part(f"{name}-heat", f"How {label} ends", table, run.rules, commands=[command])
    if heat is not None:
        parts.append(heat)
    parts += rank_parts(name, label, run.tally, [command])
    parts.append(outcome_part(f"{name}-outcomes", "How the games ended", table, [command]))
    first = Sentence.of(
        "{share} of {games} games ended as {what}.",
        share=Number(head.text()),
        games=Number(format_count(table.games)),
        what=head.name,
    )
    warnings = [Sentence((f"Note: {text}.",)) for text in notices(run)]
    changed = ", ".join(f"{name}={shown(v)}" for name, v in run.options.changed().items())
    options = Name(changed) if changed else "all at their defaults"
    settings = [
        ("Folder", Sentence((Name(run.name),))),
        ("Game", Sentence((Name(run.rules.name),))),
        *(
            (f"Strategy of seat {seat}" if len(run.specs) > 1 else "Strategy", Sentence((Name(s),)))
            for seat, s in enumerate(run.specs)
        ),
        *([("Recall model", Sentence((Name(run.memory),)))] if run.memory else []),
        ("Seed", Sentence((str(run.seed),))),
        ("Games", Sentence((Number(format_count(table.games)),))),
        ("Rule options", Sentence((options,))),
        ("Played with", Sentence((", ".join(f"{k} {v}" for k, v in run.versions.items()),))),
    ]
    return Study(
        name=name,
        title=f"{run.rules.title}: {label}",
        lead=Sentence((run.rules.summary[:1].upper() + run.rules.summary[1:] + ".",)),
        findings=(first, *warnings),
        parts=tuple(parts),
        settings=tuple(settings),
        commands=(command,),
    )
