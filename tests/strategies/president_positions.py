"""Positions of President for strategies: hands are given, all other cards have been played."""

from collections.abc import Sequence
from typing import Any

from tests.rules.president_table import Table, lay, word


def position(hands: Sequence[str], **keywords: Any) -> Table:
    """A table with these hands in which the rest of the pack has been played (by seat 0)."""
    table = lay(hands, **keywords)
    pack = 4 * [rank for rank in table.order if rank != "X"]
    pack += ["X"] * int(table.table["jokers"])
    held = word([card for hand in hands for card in hand.split()], table.order)
    table.table["played_0"] = word(pack, table.order) - held
    table.look()
    return table


def chosen(table: Table, spec: str) -> str:
    """The cards that a strategy would play or give now, `pass` for none."""
    from numpy import zeros

    from strategies.registry import parse
    from tests.rules.president_table import RULES

    strategy = parse(spec, RULES)
    part, compiled = strategy.parts[table.kind], strategy.compiled(RULES)[table.kind]
    context = zeros(1, compiled.info.context_dtype())
    context.view("int64")[1:] = part.info.words(part.values)
    context["state"] = 12345
    view = table.views.copy()
    return table.laid(int(compiled.dispatcher(view[0], context[0])))
