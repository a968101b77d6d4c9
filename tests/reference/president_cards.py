"""President: its cards, its options and its choices, for the plain-Python referee."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields

SEATS = range(4)
PRESIDENT, VICE_PRESIDENT, SECRETARY, JANITOR = 1, 2, 3, 4
CARDS = "23456789TJQKAX"
JOKER = "X"
UPWARDS = {
    "none": "23456789TJQKAX",
    "2": "3456789TJQKA2X",
    "3": "2456789TJQKA3X",
    "2,3": "456789TJQKA23X",
}
"""All ranks from low to high, by the option `wild` (PR-3)."""
WILDS = {"none": "X", "2": "2X", "3": "3X", "2,3": "23X"}
"""The wild ranks among them from low to high (PR-2)."""


@dataclass(frozen=True)
class Options:
    """The options of the game with their defaults."""

    jokers: int = 0
    wild: str = "2,3"
    mixed_wilds: str = "lowest"
    joker_beats_all: bool = False
    pass_locks: bool = False
    one_play: bool = False
    lead: str = "rotate"
    exchange: str = "2/1"
    low_gives: str = "highest"
    high_gives: str = "choice"
    exchange_order: str = "simultaneous"
    points: str = "3,2,1,0"
    rounds: int = 10

    @property
    def order(self) -> str:
        """All ranks from low to high (PR-3)."""
        return UPWARDS[self.wild]

    @property
    def wilds(self) -> str:
        """The wild ranks from low to high (PR-2)."""
        return WILDS[self.wild]

    @property
    def gift_sizes(self) -> tuple[int, int]:
        """Cards exchanged by President and Janitor, by Vice-President and Secretary (PR-12)."""
        if self.exchange == "none":
            return 0, 0
        first, second = self.exchange.split("/")
        return int(first), int(second)

    @property
    def points_by_rank(self) -> list[int]:
        """The points of the ranks 1 to 4 (PR-15)."""
        return [int(number) for number in self.points.split(",")]


ALLOWED: dict[str, tuple[str | int | bool, ...]] = {
    "jokers": tuple(range(5)),
    "wild": ("none", "2", "3", "2,3"),
    "mixed_wilds": ("lowest", "forbid"),
    "joker_beats_all": (True, False),
    "pass_locks": (True, False),
    "one_play": (True, False),
    "lead": ("rotate", "rank1", "rank4", "random"),
    "low_gives": ("highest", "random", "lowest", "choice"),
    "high_gives": ("choice", "lowest", "random", "highest"),
    "exchange_order": ("simultaneous", "low-first"),
    "rounds": tuple(range(1, 1001)),
}
"""The values of every option that has a list of them."""

WRITTEN = {"exchange": r"none|[0-6]/[0-6]", "points": r"-?\d{1,4}(,-?\d{1,4}){3}"}
"""The form of the other two."""


def check_options(values: Mapping[str, object]) -> Options:
    """Return the options with the given values, or raise ValueError that says what is allowed."""
    for name, value in values.items():
        if name in WRITTEN:
            if not isinstance(value, str) or not re.fullmatch(WRITTEN[name], value):
                raise ValueError(f"option {name} cannot be {value!r}; its form is {WRITTEN[name]}")
        elif name not in ALLOWED:
            known = ", ".join(field.name for field in fields(Options))
            raise ValueError(f"there is no option {name!r}; there are {known}")
        elif not any(value == one and type(value) is type(one) for one in ALLOWED[name]):
            allowed = ", ".join(map(repr, ALLOWED[name][:12]))
            raise ValueError(f"option {name} cannot be {value!r}; allowed: {allowed}")
    options = Options(**values)  # type: ignore[arg-type]
    if options.joker_beats_all and not options.jokers:
        raise ValueError("joker_beats_all needs jokers (PR-8)")
    return options


def option_values(options: Options) -> dict[str, str | int | bool]:
    """Return every option with its value, as the first line of a trace has them."""
    return asdict(options)


def pack(options: Options) -> list[str]:
    """Return the cards in play: four of each rank from Two to Ace, then the jokers (PR-1)."""
    return [rank for rank in CARDS[:-1] for _ in range(4)] + [JOKER] * options.jokers  # PR-1


# --- choices --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Play:
    """A set laid on the table: `naturals` cards of the rank, filled up with wild cards (PR-6)."""

    rank: str
    naturals: int
    fillers: int

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.naturals + self.fillers


PASS = Play("", 0, 0)


@dataclass(frozen=True)
class Gift:
    """Cards given away, from low to high (PR-12)."""

    cards: tuple[str, ...]


Choice = Play | Gift


class Table:
    """What the options make of cards: their order, the plays of a hand, the cards of a play."""

    def __init__(self, options: Options) -> None:
        """Keep the options at hand."""
        self.options = options

    def place(self, rank: str) -> int:
        """Return how high a rank is (PR-3)."""
        return self.options.order.index(rank)

    def sorted(self, cards: Iterable[str]) -> list[str]:
        """Return cards from low to high (PR-3)."""
        return sorted(cards, key=self.place)

    def possible_fillers(self, rank: str, hand: list[str]) -> list[str]:
        """Return the cards of a hand that may fill up a set of a rank, weakest first."""
        wilds = self.options.wilds
        if rank in wilds:
            higher = wilds[wilds.index(rank) + 1 :]
            wilds = "" if self.options.mixed_wilds == "forbid" else higher  # PR-5
        return [wild for wild in wilds for _ in range(hand.count(wild))]  # PR-4

    def cards(self, play: Play, hand: list[str]) -> list[str]:
        """Return the cards of a play out of a hand that has them: the weakest fillers (PR-6)."""
        fillers = self.possible_fillers(play.rank, hand)[: play.fillers]
        return [play.rank] * play.naturals + fillers

    def sets(self, hand: list[str]) -> list[Play]:
        """Return every set of a hand: by rank, naturals, fillers (PR-4 to PR-6)."""
        return [
            Play(rank, naturals, fillers)
            for rank in self.options.order
            for naturals in range(1, hand.count(rank) + 1)
            for fillers in range(len(self.possible_fillers(rank, hand)) + 1)
        ]
