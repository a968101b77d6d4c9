"""The Shooting Party twice: one game played by the kernel and by the plain-Python referee."""

from collections import Counter
from random import Random
from typing import Any

from sim.rulesets.shooting_party import cards as c
from tests.reference.shooting_party import Event, Game
from tests.reference.shooting_party_cards import SUITS, Action, card_order, pack
from tests.reference.shooting_party_yardsticks import stream_shuffler, tidy
from tests.reference.splitmix import Stream
from tests.rules.shooting_party_table import Table, encoded, lay, same_story, word

#: How a player weighs the kinds of action against each other; a kind that is not named weighs 1.
TEMPERS: dict[str, dict[str, float]] = {
    "wild": {},
    "crowded": {"pair": 9, "discard": 0.5, "leave": 0.1, "take nothing": 0.1},
    "restless": {"leave": 6},
    "ringing": {"take discard": 9, "take ace": 9, "take nothing": 0.3, "leave": 0.3},
    "lonely": {"discard": 9, "seduce": 9, "leave": 0.1},
    "courting": {"tidy": 40},
}


def kind(action: Action) -> str:
    """The kind of an action; the butler's services are kinds of their own."""
    return f"take {action.take}" if action.take else action.do


def choose(game: Game, actions: list[Action], temper: str, chance: Random) -> Action:
    """A legal action: first the kind by the temper's weights, then any action of it."""
    weights = TEMPERS[temper]
    kinds = sorted({kind(action) for action in actions})
    weighed = [weights.get(one, 1.0) for one in kinds] + [weights.get("tidy", 0.0)]
    chosen = chance.choices([*kinds, "tidy"], weighed)[0]
    if chosen == "tidy":
        return tidy(game, Stream(0))
    return chance.choice([action for action in actions if kind(action) == chosen])


def numbers(hand: int, legal: list[int], chance: Random) -> list[int]:
    """Numbers that a careless strategy might return: some legal, most of them not."""
    found = [chance.getrandbits(64) - (1 << 63), chance.choice(legal) ^ 1 << 62]
    for _ in range(3):
        cards = hand & chance.getrandbits(33)
        payloads = (
            *(0, chance.randrange(40), chance.getrandbits(c.KIND_SHIFT)),
            *(cards & chance.getrandbits(33), cards | 1 << chance.randrange(c.KIND_SHIFT)),
        )
        found += [chance.randint(-2, 10) << c.KIND_SHIFT | payload for payload in payloads]
        found.append(chance.choice(legal) ^ 1 << chance.randrange(44))
    return found


def settled(hand: list[str], game: Game) -> list[str]:
    """A hand without the cards that etiquette would not have left there."""
    kept: list[str] = []
    for card in hand:
        ranks = [one[0] for one in kept]
        rival = game.options.rivals and card[0] == "Q" and "Q" in ranks
        secretary = game.options.secretaries and card[0] == "J" and "J" in ranks
        partner = {"Q": "K", "K": "Q"}.get(card[0], "") + card[1:]
        if not (rival or secretary or (game.options.husbands and partner in kept)):
            kept.append(card)
    return kept


def late_position(game: Game, chance: Random) -> tuple[list[str], list[str], list[str]]:
    """Hand, pile and scored cards of a position in which something is about to happen."""
    suits = chance.sample(SUITS, 4)
    queens = [f"Q{suit}" for suit in suits]
    kings, jacks = ([rank + suit for suit in suits[:2]] for rank in "KJ")
    cards = pack(game.options.butler)
    cards = chance.sample(cards, len(cards))
    cards.sort(key=lambda card: card[0] in "2345" and chance.random() < 0.7)
    wanted, top, scored = cards[: chance.randint(0, 5)], [], chance.choice((0, 0, 1, 2))
    size = chance.choice((0, 1, 2, 3, 5, 8, 12))
    scene = chance.choice(("court", "trios", "new trios", "new trios", "lone lady", "butler"))
    if scene == "trios":
        wanted, top, size = [*queens[:2], *jacks], kings, size + 2
    elif scene == "new trios":
        wanted, top, size = [], chance.sample([*queens[:2], *jacks, *kings], 6), size + 6
    elif scene == "lone lady":
        wanted, scored = queens[:1], 3
    elif scene == "butler":
        wanted, top, size = ["X", *wanted[:2]], [f"A{suits[0]}"], 1
    taken = queens[4 - scored :]
    taken += [f"A{queen[1]}" for queen in taken if chance.random() < 0.5]
    free = [card for card in [*top, *cards] if card not in taken]
    hand = settled(
        [card for card in dict.fromkeys(wanted) if card in free and card[0] != "A"], game
    )
    pile = [card for card in dict.fromkeys(free) if card not in hand][:size]
    return hand, pile, taken


