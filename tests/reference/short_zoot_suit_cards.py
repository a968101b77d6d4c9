"""Short Zoot Suit: its cards, its options and its choices, for the plain-Python referee."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields

SUITS = "CDHS"
NUMBERS = "A23456789TJQK"
"""The numbers 1 to 13."""
DOUBLES = ("JHS", "JCD", "QDS", "QCH", "KCS", "KDH")
STARS = (0, 1, 2, 4, 8)
TAKE = "take"
STAY = "stay"


@dataclass(frozen=True)
class Draft:
    """Five cards for the own deck (ZS-4)."""

    cards: tuple[str, ...]


@dataclass(frozen=True)
class Move:
    """What to do before a trick: `take` (draw) or `stay`, or else a card to lay (ZS-5, ZS-14)."""

    what: str


@dataclass(frozen=True)
class Play:
    """A card played to a trick (ZS-7)."""

    card: str


Choice = Draft | Move | Play


@dataclass(frozen=True)
class Options:
    """The options of the game with their defaults."""

    players: int = 4
    rounds: int = 1
    ace: str = "low"
    draws: str = "simultaneous"
    bonus: str = "none"
    doubles: str = "off"
    short_shorts: bool = False

    @property
    def order(self) -> str:
        """All numbers from low to high (ZS-1)."""
        return NUMBERS if self.ace == "low" else NUMBERS[1:] + "A"

    @property
    def bonus_points(self) -> tuple[int, ...]:
        """The points for 0 to 4 suits (ZS-10)."""
        if self.bonus == "none":
            return (0,) * 5
        if self.bonus == "stars":
            return STARS
        return tuple(int(number) for number in self.bonus.split(","))

    def number(self, card: str) -> int:
        """Return the place of a card's number (ZS-1)."""
        return self.order.index(card[0])

    def sorted(self, cards: Iterable[str]) -> list[str]:
        """Return cards by number, then by suit, a double by its first, then its second letter."""
        return sorted(cards, key=lambda card: (self.number(card), card[1:]))


ALLOWED: dict[str, tuple[str | int | bool, ...]] = {
    "players": (2, 3, 4),
    "rounds": tuple(range(1, 21)),
    "ace": ("low", "high"),
    "draws": ("simultaneous", "in-turn"),
    "doubles": ("off", "replace-both", "replace-one"),
    "short_shorts": (True, False),
}
"""The values of every option that has a list of them."""

BONUS = r"none|stars|(\d{1,3}|1000)(,(\d{1,3}|1000)){4}"


def check_options(values: Mapping[str, object]) -> Options:
    """Return the options with the given values, or raise ValueError that says what is allowed."""
    for name, value in values.items():
        if name == "bonus":
            if not isinstance(value, str) or not re.fullmatch(BONUS, value):
                raise ValueError(f"option bonus cannot be {value!r}; its form is {BONUS}")
        elif name not in ALLOWED:
            known = ", ".join(field.name for field in fields(Options))
            raise ValueError(f"there is no option {name!r}; there are {known}")
        elif value not in ALLOWED[name] or type(value) not in map(type, ALLOWED[name]):
            raise ValueError(f"option {name} cannot be {value!r}; allowed are {ALLOWED[name]}")
    options = Options(**values)  # type: ignore[arg-type]
    if options.doubles != "off" and options.players == 2:
        raise ValueError("doubles are not for two players (ZS-11)")
    return options


def option_values(options: Options) -> dict[str, object]:
    """Return every option with its value."""
    return asdict(options)


def pack(options: Options) -> list[str]:
    """Return the pack by number from the Ace up, then by suit (ZS-1, ZS-11)."""
    low, high = {2: (2, 9), 3: (2, 13), 4: (1, 13)}[options.players]
    cards = [number + suit for number in NUMBERS[low - 1 : high] for suit in SUITS]
    if options.doubles == "off":
        return cards
    for double in DOUBLES:
        cards[cards.index(double[:2])] = double
        if options.doubles == "replace-both":
            cards.remove(double[0] + double[2])
    return cards


def follows(card: str, led: str) -> bool:
    """Tell whether a card has a suit of the led one (ZS-7, ZS-12, ZS-13)."""
    return any(suit in led[1:] for suit in card[1:])
