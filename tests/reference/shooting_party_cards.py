"""The Shooting Party: its cards, its options and its actions, for the plain-Python referee."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from itertools import combinations

SUITS = "CDHS"
RANKS = "2345JQKA"
JOKER = "X"

SUIT_SUBSETS = [[s for i, s in enumerate(SUITS) if bits >> i & 1] for bits in range(16)]
SUIT_SETS = [suits for suits in SUIT_SUBSETS if len(suits) >= 2]
"""Every set of two suits or more, by its value when C, D, H, S count 1, 2, 4, 8."""

DECK = [rank + suit for rank in RANKS for suit in SUITS] + [JOKER]
ORDER = {card: place for place, card in enumerate(DECK)}

QUEEN_WORDS = ("boor", "cad", "rake", "bounder", "scoundrel")
ACE_WORDS = ("impecunious", "common", "bourgeois", "oofy", "filthy")


def card_order(cards: Iterable[str]) -> list[str]:
    """Return cards in canonical order: by rank, then by suit, the joker last."""
    return sorted(cards, key=ORDER.__getitem__)


def places(cards: Iterable[str]) -> list[int]:
    """Return the sorted places of cards in canonical order, to compare sets card by card."""
    return sorted(ORDER[card] for card in cards)


def pack(jokers: int) -> list[str]:
    """Return the cards that are in play, in canonical order."""
    return DECK if jokers else DECK[:-1]  # SP-1


def title(queens: int, aces: int) -> str:
    """Return the title that so many scored queens and aces earn."""
    return f"{ACE_WORDS[aces]} {QUEEN_WORDS[queens]}"


@dataclass(frozen=True)
class Options:
    """The options of the game with their defaults."""

    exhaustion: str = "on-need"
    last_draw: str = "lost"
    reshuffles: int = 2
    hand: int = 4
    draw_limit: int = 5
    butler: int = 1
    rivals: bool = True
    secretaries: bool = True
    husbands: bool = True


ALLOWED: dict[str, tuple[str | int | bool, ...]] = {
    "exhaustion": ("on-need", "at-once"),
    "last_draw": ("lost", "played"),
    "reshuffles": tuple(range(10)),
    "hand": tuple(range(1, 8)),
    "draw_limit": tuple(range(6)),
    "butler": (0, 1),
    "rivals": (True, False),
    "secretaries": (True, False),
    "husbands": (True, False),
}


def check_options(values: Mapping[str, object]) -> Options:
    """Return the options with the given values, or raise ValueError that lists what is allowed."""
    for name, value in values.items():
        if name not in ALLOWED:
            raise ValueError(f"there is no option {name!r}; there are {', '.join(ALLOWED)}")
        if not any(value == one and type(value) is type(one) for one in ALLOWED[name]):
            allowed = ", ".join(map(repr, ALLOWED[name]))
            raise ValueError(f"option {name} cannot be {value!r}; allowed: {allowed}")
    return Options(**values)  # type: ignore[arg-type]


def option_values(options: Options) -> dict[str, str | int | bool]:
    """Return every option with its value, as the first line of a trace has them."""
    assert [field.name for field in fields(options)] == list(ALLOWED)
    return asdict(options)


@dataclass(frozen=True)
class Action:
    """Something the player does; `cards` is in canonical order, the rest is for the butler."""

    do: str
    cards: tuple[str, ...] = ()
    take: str | None = None
    card: str | None = None

    def event(self) -> dict[str, object]:
        """Return the trace event of this action."""
        event: dict[str, object] = {"ev": "act", "do": self.do, "cards": list(self.cards)}
        if self.do == "butler":
            event |= {"take": self.take, "card": self.card}
        return event


def suit_pairs(hand: list[str]) -> list[tuple[str, ...]]:
    """Return every pair of one suit in a hand: by suit, then by the two ranks (SP-9)."""
    pairs: list[tuple[str, ...]] = []
    for suit in SUITS:
        pairs += combinations([r + suit for r in RANKS if r + suit in hand], 2)
    return pairs


def rank_sets(hand: list[str]) -> list[tuple[str, ...]]:
    """Return every set of two or more of one rank: by rank, then by the suits' bits (SP-9)."""
    sets: list[tuple[str, ...]] = []
    for rank in RANKS:
        held = {suit for suit in SUITS if rank + suit in hand}
        fitting = [suits for suits in SUIT_SETS if held.issuperset(suits)]
        sets += [tuple(rank + suit for suit in suits) for suits in fitting]
    return sets


def is_conversation(cards: tuple[str, ...]) -> bool:
    """Tell whether distinct cards may be discarded together by conversation (SP-9)."""
    if JOKER in cards or len(cards) < 2:
        return False  # SP-9: the joker has neither suit nor rank
    one_rank = len({card[0] for card in cards}) == 1
    one_suit = len({card[1] for card in cards}) == 1
    return one_rank or (one_suit and len(cards) == 2)  # SP-9
