"""The Shooting Party in words: trace events, sentences for `show`, names of actions and clauses."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim.contract import Event
from sim.rulesets.shooting_party import cards as c
from sim.rulesets.shooting_party.rules import (
    EV_ACT,
    EV_DRAW,
    EV_FORCED,
    EV_PILE_CARD,
    EV_RESULT,
    EV_SHUFFLE,
)

JEWELS = ("impecunious", "common", "bourgeois", "oofy", "filthy")
SEDUCTIONS = ("boor", "cad", "rake", "bounder", "scoundrel")
SYMBOLS = dict(zip(c.SUITS, "♣♦♥♠", strict=True))


def names(cards: int) -> list[str]:
    """The cards of a set, lowest first."""
    return [c.CARD_NAMES[i] for i in range(33) if cards >> i & 1]


def title(queens: int, aces: int) -> str:
    """The title of a result, such as `filthy scoundrel`."""
    return f"{JEWELS[aces]} {SEDUCTIONS[queens]}"


def events(log: np.ndarray[Any, Any], options: c.Options) -> Iterator[Event]:
    """The trace events of a log of shape (rows, 3) without its head row."""
    rows = iter(log.tolist())
    for code, a, b in rows:
        if code == EV_SHUFFLE:
            pile = [next(rows) for _ in range(a)]
            assert all(row[0] == EV_PILE_CARD for row in pile)
            yield {"ev": "shuffle", "pile": [c.CARD_NAMES[row[1]] for row in pile]}
        elif code == EV_ACT:
            yield act(a, b)
        elif code == EV_DRAW:
            yield {"ev": "draw", "card": c.CARD_NAMES[a]}
        elif code == EV_FORCED:
            yield {"ev": "forced", "clause": f"SP-{a}", "cards": names(b)}
        elif code == EV_RESULT:
            queens, aces = suits(a, c.QUEEN), suits(a, c.ACE)
            ending = title(len(queens), len(aces))
            yield {"ev": "result", "queens": queens, "aces": aces, "title": ending}


def suits(cards: int, rank: int) -> list[str]:
    """The suits of the cards of one rank in a set."""
    return [suit for i, suit in enumerate(c.SUITS) if cards >> (rank + i) & 1]


#: `do` and `take` of the trace for each kind of action.
DONE = {
    c.PAIR: ("pair", None),
    c.LEAVE: ("leave", None),
    c.DISCARD: ("discard", None),
    c.FETCH: ("butler", "discard"),
    c.FETCH_ACE: ("butler", "ace"),
    c.DISMISS: ("butler", "nothing"),
    c.SEDUCE: ("seduce", None),
    c.QUEEN_AND_KING: ("husband", None),
    c.KING_AND_JACK: ("husband", None),
}


def act(action: int, cards: int) -> Event:
    """The `act` event of an action by which `cards` leave the hand."""
    kind = action >> c.KIND_SHIFT
    do, take = DONE[kind]
    event: Event = {"ev": "act", "do": do, "cards": names(cards)}
    if take is not None:
        card = None if take == "nothing" else c.CARD_NAMES[action & c.CARDS_MASK]
        event |= {"take": take, "card": card}
    return event


def action_text(view: Any, action: int) -> str:
    """An action in words, for messages; any int64."""
    kind, payload = action >> c.KIND_SHIFT, action & c.CARDS_MASK
    if kind == c.DISCARD and payload < 1 << 33:
        return "discard " + " ".join(names(payload))
    if kind in (c.FETCH, c.FETCH_ACE) and payload <= c.JOKER:
        place = "discards" if kind == c.FETCH else "draw pile"
        return f"butler: {c.CARD_NAMES[payload]} from the {place}"
    texts = {
        c.PAIR: "draw a pair",
        c.LEAVE: "leave the room",
        c.DISMISS: "butler for nothing",
        c.SEDUCE: "seduce",
        c.QUEEN_AND_KING: "discard queen and king",
        c.KING_AND_JACK: "discard king and jack",
    }
    if kind in texts and payload == 0:
        return texts[kind]
    return f"the number {action}, which is no action"


CLAUSES = {
    c.PAIR: "SP-4",
    c.LEAVE: "SP-8",
    c.DISCARD: "SP-9",
    c.FETCH: "SP-14",
    c.FETCH_ACE: "SP-14",
    c.DISMISS: "SP-14",
    c.SEDUCE: "SP-15",
    c.QUEEN_AND_KING: "SP-10",
    c.KING_AND_JACK: "SP-10",
}


def clause_of(view: Any, action: int) -> str:
    """The clause that forbids an illegal action."""
    if view["husband_suit"] >= 0:
        return "SP-10"
    return CLAUSES.get(action >> c.KIND_SHIFT, "SP-8")


# --- the game told in words ---------------------------------------------------------------------


def symbol(card: str) -> str:
    """A card with its suit as a symbol."""
    if card == "X":
        return "Joker"
    return card[0] + SYMBOLS[card[1]]


def row(cards: list[str]) -> str:
    """Cards with symbols, or `nothing`."""
    return " ".join(symbol(card) for card in cards) or "nothing"


FORCED = {
    "SP-10": "a husband appears: {cards} leave together",
    "SP-11": "two ladies in one room: {cards} has been here longest and goes",
    "SP-12": "the secretaries compare notes: the whole company ({cards}) breaks up, a new hand",
}


def tell(event: Event, telling: dict[str, Any]) -> str | None:
    """One trace event as a line of a story.

    `telling` is kept between the events of a game; the hand is followed in it so that each decision
    shows what the player held.
    """
    hand: list[str] = telling.setdefault("hand", [])
    kind = event["ev"]
    if kind == "shuffle":
        pile = event["pile"]
        first = not telling.get("started")
        telling["started"] = True
        if first:
            return f"The pack of {len(pile)} is shuffled (SP-1)."
        return f"A new draw pile of {len(pile)} is shuffled: {telling.pop('why', 'SP-5, SP-7')}."
    if kind == "draw":
        card = event["card"]
        if card[0] == "A":
            return f"  drawn {symbol(card)}: displayed, another card is drawn (SP-3)"
        hand.append(card)
        return f"  drawn {symbol(card)}"
    if kind == "forced":
        for card in event["cards"]:
            hand.remove(card)
        what = FORCED[event["clause"]].format(cards=row(event["cards"]))
        return f"  {what} ({event['clause']})"
    if kind == "act":
        return tell_act(event, telling, hand)
    queens, aces = event["queens"], event["aces"]
    seduced = row(["Q" + s for s in queens] + ["A" + s for s in aces])
    return f"The end: a {event['title']} (scored: {seduced})."


def tell_act(event: Event, telling: dict[str, Any], hand: list[str]) -> str:
    """The player's choice as a line, with the hand it was made from."""
    telling["number"] = telling.get("number", 0) + 1
    before = row(sorted(hand, key=c.CARD_NAMES.index))
    for card in event["cards"]:
        hand.remove(card)
    cards = row(event["cards"])
    do = event["do"]
    if do == "butler":
        if event["take"] == "discard":
            hand.append(event["card"])
            what = f"sends the butler for {symbol(event['card'])} among the discards (SP-14)"
        elif event["take"] == "ace":
            telling["why"] = "SP-14"
            what = f"sends the butler for {symbol(event['card'])} in the draw pile (SP-14)"
        else:
            what = "lets the butler go for nothing (SP-14)"
    else:
        what = {
            "pair": "waits for a pair of guests (SP-4)",
            "leave": "leaves the room (SP-8)",
            "discard": f"talks {cards} out of the room (SP-9)",
            "seduce": f"seduces {cards} (SP-15)",
            "husband": f"with a husband in the room, parts with {cards} (SP-10)",
        }[do]
    return f"{telling['number']:>3}. Holding {before}, the player {what}."
