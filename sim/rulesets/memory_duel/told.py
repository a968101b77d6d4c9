"""The memory duel in words: trace events, sentences for `show`, names of actions and clauses."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim.contract import Event
from sim.rulesets.memory_duel.cards import CALL, DECLINE, RAISE, Options, card_name
from sim.rulesets.memory_duel.rules import (
    EV_CALL,
    EV_DECLINE,
    EV_PACK_CARD,
    EV_RAISE,
    EV_RESULT,
)

ACTIONS = {RAISE: "raise", CALL: "call", DECLINE: "decline"}
CLAUSES = {RAISE: "MD-3", CALL: "MD-4", DECLINE: "MD-6"}


def events(log: np.ndarray[Any, Any], options: Options) -> Iterator[Event]:
    """The trace events of a log of shape (rows, 3) without its head row."""
    rows = log.tolist()
    pack = [card_name(card) for code, card, _ in rows if code == EV_PACK_CARD]
    top = iter(pack)
    for code, a, b in rows:
        if code == EV_RAISE:
            yield {"ev": "raise", "seat": a, "card": next(top)}
        elif code == EV_CALL:
            size, recited = b >> 1, bool(b & 1)
            claimant = 1 - a if recited else a
            yield {
                "ev": "call", "seat": a, "cards": size, "recited": recited, "claimed_by": claimant,
            }  # fmt: skip
        elif code == EV_DECLINE:
            yield {"ev": "decline", "seat": a}
        elif code == EV_RESULT:
            yield {"ev": "result", "claimed": [a, b], "unclaimed": len(pack) - a - b}


def action_text(view: Any, action: int) -> str:
    """An action in words, for messages; any int64."""
    return ACTIONS.get(action, f"the number {action}, which is no action")


def clause_of(view: Any, action: int) -> str:
    """The clause that forbids an illegal action."""
    return CLAUSES.get(action, "MD-2")


SYMBOLS = dict(zip("CDHS", "♣♦♥♠", strict=True))


def symbol(card: str) -> str:
    """A card with its suit as a symbol."""
    return card[0] + SYMBOLS[card[1]] + card[2:]


def tell(event: Event, telling: dict[str, Any]) -> str | None:
    """One trace event as a line of a story; `telling` is kept between the events of a game."""
    kind = event["ev"]
    if kind == "raise":
        stack = telling["stack"] = telling.get("stack", 0) + 1
        return f"  {stack:>2}  seat {event['seat']} lays {symbol(event['card'])}"
    if kind == "call":
        telling["stack"] = 0
        caller, size = event["seat"], event["cards"]
        how = "recites the stack" if event["recited"] else "fails"
        return (
            f"Seat {caller} calls on {size} card{'s' * (size != 1)}: seat {1 - caller} {how}, and "
            f"seat {event['claimed_by']} claims {'it' if size == 1 else 'them'} (MD-4)."
        )
    if kind == "decline":
        return f"The pack is empty, and seat {event['seat']} declines to call (MD-6)."
    (first, second), left = event["claimed"], event["unclaimed"]
    winner = "a draw" if first == second else f"seat {int(second > first)} wins"
    unclaimed = f", {left} unclaimed" if left else ""
    return f"The end: {winner}, {first} cards to {second}{unclaimed}."
