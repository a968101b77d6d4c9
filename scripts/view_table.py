"""The table of a game's view for its page: `python -m scripts.view_table GAME`.

It is made of the view record and what the ruleset says of its fields, so that a page cannot lag
behind; `tests/docs` compares.
"""

from __future__ import annotations

import click

from sim.contract import Ruleset
from sim.errors import OptionError, PlayoutError
from sim.options import shown

Range = tuple[float, float | None]


def option_ranges(rules: Ruleset) -> dict[str, Range]:
    """The least and largest value of each view field that holds an option's value."""
    found: dict[str, list[int]] = {}
    for name, spec in rules.options.specs().items():
        if spec.encode is None:
            continue
        for example in spec.examples:
            found.setdefault(name, []).append(spec.encode(example))
            try:
                options = rules.options.from_mapping({name: example})
            except OptionError:  # it needs other options
                continue
            for field, value in options.encode().items():
                found.setdefault(field, []).append(value)
    numbers = [name for name in rules.view_fields if rules.view_dtype[name].kind != "u"]
    return {name: (min(found[name]), max(found[name])) for name in numbers if name in found}


def view_ranges(rules: Ruleset) -> dict[str, Range]:
    """The range of every view field that has one."""
    return option_ranges(rules) | dict(rules.view_ranges)


def range_text(found: Range | None) -> str:
    """A range in words; a word of bits has none."""
    if found is None:
        return "bits"
    low, high = found
    return f"from {low}" if high is None else f"{low} to {high}"


def words_of(rules: Ruleset, name: str) -> str:
    """What the values of a field stand for, where it holds an option that is one of some words."""
    spec = rules.options.specs().get(name)
    if spec is None or spec.encode is None or not isinstance(spec.examples[0], str | bool):
        return ""
    words = sorted((spec.encode(example), shown(example)) for example in spec.examples)
    return ", ".join(f"{value} {word}" for value, word in words)


def view_table(rules: Ruleset) -> str:
    """A table of all fields of the view in Markdown: type, range and meaning."""
    ranges = view_ranges(rules)
    rows = ["| field | type | range | meaning |", "|---|---|---|---|"]
    for name, meaning in rules.view_fields.items():
        kind = rules.view_dtype[name].name
        values = words_of(rules, name) or range_text(ranges.get(name))
        text = meaning.replace("|", "\\|")
        rows.append(f"| `{name}` | {kind} | {values} | {text} |")
    return "\n".join(rows) + "\n"


@click.command("scripts.view_table")
@click.argument("game")
def main(game: str) -> None:
    """Print the table of GAME's view."""
    import sim.games

    try:
        click.echo(view_table(sim.games.load(game)), nl=False)
    except PlayoutError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
