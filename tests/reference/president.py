"""A slow, readable referee of President, written clause by clause from the rules.

It exists to check the fast kernels, so it favours lists of card strings over speed and shares
no line with them. The comment at the end of a line names the clause that it implements.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from .president_cards import (
    JANITOR,
    JOKER,
    PASS,
    PRESIDENT,
    SEATS,
    SECRETARY,
    VICE_PRESIDENT,
    Choice,
    Gift,
    Play,
    Table,
    check_options,
    pack,
)

Event = dict[str, object]


class Chance(Protocol):
    """What is left to chance in a game; rounds count from 1."""

    def shuffle(self, number: int, cards: list[str]) -> list[str]:
        """Return the shuffled pack of a round, top first (PR-1)."""

    def leader(self, number: int) -> int:
        """Return the seat that leads a round by chance (PR-14)."""

    def gift(self, number: int, rank: int, hand: list[str], size: int) -> list[str]:
        """Return so many cards of a hand, sorted upwards, that its player gives by chance."""


@dataclass(frozen=True)
class Step:
    """A gift that has to be made (PR-12): by whom, to whom, how many cards, chosen how."""

    giver: int
    receiver: int
    rank: int
    size: int
    how: str


@dataclass
class Trick:
    """A trick in progress; before the lead, without rank and player."""

    leader: int
    rank: str = ""
    size: int = 0
    player: int = -1


class Game:
    """One game: hands, the trick, what the player to move may do, everything that happened."""

    def __init__(self, options: Mapping[str, object], chance: Chance) -> None:
        """Deal the first round."""
        self.options = check_options(options)
        self.table = Table(self.options)
        self.chance = chance
        self.events: list[Event] = []
        self.number = 0
        self.over = False
        self.points = [0] * 4
        self.finishes: list[list[int]] = []  # of each round: the rank of each seat
        self.plays: list[int] = []  # of each round: how many sets were played
        self._begin_round()

    # --- rounds -------------------------------------------------------------------------------

    def _begin_round(self) -> None:
        self.number += 1
        self.hands = self._deal()
        self.played: list[list[str]] = [[] for _ in SEATS]
        self.given: list[list[str]] = [[] for _ in SEATS]
        self.waiting: list[list[str]] = [[] for _ in SEATS]  # gifts on their way to each seat
        self.received: list[list[str]] = [[] for _ in SEATS]
        self.finish = [0] * 4  # the rank of each seat that is out
        self.plays.append(0)
        self.passed: set[int] = set()
        self.trick = Trick(-1)
        self.steps = self._steps()
        self._exchange()

    def _deal(self) -> list[list[str]]:
        deck = self.chance.shuffle(self.number, pack(self.options))
        first = (self.number - 1) % 4  # PR-1
        hands: list[list[str]] = [[] for _ in SEATS]
        for place, card in enumerate(deck):
            hands[(first + place) % 4].append(card)  # PR-1
        hands = [self.table.sorted(hand) for hand in hands]
        self._record({"ev": "deal", "round": self.number, "hands": [h.copy() for h in hands]})
        return hands

    def seat_of(self, rank: int) -> int:
        """Return the seat that had a rank in the round before."""
        return self.finishes[-1].index(rank)

    # --- the exchange -------------------------------------------------------------------------

    def _steps(self) -> list[Step]:
        """Return the gifts of this round, in the order of the trace."""
        if self.number == 1:
            return []  # PR-12
        first, second = self.options.gift_sizes
        low, high = self.options.low_gives, self.options.high_gives  # PR-13
        wanted = [
            (JANITOR, PRESIDENT, first, low),
            (SECRETARY, VICE_PRESIDENT, second, low),
            (PRESIDENT, JANITOR, first, high),
            (VICE_PRESIDENT, SECRETARY, second, high),
        ]
        return [
            Step(self.seat_of(giver), self.seat_of(receiver), giver, size, how)
            for giver, receiver, size, how in wanted
            if size > 0
        ]

    def _exchange(self) -> None:
        """Make the gifts that leave no choice; stop at one that does, or lead the round."""
        while self.steps and self.steps[0].how != "choice":
            self._give(self._forced_gift(self.steps[0]))  # PR-13
        if self.steps:
            self.seat = self.steps[0].giver
            return
        if self.options.exchange_order == "simultaneous":
            for seat in SEATS:
                self._take_in(seat)  # PR-13: only now that everybody has chosen
        self._lead_round()

    def _forced_gift(self, step: Step) -> list[str]:
        hand = self.hands[step.giver]
        if step.how == "random":
            return self.chance.gift(self.number, step.rank, hand.copy(), step.size)
        return hand[-step.size :] if step.how == "highest" else hand[: step.size]  # PR-12, PR-13

    def _give(self, cards: list[str]) -> None:
        step = self.steps.pop(0)
        for card in cards:
            self.hands[step.giver].remove(card)
        self.given[step.giver] = self.table.sorted(cards)
        event = {"ev": "gift", "from": step.giver, "to": step.receiver}
        self._record({**event, "cards": self.given[step.giver]})
        self.waiting[step.receiver] = self.given[step.giver]
        if self.options.exchange_order == "low-first":
            self._take_in(step.receiver)  # PR-13: the upper player sees them, and may return them

    def _take_in(self, seat: int) -> None:
        self.received[seat] = self.waiting[seat]
        self.hands[seat] = self.table.sorted(self.hands[seat] + self.received[seat])

    @property
    def gift_size(self) -> int:
        """The number of cards that the player to move must give; 0 when it has to play."""
        return self.steps[0].size if self.steps else 0

    # --- tricks -------------------------------------------------------------------------------

    def _lead_round(self) -> None:
        if self.options.lead == "random":
            self.leader = self.chance.leader(self.number)  # PR-14: a fresh one in every round
        elif self.options.lead == "rotate":
            self.leader = 0 if self.number == 1 else (self.leader + 1) % 4  # PR-14
        else:
            rank = PRESIDENT if self.options.lead == "rank1" else JANITOR
            self.leader = 0 if self.number == 1 else self.seat_of(rank)  # PR-14
        self._record({"ev": "lead", "seat": self.leader})
        self._begin_trick(self.leader)

    def _begin_trick(self, leader: int) -> None:
        self.trick = Trick(leader)
        self.passed = set()
        self.seat = leader

    def _play(self, play: Play) -> None:
        seat, hand = self.seat, self.hands[self.seat]
        cards = self.table.sorted(self.table.cards(play, hand))
        for card in cards:
            hand.remove(card)
        self.played[seat] = self.table.sorted(self.played[seat] + cards)
        self.plays[-1] += 1
        self.passed.discard(seat)
        self.trick = Trick(self.trick.leader, play.rank, play.size, seat)
        self._record({"ev": "play", "seat": seat, "cards": cards, "rank": play.rank})
        if not hand:
            self._go_out(seat)
        if 0 in self.finish:
            self._go_on()
        else:
            self._end_round()

    def _go_out(self, seat: int) -> None:
        rank = max(self.finish) + 1
        self.finish[seat] = rank  # PR-11
        self._record({"ev": "out", "seat": seat, "rank": rank})
        if rank == SECRETARY:
            self.finish[self.finish.index(0)] = JANITOR  # PR-11

    def _pass(self) -> None:
        self.passed.add(self.seat)
        self._record({"ev": "pass", "seat": self.seat})

    def _go_on(self) -> None:
        """Give the turn to the next player with a choice; end the trick if there is none."""
        while True:
            self.seat = (self.seat + 1) % 4  # PR-7: clockwise
            if self.seat == (self.trick.leader if self.options.one_play else self.trick.player):
                self._end_trick()  # PR-9, PR-10
                return
            locked = self.options.pass_locks and self.seat in self.passed  # PR-9
            if self.finish[self.seat] or locked:
                continue
            if self.legal_plays() != [PASS]:
                return
            self._pass()  # nothing to choose

    def _end_trick(self) -> None:
        winner = self.trick.player
        self._record({"ev": "trick", "winner": winner})
        while self.finish[winner]:
            winner = (winner + 1) % 4  # PR-11
        self._begin_trick(winner)

    def _end_round(self) -> None:
        self.finishes.append(self.finish)
        for seat in SEATS:
            self.points[seat] += self.options.points_by_rank[self.finish[seat] - 1]  # PR-15
        self._record({"ev": "round", "finish": self.finish.copy()})
        if self.number < self.options.rounds:
            self._begin_round()
        else:
            self.over = True
            self._record(self.result())

    def result(self) -> Event:
        """Return the result event: points and finishing ranks as they stand."""
        return {"ev": "result", "points": self.points.copy(), "finishes": self.finishes.copy()}

    # --- what the player may do ---------------------------------------------------------------

    def legal_plays(self) -> list[Play]:
        """Return what the player to move may play: pass first, then by rank, naturals, fillers."""
        sets = self.table.sets(self.hands[self.seat])
        if not self.trick.rank:
            return sets  # PR-7: a leader must play
        higher = [
            play
            for play in sets
            if play.size == self.trick.size
            and self.table.place(play.rank) > self.table.place(self.trick.rank)
        ]  # PR-7
        trump = Play(JOKER, 1, 0)
        if self._joker_may_beat_all() and trump not in higher:
            higher.append(trump)  # PR-8
        return [PASS, *higher]  # PR-7

    def _joker_may_beat_all(self) -> bool:
        may = self.options.joker_beats_all and self.trick.rank != JOKER  # PR-8
        return may and JOKER in self.hands[self.seat]

    def apply(self, choice: Choice) -> None:
        """Do what the player chose and all that follows from it; ValueError if it is illegal."""
        problem = self.refusal(choice)
        if problem is not None:
            raise ValueError(problem)
        if isinstance(choice, Gift):
            self._give(list(choice.cards))
            self._exchange()
        elif choice == PASS:
            self._pass()
            self._go_on()
        else:
            self._play(choice)

    def refusal(self, choice: Choice) -> str | None:
        """Return the sentence that says why a choice is illegal now, or None if it is legal."""
        if self.over:
            return "PR-15: the game is over."
        if self.gift_size:
            return self._refuse_gift(choice)
        if isinstance(choice, Gift):
            return "PR-12: it is not the time for a gift."
        return self._refuse_play(choice)

    def _refuse_gift(self, choice: Choice) -> str | None:
        if not isinstance(choice, Gift):
            return "PR-12: a gift has to be made first."
        if len(choice.cards) != self.gift_size:
            return f"PR-12: {self.gift_size} cards are to be given, not {len(choice.cards)}."
        if any(choice.cards.count(c) > self.hands[self.seat].count(c) for c in choice.cards):
            return f"PR-12: {' '.join(choice.cards)} are not all in the hand."
        return None

    def _refuse_play(self, play: Play) -> str | None:
        hand, trick = self.hands[self.seat], self.trick
        if play == PASS:
            return None if trick.rank else "PR-7: the leader of a trick must play."
        if play.rank not in self.options.order or play.naturals < 1 or play.fillers < 0:
            return "PR-6: a set has one or more cards of its rank, and fillers or none."
        if play.naturals > hand.count(play.rank):
            return f"PR-6: the hand has not {play.naturals} cards of rank {play.rank}."
        if play.fillers > len(self.table.possible_fillers(play.rank, hand)):
            return f"PR-6: the hand has not {play.fillers} fillers for rank {play.rank}."
        if not trick.rank or (play == Play(JOKER, 1, 0) and self._joker_may_beat_all()):
            return None  # PR-7, PR-8
        if play.size != trick.size:
            return f"PR-7: the trick is of sets of {trick.size}, not of {play.size}."
        if self.table.place(play.rank) <= self.table.place(trick.rank):
            return f"PR-7: rank {play.rank} is not higher than {trick.rank}."
        return None

    def _record(self, event: Event) -> None:
        self.events.append(event)
