"""Short Zoot Suit in words: trace events, sentences for `show`, names of actions and clauses."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim.contract import Event
from sim.rulesets.short_zoot_suit import cards as c
from sim.rulesets.short_zoot_suit import state as st

SUIT_WORDS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def cards_in(cards: int) -> list[int]:
    """The cards of a set, lowest first."""
    return [card for card in range(c.CARDS) if cards >> card & 1]


def by_seat(word: int, players: int) -> list[int]:
    """The numbers of the seats in a word with eight bits a seat."""
    return [word >> 8 * seat & 255 for seat in range(players)]


def events(log: np.ndarray[Any, Any], options: c.Options) -> Iterator[Event]:
    """The trace events of a log of shape (rows, 3) without its head row."""
    names, players = options.names(), options.players
    rows = iter(log.tolist())

    def named(cards: int) -> list[str]:
        return [names[card] for card in cards_in(cards)]

    def points() -> list[int]:
        return [next(rows)[2] for _ in range(players)]

    plain = {st.EV_DRAW: "draw", st.EV_LAY: "lay", st.EV_PLAY: "play"}
    totals: list[int] = []
    for code, a, b in rows:
        if code == st.EV_DEAL:
            hands = [named(next(rows)[2]) for _ in range(players)]
            yield {"ev": "deal", "start": a, "hands": hands, "out": named(b)}
        elif code == st.EV_DRAFT:
            yield {"ev": "draft", "seat": a, "cards": named(b)}
        elif code == st.EV_DECK:
            deck = [names[b >> 6 * place & 63] for place in range(c.DECK_SIZE)]
            yield {"ev": "deck", "seat": a, "cards": deck}
        elif code == st.EV_STAY:
            yield {"ev": "stay", "seat": a}
        elif code in plain:
            yield {"ev": plain[code], "seat": a, "card": names[b]}
        elif code == st.EV_TRICK:
            short = enumerate(by_seat(b, players))
            shorts = {str(seat): names[card - 1] for seat, card in short if card}
            yield {"ev": "trick", "winner": a, "shorts": shorts}
        elif code == st.EV_ROUND:
            counts = {"tricks": by_seat(a, players), "shorts": by_seat(b, players)}
            yield {"ev": "round", **counts, "points": points()}
        elif code == st.EV_POINTS:
            totals = [b, *(next(rows)[2] for _ in range(players - 1))]
        elif code == st.EV_RESULT:
            winners = [seat for seat in range(players) if a >> seat & 1]
            yield {"ev": "result", "points": totals, "winners": winners}


# --- messages -------------------------------------------------------------------------------------


def names_of(view: Any) -> tuple[str, ...]:
    """The names of the cards under the options of a view."""
    return c.card_names(bool(view["ace"] == c.HIGH), bool(view["doubles"] != c.DOUBLES_OFF))


def action_text(view: Any, action: int) -> str:
    """An action in words, for messages; any int64."""
    names, kind = names_of(view), int(view["kind"])
    if kind == c.DRAFT:
        if 0 <= action < 1 << c.CARDS:
            return f"draft {' '.join(names[card] for card in cards_in(action)) or 'nothing'}"
    elif kind == c.DRAW:
        take = "take" if view["short_shorts"] else "draw"
        if action in (c.STAY_ACTION, c.DRAW_ACTION):
            return take if action == c.DRAW_ACTION else "stay"
        if c.LAY_ACTIONS <= action < c.LAY_ACTIONS + c.CARDS:
            return f"lay {names[action - c.LAY_ACTIONS]}"
    elif 0 <= action < c.CARDS:
        return f"play {names[action]}"
    return f"the number {action}, which is no action"


def clause_of(view: Any, action: int) -> str:
    """The clause that forbids an illegal action."""
    if view["kind"] == c.DRAFT:
        return "ZS-4"
    if view["kind"] == c.DRAW:
        return "ZS-14" if view["short_shorts"] else "ZS-5"
    if not 0 <= action < c.CARDS or not int(view["hand"]) >> action & 1:
        return "ZS-7"
    return "ZS-7" if view["doubles"] == c.DOUBLES_OFF else "ZS-7, ZS-12, ZS-13"


# --- the game told in words -----------------------------------------------------------------------


def tell(event: Event, telling: dict[str, Any]) -> str | None:
    """One trace event as a line of a story; `telling` is kept between the events of a game."""
    tellers = {
        "deal": tell_deal,
        "draft": tell_draft,
        "deck": tell_deck,
        "draw": tell_draw,
        "lay": lambda event, _: f"  seat {event['seat']} lays {event['card']} on its deck (ZS-14)",
        "stay": lambda event, _: None,
        "play": tell_play,
        "trick": tell_trick,
        "round": tell_round,
        "result": tell_result,
    }
    return tellers[event["ev"]](event, telling)


def seats_row(values: list[Any]) -> str:
    """A value for each seat."""
    return ", ".join(f"seat {seat} {value}" for seat, value in enumerate(values))


def tell_deal(event: Event, telling: dict[str, Any]) -> str:
    """The hands of a round."""
    telling.setdefault("round", 0)
    telling["round"] += 1
    telling["trick"], telling["led"] = [], ""
    telling["drafts"] = False
    hands = "".join(
        f"\n  seat {seat} holds {' '.join(hand)}" for seat, hand in enumerate(event["hands"])
    )
    out = f"\n  left out: {' '.join(event['out'])} (ZS-2)" if event["out"] else ""
    return f"Round {telling['round']} is dealt; seat {event['start']} leads it (ZS-3).{hands}{out}"


def tell_draft(event: Event, telling: dict[str, Any]) -> str:
    """Five cards for a deck."""
    telling["drafts"] = True
    return f"  seat {event['seat']} drafts {' '.join(event['cards'])} (ZS-4)"


def tell_deck(event: Event, telling: dict[str, Any]) -> str:
    """The order of a deck."""
    return f"    and shuffles them: from the top {' '.join(event['cards'])}"


def tell_draw(event: Event, telling: dict[str, Any]) -> str:
    """A card drawn, or taken back in short shorts."""
    if telling["drafts"]:
        return f"  seat {event['seat']} draws {event['card']} (ZS-5)"
    return f"  seat {event['seat']} takes {event['card']} from its deck (ZS-14)"


def suits_of(card: str) -> str:
    """The suits of a card in words: `hearts`, `hearts or spades`."""
    return " or ".join(SUIT_WORDS[suit] for suit in card[1:])


def tell_play(event: Event, telling: dict[str, Any]) -> str:
    """A card of a trick, and who is short of what."""
    seat, card = event["seat"], event["card"]
    if not telling["led"]:
        telling["led"] = card
        double = " (ZS-12)" if len(card) > 2 else ""
        return f"  seat {seat} leads {card}: {suits_of(card)}{double}"
    led = telling["led"]
    if set(led[1:]) & set(card[1:]):
        return f"  seat {seat} follows with {card}"
    clause = "ZS-7" if len(led) + len(card) == 4 else "ZS-13"
    short = suits_of(led).replace(" or ", " and ")
    return f"  seat {seat} is short of {short} and plays {card} ({clause})"


def tell_trick(event: Event, telling: dict[str, Any]) -> str:
    """The end of a trick."""
    telling["led"] = ""
    shorts = event["shorts"]
    back = "; ".join(f"{card} is a short of seat {seat}" for seat, card in shorts.items())
    return f"  the trick is seat {event['winner']}'s{'; ' if back else ''}{back} (ZS-8)"


def tell_round(event: Event, telling: dict[str, Any]) -> str:
    """What a round brought."""
    lines = [
        f"\n  seat {seat}: {tricks} trick{'s' * (tricks != 1)}, "
        f"{shorts} short{'s' * (shorts != 1)}, {points} point{'s' * (points != 1)}"
        for seat, (tricks, shorts, points) in enumerate(
            zip(event["tricks"], event["shorts"], event["points"], strict=True)
        )
    ]
    return f"A hand is empty: the round is over (ZS-6, ZS-9).{''.join(lines)}"


def tell_result(event: Event, telling: dict[str, Any]) -> str:
    """The end of the game."""
    winners = event["winners"]
    if len(winners) == 1:
        won = f"Seat {winners[0]} wins"
    else:
        won = f"Seats {' and '.join(map(str, winners))} share the win"
    return f"The end. Points: {seats_row(event['points'])}. {won} (ZS-9)."
