"""A slow, readable referee of Short Zoot Suit, written clause by clause from the rules.

It exists to check the fast kernel, so it favours lists of card strings over speed and shares no
line with it. The comment at the end of a line names the clause that it implements.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Protocol

from .short_zoot_suit_cards import (
    STAY,
    TAKE,
    Choice,
    Draft,
    Move,
    Play,
    check_options,
    follows,
    pack,
)

Event = dict[str, object]


class Chance(Protocol):
    """What is left to chance in a game; rounds count from 1."""

    def shuffle(self, number: int, cards: list[str]) -> list[str]:
        """Return the shuffled pack of a round, top first (ZS-2)."""

    def deck(self, number: int, seat: int, cards: list[str]) -> list[str]:
        """Return the shuffled deck of a seat, top first, of cards sorted upwards (ZS-4)."""


class Game:
    """One game: hands, decks, the trick, what the player to move may do, all that happened."""

    def __init__(self, options: Mapping[str, object], chance: Chance) -> None:
        """Deal the first round."""
        self.options = check_options(options)
        self.seats = range(self.options.players)
        self.chance = chance
        self.at_once = self.options.draws == "in-turn"  # ZS-5
        self.events: list[Event] = []
        self.rounds: list[Event] = []
        self.over = False
        self.points = [0 for _ in self.seats]
        self.number = 0
        self._begin_round()

    # --- rounds -------------------------------------------------------------------------------

    def _begin_round(self) -> None:
        self.number += 1
        self.start = (self.number - 1) % len(self.seats)  # ZS-3
        self.leader = self.start
        self._deal()
        self.decks: list[list[str]] = [[] for _ in self.seats]  # top first
        self.played: list[list[str]] = [[] for _ in self.seats]
        self.shorts: list[list[str]] = [[] for _ in self.seats]
        self.tricks = [0 for _ in self.seats]
        self.history: list[list[tuple[str, str]]] = [[] for _ in self.seats]
        self.drew: list[set[int]] = [set() for _ in self.seats]
        self.laid: list[set[int]] = [set() for _ in self.seats]
        self.trick_number = 1
        self.trick: list[tuple[int, str]] = []
        self.to_draft = [] if self.options.short_shorts else list(self.seats)  # ZS-14
        self.to_ask: list[int] = []
        self._show()  # during the draft, hands as dealt
        if self.to_draft:
            self.seat = self.to_draft[0]
        else:
            self._begin_phase()

    def _deal(self) -> None:
        players, cards = len(self.seats), pack(self.options)
        each = 15 if players == 2 else len(cards) // players  # ZS-2
        deck = self.chance.shuffle(self.number, cards)
        sort = self.options.sorted
        self.hands = [sort(deck[each * seat : each * (seat + 1)]) for seat in self.seats]
        self.out = sort(deck[each * players :])  # ZS-2
        hands = [hand.copy() for hand in self.hands]
        self._record({"ev": "deal", "start": self.start, "hands": hands, "out": self.out})

    def _draft(self, cards: tuple[str, ...]) -> None:
        seat = self.to_draft.pop(0)
        chosen = self.options.sorted(cards)
        for card in chosen:
            self.hands[seat].remove(card)  # ZS-4
        self._record({"ev": "draft", "seat": seat, "cards": chosen})
        self.decks[seat] = self.chance.deck(self.number, seat, chosen.copy())
        self._record({"ev": "deck", "seat": seat, "cards": self.decks[seat].copy()})
        if self.to_draft:
            self.seat = self.to_draft[0]
        else:
            self._begin_phase()

    # --- before a trick -----------------------------------------------------------------------

    def clockwise(self, first: int) -> list[int]:
        """Return the seats in the order of play."""
        players = len(self.seats)
        return [(first + step) % players for step in range(players)]

    def _begin_phase(self) -> None:
        self.to_ask = self.clockwise(self.leader)
        self.chosen: list[tuple[int, str]] = []
        self._ask()

    def _ask(self) -> None:
        """Ask the next player who can do more than stay."""
        self._show()
        while self.to_ask:
            self.seat = self.to_ask[0]
            if len(self.moves()) > 1:
                return
            self._choose(STAY)
        for seat, what in self.chosen:
            self._carry_out(seat, what)  # ZS-5: at the same time
        self._show()
        if not all(self.hands):
            self._end_round()  # ZS-6
        else:
            self.seat = self.leader

    def _show(self) -> None:
        """Let everybody see how many cards hands have; choices of this phase may be pending."""
        self.shown_sizes = [len(hand) for hand in self.hands]
        self.shown_decks = [len(deck) for deck in self.decks]

    def _choose(self, what: str) -> None:
        seat = self.to_ask.pop(0)
        if self.at_once:
            self._carry_out(seat, what)
            self._show()
        else:
            self.chosen.append((seat, what))

    def _carry_out(self, seat: int, what: str) -> None:
        hand, deck = self.hands[seat], self.decks[seat]
        if what == STAY:
            self._record({"ev": "stay", "seat": seat})
        elif what == TAKE:
            card = deck.pop(0)  # ZS-5, ZS-14
            self.hands[seat] = self.options.sorted([*hand, card])
            self.drew[seat].add(self.trick_number)
            self.history[seat].append(("draw", ""))
            self._record({"ev": "draw", "seat": seat, "card": card})
        else:
            hand.remove(what)
            deck.insert(0, what)  # ZS-14: on top
            self.laid[seat].add(self.trick_number)
            self.history[seat].append(("lay", ""))
            self._record({"ev": "lay", "seat": seat, "card": what})

    # --- tricks -------------------------------------------------------------------------------

    def _play(self, card: str) -> None:
        seat = self.seat
        self.hands[seat].remove(card)
        self.played[seat].append(card)
        self.trick.append((seat, card))
        self.history[seat].append(("play", card))
        self._record({"ev": "play", "seat": seat, "card": card})
        led = self.trick[0][1]
        if not follows(card, led):
            self.shorts[seat].append(card)  # ZS-8, ZS-13
            self.history[seat].append(("void", led[1:]))
        self._show()
        if len(self.trick) < len(self.seats):
            self.seat = (seat + 1) % len(self.seats)  # ZS-7
        else:
            self._end_trick()

    def _end_trick(self) -> None:
        winner, led = self.winner, self.trick[0][1]
        self.tricks[winner] += 1  # ZS-8
        shorts = {str(seat): card for seat, card in self.trick if not follows(card, led)}
        self._record({"ev": "trick", "winner": winner, "shorts": shorts})
        self.leader, self.trick = winner, []  # ZS-7
        self.trick_number += 1
        self._begin_phase()

    @property
    def winner(self) -> int:
        """The seat whose card wins the trick so far; -1 before the lead."""
        if not self.trick:
            return -1
        led, number = self.trick[0][1], self.options.number
        following = [(number(card), seat) for seat, card in self.trick if follows(card, led)]
        highest = max(place for place, _ in following)
        return [seat for place, seat in following if place == highest][-1]  # ZS-8, ZS-12

    # --- scoring ------------------------------------------------------------------------------

    def score(self, tricks: int, shorts: list[str]) -> int:
        """Return the points of a round (ZS-9, ZS-10)."""
        pairs = min(tricks, len(shorts))
        suits = {suit for card in shorts for suit in card[1:]}  # ZS-13: both of a double's
        a_pair = 5 if tricks == len(shorts) else 3
        return tricks + a_pair * pairs + self.options.bonus_points[len(suits)]

    def _end_round(self) -> None:
        points = [self.score(self.tricks[seat], self.shorts[seat]) for seat in self.seats]
        for seat in self.seats:
            self.points[seat] += points[seat]
        counts = [len(pile) for pile in self.shorts]
        self.rounds.append(
            {"ev": "round", "tricks": self.tricks, "shorts": counts, "points": points}
        )
        self._record(self.rounds[-1])
        if self.number < self.options.rounds * len(self.seats):  # ZS-3
            self._begin_round()
        else:
            self.over = True
            self._record(self.result())

    def result(self) -> Event:
        """Return the result event as points stand."""
        most = max(self.points)
        winners = [seat for seat in self.seats if self.points[seat] == most]
        return {"ev": "result", "points": self.points.copy(), "winners": winners}

    def dealt(self) -> int:
        """Return how many cards a hand has after the draft, or as dealt in short shorts."""
        each = 15 if len(self.seats) == 2 else len(pack(self.options)) // len(self.seats)
        return each if self.options.short_shorts else each - 5  # ZS-4, ZS-14

    # --- what the player may do ---------------------------------------------------------------

    @property
    def kind(self) -> int:
        """0: to draft; 1: to draw or not; 2: to play."""
        return 0 if self.to_draft else 1 if self.to_ask else 2

    def moves(self) -> list[Move]:
        """Return what the player to move may do before a trick: stay, take, lay upwards."""
        found = [Move(STAY)]
        if self.decks[self.seat]:
            found.append(Move(TAKE))  # ZS-5, ZS-14
        if self.options.short_shorts:
            found += [Move(card) for card in self.hands[self.seat]]  # ZS-14
        return found

    def plays(self) -> list[Play]:
        """Return the cards that may be played, upwards (ZS-7)."""
        hand = self.hands[self.seat]
        if self.trick:
            following = [card for card in hand if follows(card, self.trick[0][1])]
            hand = following or hand  # ZS-7, ZS-12, ZS-13
        return [Play(card) for card in hand]

    def choices(self) -> list[Choice]:
        """Return all legal choices; drafts in the order in which the highest card weighs most."""
        if self.kind == 1:
            return list(self.moves())
        if self.kind == 2:
            return list(self.plays())
        hand = self.hands[self.seat]
        places = sorted(combinations(range(len(hand)), 5), key=lambda chosen: chosen[::-1])
        return [Draft(tuple(hand[place] for place in chosen)) for chosen in places]

    def apply(self, choice: Choice) -> None:
        """Do what the player chose and all that follows from it; ValueError if it is illegal."""
        problem = self.refusal(choice)
        if problem is not None:
            raise ValueError(problem)
        if isinstance(choice, Draft):
            self._draft(choice.cards)
        elif isinstance(choice, Move):
            self._choose(choice.what)
            self._ask()
        else:
            self._play(choice.card)

    def refusal(self, choice: Choice) -> str | None:
        """Return the sentence that says why a choice is illegal now, or None if it is legal."""
        if self.over:
            return "ZS-3: the game is over."
        if type(choice) is not (Draft, Move, Play)[self.kind]:
            return f"ZS-4, ZS-5, ZS-7: it is not the time for {choice}."
        if isinstance(choice, Draft):
            cards = choice.cards
            if len(set(cards)) != 5 or len(cards) != 5:
                return "ZS-4: five cards are to be drafted."
            if not set(cards) <= set(self.hands[self.seat]):
                return f"ZS-4: {' '.join(cards)} are not all in the hand."
            return None
        if isinstance(choice, Move):
            if choice in self.moves():
                return None
            return f"ZS-5, ZS-14: {choice.what} cannot be done with this hand and deck."
        if choice in self.plays():
            return None
        if choice.card in self.hands[self.seat]:
            return f"ZS-7: {choice.card} does not follow, and the hand has a card that does."
        return f"ZS-7: {choice.card} is not in the hand."

    def _record(self, event: Event) -> None:
        self.events.append(event)
