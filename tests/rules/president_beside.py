"""President twice: one game played by the kernel and by the plain-Python referee."""

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

from sim.rulesets.president.told import order_of
from tests.reference.president import Game
from tests.reference.president_cards import JOKER, PASS, SEATS, Choice, Gift, Play
from tests.reference.president_yardsticks import StreamChance, lowest
from tests.reference.splitmix import Stream
from tests.rules.president_table import Table, encoded, of_seats, word

#: How a player weighs the plays against each other; one that is not named weighs 1.
TEMPERS: dict[str, dict[str, float]] = {
    "wild": {},
    "patient": {"pass": 9},
    "eager": {"pass": 0.1},
    "filling": {"fillers": 12, "pass": 0.3},
    "lavish": {"large": 9, "pass": 0.3},
    "cunning": {"wilds": 9, "joker": 20},
    "lowest": {"lowest": 40},
}


def kind(play: Play, game: Game) -> str:
    """What sort of play it is."""
    if play == PASS:
        return "pass"
    if game.trick.size not in (0, play.size):
        return "joker"
    if play.rank in game.options.wilds:
        return "wilds"
    if play.fillers:
        return "fillers"
    return "large" if play.size > 2 else "plain"


def choose(game: Game, plays: list[Play], temper: str, chance: Random) -> Choice:
    """A legal choice: first the kind by the temper's weights, then any of that kind."""
    hand = game.hands[game.seat]
    if game.gift_size:
        cards = chance.sample(hand, game.gift_size)
        if chance.random() < 0.3:
            cards = hand[-game.gift_size :]
        return Gift(tuple(game.table.sorted(cards)))
    weights = TEMPERS[temper]
    kinds = sorted({kind(play, game) for play in plays})
    weighed = [weights.get(one, 1.0) for one in kinds] + [weights.get("lowest", 0.0)]
    chosen = chance.choices([*kinds, "lowest"], weighed)[0]
    if chosen == "lowest":
        return lowest(game, Stream(0))
    return chance.choice([play for play in plays if kind(play, game) == chosen])


def numbers(hand: int, legal: list[int], chance: Random) -> list[int]:
    """Numbers that a careless strategy might return: some legal, most of them not."""
    found = [chance.getrandbits(64) - (1 << 63), -1, hand, chance.choice(legal) ^ 1 << 62]
    for _ in range(4):
        found.append(chance.choice(legal) ^ 1 << chance.randrange(58))
        found.append(chance.randint(-2, 16) << 8 | chance.randrange(6) << 4 | chance.randrange(6))
        found.append(hand & chance.getrandbits(56))
        found.append(chance.randrange(1 << 12))
    return found


