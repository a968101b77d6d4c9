"""The view of Short Zoot Suit: what the player to move knows. ZS-15"""

import numpy as np

from sim.rulesets.short_zoot_suit.cards import (
    BONUS_FIELDS,
    CARDS,
    MOST_BONUS,
    MOST_CARDS,
    MOST_SEATS,
    SUIT_FIELDS,
    Options,
)

_SMALL_OPTIONS = ("players", "rounds", "ace", "draws", "doubles", "short_shorts")

#: What changes with every play is a word of its own: a word that was just written in pieces is slow
#: to copy.
view_dtype = np.dtype(
    [
        ("hand", np.uint64),
        ("deck", np.uint64),
        ("stack_0", np.uint64),
        ("stack_1", np.uint64),
        *((f"played_{seat}", np.uint64) for seat in range(MOST_SEATS)),
        ("shorts", np.uint64),
        *((f"outside_{seat}", np.uint64) for seat in range(MOST_SEATS)),
        ("led", np.uint64),
        ("trick", np.uint64),
        ("sizes", np.uint64),
        ("decks", np.uint64),
        ("tricks", np.uint64),
        ("drew", np.uint64),
        ("laid", np.uint64),
        *((suit, np.uint64) for suit in SUIT_FIELDS),
        ("pack", np.uint64),
        ("seat", np.int64),
        ("kind", np.int64),
        ("leader", np.int64),
        ("best", np.int64),
        ("winner", np.int64),
        ("number", np.int64),
        *((f"points_{seat}", np.int32) for seat in range(MOST_SEATS)),
        *((field, np.int16) for field in BONUS_FIELDS),
        ("round", np.int8),
        ("start", np.int8),
        *((name, np.int8) for name in _SMALL_OPTIONS),
    ],
    align=True,
)

_MEANINGS = {
    "hand": "cards in hand: a set, one bit a card (four times the place of its number, plus suit)",
    "deck": "cards in the own deck, as a set",
    "stack_0": "short shorts: the own deck from the top, six bits a card, up to ten cards; else 0",
    "stack_1": "short shorts: the cards of the own deck below those of stack_0; else 0",
    **{f"played_{p}": f"cards that seat {p} has played in this round" for p in range(MOST_SEATS)},
    "shorts": "cards in the shorts piles; those of a seat are among its played cards",
    **{
        f"outside_{p}": f"what the plays of seat {p} have shown: four bits for each set of suits "
        f"(bit i of its number is suit i); at least so many cards of the hand have none of them"
        for p in range(MOST_SEATS)
    },
    "led": "all cards of the pack's order that follow the led card; 0: no card is led yet",
    "trick": "the cards of the trick, eight bits a seat: the card plus 1, or 0",
    "sizes": "cards in each hand, eight bits a seat; during the draft, as dealt",
    "decks": "cards in each deck, eight bits a seat; during the draft, none",
    "tricks": "tricks that each player has won in this round, eight bits a seat",
    "drew": "before which tricks of this round each player drew (or took): 16 bits a seat",
    "laid": "short shorts: before which tricks of this round each player laid: 16 bits a seat",
    **{suit: f"all cards that belong to {suit}, doubles among them" for suit in SUIT_FIELDS},
    "pack": "the cards of the pack",
    "seat": "the player's seat",
    "kind": "the kind of decision: 0 draft, 1 draw, 2 play",
    "leader": "the seat that leads this trick, or the one that is about to begin",
    "best": "the card that wins the trick so far; -1 before the lead",
    "winner": "the seat that wins the trick so far; -1 before the lead",
    "number": "number of the trick in this round, from 1",
    **{f"points_{p}": f"points of seat {p} in the rounds before" for p in range(MOST_SEATS)},
    **{field: f"option bonus: points for {field[-1]} suits" for field in BONUS_FIELDS},
    "round": "number of the round, from 1",
    "start": "the seat that led the first trick of this round",
    **{name: f"option {name}: {Options.specs()[name].allowed}" for name in _SMALL_OPTIONS},
}
VIEW_FIELDS = {field: _MEANINGS[field] for field in view_dtype.names or ()}
VIEW_RANGES = {
    "seat": (0, MOST_SEATS - 1),
    "kind": (0, 2),
    "leader": (0, MOST_SEATS - 1),
    "start": (0, MOST_SEATS - 1),
    "best": (-1, CARDS - 1),
    "winner": (-1, MOST_SEATS - 1),
    "number": (1, MOST_CARDS),
    "round": (1, 20),
    **{f"points_{p}": (0, None) for p in range(MOST_SEATS)},
    **dict.fromkeys(BONUS_FIELDS, (0, MOST_BONUS)),
}