class Beside:
    """One game on two tables: the kernel's and the referee's."""

    def __init__(self, options: dict[str, Any], seed: int, seen: Counter[str]) -> None:
        """Deal on both tables."""
        self.kernel = Table(seed, 0, **options)
        self.referee = Game(options, stream_shuffler(seed, 0))
        self.seed, self.seen = seed, seen
        self.compare()

    def set_up(self, options: dict[str, Any], chance: Random) -> None:
        """Lay a late position instead of the deal."""
        game = self.referee
        hand, pile, scored = late_position(game, chance)
        placed = [*hand, *pile, *scored]
        rest = [card for card in pack(game.options.butler) if card not in placed]
        game.hand, game.pile = hand, pile
        game.display = [card for card in rest if card[0] == "A"]
        game.discards = [card for card in rest if card[0] != "A"]
        game.scored_queens = [card for card in scored if card[0] == "Q"]
        game.scored_aces = [card for card in scored if card[0] == "A"]
        game.reshuffles_left = chance.randint(0, min(2, game.options.reshuffles))
        game.over, game.pending, game.played_out = False, None, False
        game.decisions = game.butler_shuffles = 0
        game.events.clear()
        self.kernel = lay(
            " ".join(hand),
            pile=" ".join(pile),
            scored=" ".join(scored),
            reshuffles_left=game.reshuffles_left,
            seed=self.seed,
            **options,
        )
        self.compare()

    def compare(self) -> None:
        """All that lies on the two tables is the same."""
        kernel, referee = self.kernel, self.referee
        assert kernel.over == referee.over
        assert kernel.hand == card_order(referee.hand)
        assert kernel.queens == [card for card in referee.hand if card[0] == "Q"]
        assert kernel.pile == referee.pile
        assert kernel.unseen == card_order(referee.pile)
        assert kernel.discards == card_order(referee.discards)
        assert kernel.display == card_order(referee.display)
        assert kernel.scored == card_order(referee.scored_queens + referee.scored_aces)
        assert kernel.pending == referee.pending
        assert kernel.reshuffles_left == referee.reshuffles_left
        assert kernel.played_out == referee.played_out
        assert kernel.table["decisions"] == referee.decisions
        assert same_story(kernel.events) == same_story(referee.events)
        self.actions = referee.legal_actions()
        self.legal = [encoded(action) for action in self.actions]
        if not referee.over:
            assert kernel.view.tobytes() == kernel.table.tobytes()  # SP-17: all of it is public
            assert kernel.legal_actions() == self.legal

    def compare_numbers(self, chance: Random) -> None:
        """The kernel accepts a number exactly when it is one of the referee's actions."""
        for number in self.legal[:3] + numbers(word(self.referee.hand), self.legal, chance):
            assert self.kernel.is_legal(number) == (number in self.legal), number

    def play(self, action: Action) -> None:
        """Take the same action on both tables."""
        self.kernel.events.clear()
        self.referee.events.clear()
        was_played_out = self.referee.played_out
        self.kernel.apply(encoded(action))
        self.referee.apply(action)
        self.count(action, was_played_out)

    def count(self, action: Action, last: bool) -> None:
        """Note what kinds of event were met."""
        referee, seen = self.referee, self.seen
        if action.do == "husband":
            seen["queen and king" if action.cards[0][0] == "Q" else "king and jack"] += 1
            seen["second choice"] += referee.pending is not None
        else:
            seen[kind(action)] += 1
        for event in referee.events:
            if event["ev"] == "forced":
                seen[str(event["clause"])] += 1
        names = [event["ev"] for event in referee.events]
        seen["new pile in a draw"] += ("draw", "shuffle", "draw") in zip(
            names, names[1:], names[2:], strict=False
        )
        seen["three rivals"] += any(is_three_rivals(event) for event in referee.events)
        seen["fetched queen"] += action.take == "discard" and str(action.card)[0] == "Q"
        seen["second fetched ace"] += action.take == "ace" and referee.butler_shuffles == 2
        seen["emptied by the butler"] += action.take == "ace" and not referee.pile
        seen["seven in hand"] += len(referee.hand) == 7
        seen["last cards played"] += last and action.do in ("discard", "butler", "seduce")
        if referee.over:
            seen["won" if len(referee.scored_queens) == 4 else "lost"] += 1

    def compare_results(self) -> None:
        """The row of the games table is the referee's result."""
        row, referee = self.kernel.outcome(), self.referee
        assert row["queens"] == len(referee.scored_queens)
        assert row["aces"] == len(referee.scored_aces)
        assert row["reshuffles"] == referee.options.reshuffles - referee.reshuffles_left
        assert row["decisions"] == referee.decisions
        assert self.kernel.events[-1] == referee.result()


def is_three_rivals(event: Event) -> bool:
    """Whether two queens or more leave for another."""
    cards = event.get("cards")
    return event.get("clause") == "SP-11" and isinstance(cards, list) and len(cards) > 1


def play_beside(
    options: dict[str, Any], temper: str, seed: int, choices: int, late: bool, seen: Counter[str]
) -> None:
    """Play one game on both tables, from the deal or from a late position."""
    chance = Random(choices)
    both = Beside(options, seed, seen)
    if late:
        both.set_up(options, chance)
    while not both.referee.over:
        both.compare_numbers(chance)
        both.play(choose(both.referee, both.actions, temper, chance))
        both.compare()
    both.compare_results()
