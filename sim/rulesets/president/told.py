"""President in words: trace events, sentences for `show`, names of actions and clauses."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim.contract import Event
from sim.rulesets.president import cards as c
from sim.rulesets.president import state as st

TITLES = ("", "President", "Vice-President", "Secretary", "Janitor")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def names(cards: int, order: str) -> list[str]:
    """Counted cards as a list, lowest first."""
    return [rank for place, rank in enumerate(order) for _ in range(cards >> 4 * place & 15)]


def by_seat(word: int) -> list[int]:
    """The numbers of the seats in a word with eight bits a seat."""
    return [word >> 8 * seat & 255 for seat in range(c.SEATS)]


def events(log: np.ndarray[Any, Any], options: c.Options) -> Iterator[Event]:
    """The trace events of a log of shape (rows, 3) without its head row."""
    order = c.UPWARDS[options.wild]
    finishes: list[list[int]] = []
    points: list[int] = []
    rows = iter(log.tolist())
    for code, a, b in rows:
        if code == st.EV_DEAL:
            hands = [names(next(rows)[2], order) for _ in range(c.SEATS)]
            yield {"ev": "deal", "round": a, "hands": hands}
        elif code == st.EV_GIFT:
            yield {"ev": "gift", "from": a & 3, "to": a >> 2, "cards": names(b, order)}
        elif code == st.EV_LEAD:
            yield {"ev": "lead", "seat": a}
        elif code == st.EV_PLAY:
            yield {"ev": "play", "seat": a & 3, "cards": names(b, order), "rank": order[a >> 2]}
        elif code == st.EV_PASS:
            yield {"ev": "pass", "seat": a}
        elif code == st.EV_TRICK:
            yield {"ev": "trick", "winner": a}
        elif code == st.EV_OUT:
            yield {"ev": "out", "seat": a, "rank": b}
        elif code == st.EV_ROUND:
            finishes.append(by_seat(a))
            yield {"ev": "round", "finish": finishes[-1]}
        elif code == st.EV_POINTS:
            points.append(b)
        elif code == st.EV_RESULT:
            yield {"ev": "result", "points": points, "finishes": finishes}


# --- messages -------------------------------------------------------------------------------------


def order_of(view: Any) -> str:
    """The ranks from low to high under the options of a view."""
    return list(c.UPWARDS.values())[int(view["wild"])]


def action_text(view: Any, action: int) -> str:
    """An action in words, for messages; any int64."""
    order = order_of(view)
    if view["gift_size"] > 0:
        if 0 <= action < 1 << 4 * c.PLACES:
            return f"give {' '.join(names(action, order)) or 'nothing'}"
    elif action == c.PASS:
        return "pass"
    elif 0 <= action >> 8 < c.PLACES:
        naturals, fillers = action >> 4 & 15, action & 15
        cards = " ".join(order[action >> 8] * naturals) or f"no {order[action >> 8]}"
        wild = f" with {fillers} wild card{'s' * (fillers > 1)}" if fillers else ""
        return f"play {cards}{wild}"
    return f"the number {action}, which is no action"


def clause_of(view: Any, action: int) -> str:
    """The clause that forbids an illegal action."""
    if view["gift_size"] > 0:
        return "PR-12"
    place, naturals, fillers = action >> 8, action >> 4 & 15, action & 15
    hand = int(view["hand"])
    if action == c.PASS or not 0 <= place < c.PLACES:
        return "PR-7" if action == c.PASS else "PR-6"
    held, first_wild = hand >> 4 * place & 15, int(view["first_wild"])
    if not 1 <= naturals <= held:
        return "PR-6"
    above = range(max(place + 1, first_wild), c.PLACES)
    wilds = sum(hand >> 4 * other & 15 for other in above)
    if place >= first_wild and view["mixed_wilds"] == c.FORBID and fillers > 0:
        return "PR-5"
    return "PR-6" if fillers > wilds else "PR-7"


# --- the game told in words -----------------------------------------------------------------------


def tell(event: Event, telling: dict[str, Any]) -> str | None:
    """One trace event as a line of a story; `telling` is kept between the events of a game."""
    tellers = {
        "deal": tell_deal,
        "gift": tell_gift,
        "lead": lambda event, _: f"Seat {event['seat']} leads the round (PR-14).",
        "play": tell_play,
        "pass": lambda event, _: f"  seat {event['seat']} passes (PR-7)",
        "trick": tell_trick,
        "out": lambda event, _: f"  seat {event['seat']} is out: {title(event['rank'])} (PR-11)",
        "round": tell_round,
        "result": lambda event, _: f"The end (PR-15). Points: {seats_row(event['points'])}.",
    }
    return tellers[event["ev"]](event, telling)


def title(rank: int) -> str:
    """A rank with its title."""
    return TITLES[rank]


def seats_row(values: list[Any]) -> str:
    """A value for each seat."""
    return ", ".join(f"seat {seat} {value}" for seat, value in enumerate(values))


def tell_deal(event: Event, telling: dict[str, Any]) -> str:
    """The hands of a round."""
    telling["size"] = 0
    hands = "".join(
        f"\n  seat {seat} holds {' '.join(hand)}" for seat, hand in enumerate(event["hands"])
    )
    return f"Round {event['round']} is dealt (PR-1).{hands}"


def tell_gift(event: Event, telling: dict[str, Any]) -> str:
    """A gift, with the titles of the round before."""
    ranks = telling["ranks"]
    giver, receiver = (f"seat {s} ({title(ranks[s])})" for s in (event["from"], event["to"]))
    return f"  {giver} gives {' '.join(event['cards'])} to {receiver} (PR-12)"


def tell_play(event: Event, telling: dict[str, Any]) -> str:
    """A set laid on the table, and what it counts as where fillers are in it."""
    cards, rank, before = event["cards"], event["rank"], telling["size"]
    telling["size"] = len(cards)
    if 0 < before != len(cards):
        return f"  seat {event['seat']} plays {' '.join(cards)}, which beats all (PR-8)"
    what = "plays" if before else "leads"
    clause = "PR-7"
    counts = ""
    if any(card != rank for card in cards):
        number = NUMBERS[len(cards)] if len(cards) < len(NUMBERS) else str(len(cards))
        counts = f", {number} cards of rank {rank}"
        clause = "PR-4, PR-5"
    return f"  seat {event['seat']} {what} {' '.join(cards)}{counts} ({clause})"


def tell_trick(event: Event, telling: dict[str, Any]) -> str:
    """The end of a trick."""
    telling["size"] = 0
    return f"  the trick is seat {event['winner']}'s (PR-9)"


def tell_round(event: Event, telling: dict[str, Any]) -> str:
    """The ranks of a round."""
    telling["ranks"] = event["finish"]
    return f"The round is over: {seats_row([title(rank) for rank in event['finish']])}."
