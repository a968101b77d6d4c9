"""The memory duel's options, actions, view and the names of cards."""

from dataclasses import dataclass

import numpy as np

from sim.options import RuleOptions, choice, switch, whole
from sim.recall import MOST_CARDS

SEATS = 2
ORDERS = ("in-order", "any-order")

#: The actions. MD-2, MD-6
RAISE, CALL, DECLINE = 0, 1, 2


@dataclass(frozen=True)
class Options(RuleOptions):
    """The options of the memory duel."""

    cards: int = whole(52, 1, MOST_CARDS, "the number of cards in the pack")  # MD-1
    order: str = choice("in-order", ORDERS, "how the stack is recited")  # MD-7
    known_opponent: bool = switch(True, "players know each other's recall models")  # MD-9


view_dtype = np.dtype(
    [
        ("pack", np.int64),
        ("stack", np.int64),
        ("claimed", np.int64),
        ("opponent_claimed", np.int64),
        ("declined", np.int64),
        ("calls", np.int64),
        ("last_call", np.int64),
        ("last_caller", np.int64),
        ("last_recited", np.int64),
        ("sure", np.int64),
        ("own_recall", np.float64),
        ("own_recall_next", np.float64),
        ("opponent_recall", np.float64),
        ("cards", np.int64),
        ("any_order", np.int64),
        ("known_opponent", np.int64),
        ("seat", np.int64),
    ],
    align=True,
)

VIEW_FIELDS = {
    "pack": "cards in the pack",
    "stack": "cards on the stack",
    "claimed": "cards this player has claimed",
    "opponent_claimed": "cards the opponent has claimed",
    "declined": "1 when the pack is empty and the opponent has declined to call",
    "calls": "how many calls there were in this game",
    "last_call": "how many cards the last recital was about; 0 before the first call",
    "last_caller": "the seat that called last; -1 before the first call",
    "last_recited": "1 when the last recital was right",
    "sure": "how many cards of the stack this player is still sure of; -1 with a model that does "
    "not tell",
    "own_recall": "the probability that this player recites the stack as it lies",
    "own_recall_next": "the same for the stack with one more card; 0 with an empty pack",
    "opponent_recall": "the probability that the opponent recites the stack as it lies, as far as "
    "the opponent's recall model tells; -1 when that is unknown",
    "cards": "the number of cards in the whole pack",
    "any_order": "1 when the order of a recital is free",
    "known_opponent": "1 when the players know each other's recall models",
    "seat": "this player's seat; seat 0 started",
}

VIEW_RANGES = {
    **dict.fromkeys(("pack", "stack", "claimed", "opponent_claimed", "calls"), (0, MOST_CARDS)),
    "declined": (0, 1),
    "last_call": (0, MOST_CARDS),
    "last_caller": (-1, SEATS - 1),
    "last_recited": (0, 1),
    "sure": (-1, MOST_CARDS),
    "own_recall": (0, 1),
    "own_recall_next": (0, 1),
    "opponent_recall": (-1, 1),
    "any_order": (0, 1),
    "seat": (0, SEATS - 1),
}

RANKS, SUITS = "23456789TJQKA", "CDHS"
PACK_SIZE = len(RANKS) * len(SUITS)


def card_name(card: int) -> str:
    """`2C`, and from the second pack of 52 on with its number: `2C/2`. MD-1"""
    packs, place = divmod(card, PACK_SIZE)
    name = RANKS[place // len(SUITS)] + SUITS[place % len(SUITS)]
    return name if packs == 0 else f"{name}/{packs + 1}"
