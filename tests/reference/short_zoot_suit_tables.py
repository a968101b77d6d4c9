"""Tables of Short Zoot Suit for tests: scripted chance, random options, what a hand has shown."""

from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from .short_zoot_suit import Event, Game
from .short_zoot_suit_cards import ALLOWED, SUITS

Counts = tuple[int, ...]


class Script:
    """Chance that deals the hands it is told, and leaves decks as they are told."""

    def __init__(self, *deals: Sequence[str], decks: Sequence[str] = ()) -> None:
        """Take hands for the first rounds and, top first, decks in the order of the drafts."""
        self.deals, self.decks = list(deals), list(decks)

    def shuffle(self, number: int, cards: list[str]) -> list[str]:
        """Return a deck that gives these hands; what they do not name is left out or fills up."""
        hands = [hand.split() for hand in self.deals.pop(0)] if self.deals else []
        named = [card for hand in hands for card in hand]
        return named + [card for card in cards if card not in named]

    def deck(self, number: int, seat: int, cards: list[str]) -> list[str]:
        """Return the next deck."""
        return self.decks.pop(0).split() if self.decks else cards


def story(events: Sequence[Event]) -> list[str]:
    """Return events in short: `1: 6C`, `2 draws 7D`, `1 takes, 2 short 6C`, `round [1, 2]`."""
    return [_short(event) for event in events]


def _short(event: Event) -> str:
    seat, card = event.get("seat"), event.get("card")
    cards = event.get("cards")
    listed = " ".join(cards) if isinstance(cards, list) else ""
    shorts = event.get("shorts")
    short = (
        "".join(f", {s} short {c}" for s, c in shorts.items()) if isinstance(shorts, dict) else ""
    )
    words = {
        "deal": f"deal for {event.get('start')}",
        "draft": f"{seat} drafts {listed}",
        "deck": f"{seat} has {listed}",
        "draw": f"{seat} draws {card}",
        "stay": f"{seat} stays",
        "lay": f"{seat} lays {card}",
        "play": f"{seat}: {card}",
        "trick": f"{event.get('winner')} takes{short}",
        "round": f"round {event.get('points')}",
        "result": f"result {event.get('points')}",
    }
    return words[str(event["ev"])]


def option_dicts(most_rounds: int = 2) -> st.SearchStrategy[dict[str, object]]:
    """Return a strategy for random options, each of them present."""
    return st.fixed_dictionaries(
        {
            **{name: st.sampled_from(ALLOWED[name]) for name in ALLOWED if name != "rounds"},
            "rounds": st.integers(1, most_rounds),
            "bonus": st.sampled_from(["none", "stars", "0,0,7,0,1000", "3,1,0,0,2"]),
        }
    ).map(consistent)


def consistent(options: dict[str, object]) -> dict[str, object]:
    """Return options without doubles where two play."""
    return {**options, "doubles": "off"} if options["players"] == 2 else options


def possible_counts(dealt: int, history: Sequence[tuple[str, str]]) -> set[Counts]:
    """Return all that a hand can hold of each suit, after what happened to it in the open.

    Without doubles. `dealt` is the size of the hand at first; of a card drawn or laid only that it
    was is known; who was short had no card of the led suit (ZS-15).
    """
    found = set(spreads(dealt, len(SUITS)))
    for what, card in history:
        if what == "draw":
            found = {_changed(c, suit, 1) for c in found for suit in range(4)}
        elif what == "lay":
            found = {_changed(c, suit, -1) for c in found for suit in range(4) if c[suit]}
        elif what == "play":
            suit = SUITS.index(card[1])
            found = {_changed(c, suit, -1) for c in found if c[suit]}
        else:
            found = {c for c in found if not c[SUITS.index(card)]}
    return found


def _changed(counts: Counts, suit: int, by: int) -> Counts:
    return (*counts[:suit], counts[suit] + by, *counts[suit + 1 :])


def spreads(total: int, parts: int) -> Iterator[Counts]:
    """Yield all ways to write a number as a sum of so many, none below 0."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in spreads(total - first, parts - 1):
            yield first, *rest


def hand_counts(game: Game, seat: int) -> Counts:
    """Return how many cards of each suit a hand has; without doubles."""
    return tuple(sum(card[1] == suit for card in game.hands[seat]) for suit in SUITS)
