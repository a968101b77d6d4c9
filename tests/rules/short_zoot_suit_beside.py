"""Short Zoot Suit twice: one game played by the kernel and by the plain-Python referee."""

from collections import Counter
from math import comb
from random import Random
from typing import Any

from tests.reference.short_zoot_suit import Game
from tests.reference.short_zoot_suit_cards import SUITS, TAKE, Choice, Draft, Move, Play, follows
from tests.reference.short_zoot_suit_tables import hand_counts, possible_counts, spreads
from tests.reference.short_zoot_suit_yardsticks import StreamChance
from tests.rules.short_zoot_suit_table import Table

#: How a player weighs what it may do; what is not named weighs 1.
TEMPERS: dict[str, dict[str, float]] = {
    "wild": {},
    "thirsty": {"take": 30},
    "dry": {"take": 0.02, "stay": 20},
    "layer": {"lay": 3, "take": 4},
    "low": {"lowest": 9},
    "high": {"highest": 9},
}
#: Sets of suits that a hand may have shown something of.
SUIT_SETS = ["".join(s for i, s in enumerate(SUITS) if bits >> i & 1) for bits in range(1, 16)]


def choose(game: Game, choices: list[Choice], temper: str, chance: Random) -> Choice:
    """Any legal choice, weighed by the temper."""
    weights = TEMPERS[temper]
    found = []
    for place, choice in enumerate(choices):
        weight = weights.get("lowest", 1.0) if place == 0 else 1.0
        weight *= weights.get("highest", 1.0) if place == len(choices) - 1 else 1.0
        if isinstance(choice, Move):
            kind = choice.what if len(choice.what) > 3 else "lay"
            weight = weights.get(kind, 1.0)
        found.append(weight)
    return chance.choices(choices, found)[0]