class Beside:
    """One game on two tables: the kernel's and the referee's."""

    def __init__(self, options: dict[str, Any], seed: int, seen: Counter[str]) -> None:
        """Deal on both tables."""
        self.kernel = Table(seed, 0, **options)
        self.referee = Game(options, StreamChance(seed, 0))
        self.seen = seen
        self.lacks: list[set[str]] = [set() for _ in SEATS]
        assert self.kernel.events == self.referee.events
        self.compare()

    def compare(self) -> None:
        """All that lies on the two tables, and what is known of it, is the same."""
        kernel, referee = self.kernel, self.referee
        assert kernel.over == referee.over
        if referee.over:
            return
        t = kernel.table
        assert (kernel.seat, kernel.kind) == (referee.seat, 0 if referee.gift_size else 1)
        assert kernel.view.tobytes() == t.tobytes()
        assert t["seat"] == referee.seat
        assert kernel.hands == referee.hands
        assert kernel.cards("hand") == referee.hands[referee.seat]
        assert [kernel.cards(f"played_{seat}") for seat in SEATS] == referee.played
        assert [kernel.cards("given", seat) for seat in SEATS] == referee.given
        assert [kernel.cards("received", seat) for seat in SEATS] == referee.received
        assert kernel.cards("given") == referee.given[referee.seat]
        assert kernel.cards("received") == referee.received[referee.seat]
        trick = referee.trick
        assert kernel.trick == (trick.rank, trick.size, trick.player)
        assert t["trick_leader"] == trick.leader
        assert t["trick_rank"] == (referee.table.place(trick.rank) if trick.rank else -1)
        assert kernel.passed == referee.passed
        assert of_seats(t["finishes"]) == referee.finish
        assert of_seats(t["ranks"]) == (referee.finishes[-1] if referee.finishes else [0] * 4)
        assert (t["round"], t["gift_size"]) == (referee.number, referee.gift_size)
        assert kernel.lacks == self.lacks
        if referee.gift_size:
            assert kernel.sizes == [len(hand) for hand in self.last("deal")["hands"]]
        else:
            assert kernel.sizes == [len(hand) for hand in referee.hands]
            assert t["leader"] == referee.leader == self.last("lead")["seat"]
        self.plays = [] if referee.gift_size else referee.legal_plays()
        self.compare_lists()

    def last(self, name: str) -> Any:
        """The last event of a name."""
        return next(event for event in reversed(self.referee.events) if event["ev"] == name)

    def compare_lists(self) -> None:
        """The legal actions and their order are the same; long lists of gifts in part."""
        kernel, referee = self.kernel, self.referee
        if self.plays:
            self.legal = [encoded(play, kernel.order) for play in self.plays]
            assert kernel.legal_actions() == self.legal
            return
        hand, size = referee.hands[referee.seat], referee.gift_size
        if size < 3:
            gifts = {word(cards, kernel.order) for cards in combinations(hand, size)}
            self.legal = sorted(gifts)
            assert kernel.legal_actions() == self.legal
        else:
            count = int(kernel.steps.count_legal(kernel.views))
            places = sorted({0, 1, count // 3, count // 2, count - 2, count - 1})
            self.legal = [int(kernel.steps.nth_legal(kernel.views, n)) for n in places]
            assert self.legal == sorted(set(self.legal))
            assert self.legal[0] == word(hand[:size], kernel.order)
            assert self.legal[-1] == word(hand[-size:], kernel.order)

    def is_legal(self, number: int) -> bool:
        """Whether the referee allows what a number stands for."""
        kernel, referee = self.kernel, self.referee
        if referee.gift_size:
            if not 0 <= number < 1 << 56 or number & int("8" * 14, 16):
                return False
            cards = [r for p, r in enumerate(kernel.order) for _ in range(number >> 4 * p & 15)]
            return referee.refusal(Gift(tuple(cards))) is None
        if not 0 <= number >> 8 < len(kernel.order):
            return False
        if number == 0:
            return referee.refusal(PASS) is None
        rank = kernel.order[number >> 8]
        return referee.refusal(Play(rank, number >> 4 & 15, number & 15)) is None

    def compare_numbers(self, chance: Random) -> None:
        """The kernel accepts a number exactly when the referee does, and can name every number."""
        kernel = self.kernel
        for number in self.legal[:3] + numbers(int(kernel.view["hand"]), self.legal, chance):
            legal = self.is_legal(number)
            assert kernel.is_legal(number) == legal, number
            assert kernel.rules.action_text(kernel.view, number)
            if not legal:
                assert kernel.rules.clause_of(kernel.view, number).startswith("PR-")
        assert order_of(kernel.view) == kernel.order

    def play(self, choice: Choice) -> None:
        """Take the same choice on both tables."""
        self.count(choice)
        told = len(self.referee.events)
        assert len(self.kernel.events) == told
        rounds = len(self.referee.finishes)
        self.kernel.apply(encoded(choice, self.kernel.order))
        self.referee.apply(choice)
        self.compare_round(rounds)
        assert self.kernel.events[told:] == self.referee.events[told:]

    def compare_round(self, rounds: int) -> None:
        """A row of the rounds table stands for each round that ends."""
        row, referee = self.kernel.round_row(), self.referee
        assert (row is None) == (len(referee.finishes) == rounds)
        if row is not None:
            self.lacks = [set() for _ in SEATS]
            assert row["round"] == len(referee.finishes)
            assert [row[f"finish_{seat}"] for seat in SEATS] == referee.finishes[-1]
            assert row["plays"] == referee.plays[rounds]
            self.seen["over" if referee.over else "next round"] += 1

    def count(self, choice: Choice) -> None:
        """Note what kinds of event were met, and what a play shows of its player's hand."""
        referee, seen = self.referee, self.seen
        if isinstance(choice, Gift):
            seen[f"gift of rank {referee.steps[0].rank}"] += 1
            return
        seen[kind(choice, referee)] += 1
        if not choice.fillers:
            return
        hand = referee.hands[referee.seat]
        wilds = referee.table.possible_fillers(choice.rank, hand)[: choice.fillers]
        strongest = referee.table.place(wilds[-1])
        for rank in referee.options.wilds:
            weaker = referee.table.place(rank) < strongest
            allowed = choice.rank not in referee.options.wilds or (
                referee.table.place(rank) > referee.table.place(choice.rank)
            )
            if weaker and allowed:
                self.lacks[referee.seat].add(rank)
                seen["weaker wild ruled out"] += 1
        if choice.rank in referee.options.wilds:
            seen["mixed wilds"] += 1
        seen["joker as filler"] += JOKER in wilds

    def compare_results(self) -> None:
        """The row of the games table is the referee's result."""
        row, referee = self.kernel.outcome(), self.referee
        assert [row[f"points_{seat}"] for seat in SEATS] == referee.points
        most = max(referee.points)
        ahead = sum(1 << seat for seat in SEATS if referee.points[seat] == most)
        assert row["leaders"] == ahead
        assert self.kernel.events[-1] == referee.result()


def play_beside(
    options: dict[str, Any], temper: str, seed: int, choices: int, seen: Counter[str]
) -> None:
    """Play one game on both tables."""
    chance = Random(choices)
    both = Beside(options, seed, seen)
    while not both.referee.over:
        if chance.random() < 0.3:
            both.compare_numbers(chance)
        both.play(choose(both.referee, both.plays, temper, chance))
        both.compare()
    both.compare_results()