class Beside:
    """One game on two tables: the kernel's and the referee's."""

    def __init__(self, options: dict[str, Any], seed: int, seen: Counter[str]) -> None:
        """Deal on both tables."""
        self.kernel = Table(seed, 0, **options)
        self.referee = Game(options, StreamChance(seed, 0))
        self.seen = seen
        assert self.kernel.events == self.referee.events
        self.compare()

    def compare(self) -> None:
        """All that lies on the two tables, and what is known of it, is the same."""
        kernel, referee = self.kernel, self.referee
        assert kernel.over == referee.over
        if referee.over:
            return
        assert (kernel.seat, kernel.kind) == (referee.seat, referee.kind)
        assert kernel.hands == referee.hands
        assert kernel.decks == referee.decks
        self.compare_view()
        if referee.kind == 0:  # there are thousands: some of them
            hand = referee.hands[referee.seat]
            count = comb(len(hand), 5)
            places = sorted({0, 1, count // 3, count // 2, count - 1})
            assert kernel.steps.count_legal(kernel.views) == count
            self.legal = [int(kernel.steps.nth_legal(kernel.views, n)) for n in places]
            assert self.legal == sorted(set(self.legal))
            drafts = [tuple(kernel.cards(action)) for action in self.legal]
            assert (drafts[0], drafts[-1]) == (tuple(hand[:5]), tuple(hand[-5:]))
            self.choices = [Draft(cards) for cards in drafts]
        else:
            self.choices = referee.choices()
            self.legal = [kernel.encoded(choice) for choice in self.choices]
            assert kernel.legal_actions() == self.legal

    def compare_view(self) -> None:
        """The view holds what the player to move knows, and nothing else."""
        kernel, referee, view = self.kernel, self.referee, self.kernel.view
        seat, players = referee.seat, len(referee.seats)
        sort = referee.options.sorted
        assert view["seat"] == seat
        assert kernel.cards(view["hand"]) == referee.hands[seat]
        assert kernel.cards(view["deck"]) == sort(referee.decks[seat])
        if referee.options.short_shorts:
            deck = referee.decks[seat]
            assert kernel.stack(view["stack_0"], view["stack_1"], len(deck)) == deck
        else:
            assert view["stack_0"] == view["stack_1"] == 0
        for other in range(4):
            played = referee.played[other] if other < players else []
            assert kernel.cards(view[f"played_{other}"]) == sort(played)
            points = referee.points[other] if other < players else 0
            assert view[f"points_{other}"] == points
        shorts = [card for pile in referee.shorts for card in pile]
        assert kernel.cards(view["shorts"]) == sort(shorts)
        assert kernel.of_seats(view["sizes"]) == referee.shown_sizes
        assert kernel.of_seats(view["decks"]) == referee.shown_decks
        assert kernel.of_seats(view["tricks"]) == referee.tricks
        assert kernel.before_tricks(view["laid"]) == referee.laid
        assert kernel.before_tricks(view["drew"]) == referee.drew
        on_table = dict(referee.trick)
        trick = [kernel.names.index(on_table[s]) + 1 if s in on_table else 0 for s in range(4)]
        assert [int(view["trick"]) >> 8 * s & 255 for s in range(4)] == trick
        assert view["winner"] == referee.winner
        best = on_table.get(referee.winner)
        assert view["best"] == (kernel.names.index(best) if best else -1)
        led = referee.trick[0][1] if referee.trick else ""
        following = [n for n in kernel.names if led and follows(n, led)]
        assert kernel.cards(view["led"]) == following
        assert view["leader"] == referee.leader
        assert (view["round"], view["start"]) == (referee.number, referee.start)
        assert view["number"] == referee.trick_number

    def compare_shown(self) -> None:
        """What hands have shown is known exactly; with doubles, no more than is true."""
        kernel, referee = self.kernel, self.referee
        for seat in referee.seats if referee.kind else ():
            hand = referee.hands[seat]
            if referee.options.doubles != "off":
                for suits in SUIT_SETS:
                    outer = [card for card in hand if not set(card[1:]) & set(suits)]
                    assert kernel.outside(seat, suits) <= len(outer)
                continue
            possible = possible_counts(referee.dealt(), referee.history[seat])
            assert hand_counts(referee, seat) in possible
            for suits in SUIT_SETS:
                places = [SUITS.index(suit) for suit in suits]
                most = max(sum(counts[place] for place in places) for counts in possible)
                assert kernel.outside(seat, suits) == len(hand) - most
                self.seen["void"] += most == 0
                self.seen["perhaps void"] += 0 < most < len(hand)
            within = {
                counts
                for counts in spreads(len(hand), len(SUITS))
                if all(
                    sum(counts[SUITS.index(suit)] for suit in suits)
                    <= len(hand) - kernel.outside(seat, suits)
                    for suits in SUIT_SETS
                )
            }
            assert within == possible

    def play(self, choice: Choice) -> None:
        """Take the same choice on both tables."""
        self.count(choice)
        told, rounds = len(self.referee.events), len(self.referee.rounds)
        self.kernel.apply(self.kernel.encoded(choice))
        self.referee.apply(choice)
        row, referee = self.kernel.round_row(), self.referee
        assert (row is None) == (len(referee.rounds) == rounds)
        if row is not None:
            assert row["round"] == len(referee.rounds)
            for name in ("tricks", "shorts", "points"):
                found = [row[f"{name}_{seat}"] for seat in referee.seats]
                assert found == referee.rounds[-1][name]
        assert self.kernel.events[told:] == referee.events[told:]

    def count(self, choice: Choice) -> None:
        """Note what kinds of choice were met."""
        referee, seen = self.referee, self.seen
        if isinstance(choice, Draft):
            seen["draft"] += 1
        elif isinstance(choice, Move):
            known = {TAKE: "take", "stay": "stay"}
            seen[known.get(choice.what, "lay")] += 1
        elif isinstance(choice, Play):
            led = referee.trick[0][1] if referee.trick else choice.card
            double = " double" * (len(choice.card) > 2)
            what = "follow" if follows(choice.card, led) else "short"
            seen[(what if referee.trick else "lead") + double] += 1
            if referee.trick and what == "follow" and len(led) > 2:
                seen["follow a led double"] += 1

    def compare_numbers(self, chance: Random) -> None:
        """The kernel accepts a number exactly when it is on the referee's list; names them all."""
        kernel = self.kernel
        numbers = [chance.getrandbits(64) - (1 << 63), -1, 0, 1, 52, 53, 54, 64, 117]
        numbers += [chance.choice(self.legal) ^ 1 << chance.randrange(60) for _ in range(4)]
        numbers += [chance.randrange(64) for _ in range(4)]
        for number in numbers:
            legal = number in self.legal or self.is_draft(number)
            assert kernel.is_legal(number) == legal, number
            assert kernel.rules.action_text(kernel.view, number)
            if not legal:
                assert kernel.rules.clause_of(kernel.view, number).startswith("ZS-")

    def is_draft(self, number: int) -> bool:
        """Whether a number is five cards of the hand, when it is time to draft."""
        if self.referee.kind or not 0 <= number < 1 << len(self.kernel.names):
            return False
        return self.referee.refusal(Draft(tuple(self.kernel.cards(number)))) is None

    def compare_results(self) -> None:
        """The row of the games table is the referee's result."""
        row, result = self.kernel.outcome(), self.referee.result()
        winners: Any = result["winners"]
        assert [row[f"points_{seat}"] for seat in self.referee.seats] == result["points"]
        assert row["leaders"] == sum(1 << seat for seat in winners)
        for seat in range(4):
            assert row[f"share_{seat}"] == (1 / len(winners) if seat in winners else 0)


def play_beside(
    options: dict[str, Any], temper: str, seed: int, choices: int, seen: Counter[str]
) -> None:
    """Play one game on both tables."""
    chance = Random(choices)
    both = Beside(options, seed, seen)
    while not both.referee.over:
        if chance.random() < 0.1:
            both.compare_numbers(chance)
        if chance.random() < 0.05:
            both.compare_shown()
        both.play(choose(both.referee, both.choices, temper, chance))
        both.compare()
    both.compare_results()
