"""Hand-built tables of President for tests: scripted chance, set positions, random options."""

from collections.abc import Sequence

from hypothesis import strategies as st

from .president import Event, Game, Trick
from .president_cards import ALLOWED, PASS, SEATS, Gift, Options, Play, Table, pack


class Script:
    """Chance that deals the hands it is told, lets the seats lead that it is told, and so on."""

    def __init__(
        self,
        *hands: Sequence[str],
        leaders: Sequence[int] = (),
        gifts: Sequence[str] = (),
    ) -> None:
        """Take hands for the first rounds, leaders and gifts in the order in which they come."""
        self.hands, self.leaders, self.gifts = list(hands), list(leaders), list(gifts)
        self.asked: list[tuple[str, int]] = []

    def shuffle(self, number: int, cards: list[str]) -> list[str]:
        """Return a deck that gives these hands, as far as they are told."""
        self.asked.append(("shuffle", number))
        hands = [hand.split() for hand in self.hands.pop(0)] if self.hands else [[]] * 4
        rest = list(cards)
        for card in (card for hand in hands for card in hand):
            rest.remove(card)
        left = [list(hand) for hand in hands]
        places = [(number - 1 + place) % 4 for place in range(len(cards))]
        return [left[seat].pop() if left[seat] else rest.pop() for seat in places]

    def leader(self, number: int) -> int:
        """Return the next leader."""
        self.asked.append(("leader", number))
        return self.leaders.pop(0)

    def gift(self, number: int, rank: int, hand: list[str], size: int) -> list[str]:
        """Return the next gift."""
        self.asked.append((f"gift of rank {rank}", number))
        return self.gifts.pop(0).split()


def position(
    hands: Sequence[str],
    *,
    seat: int = 0,
    trick: str = "",
    player: int = 3,
    leader: int | None = None,
    **options: object,
) -> Game:
    """Return a game set to a position; `trick` is the set to beat, as `6 6 X`, laid by `player`."""
    game = Game({"rounds": 1, **options}, Script())
    game.hands = [game.table.sorted(hand.split()) for hand in hands]
    game.finish = [0] * 4
    out = [place for place in SEATS if not game.hands[place]]
    for rank, place in enumerate(out, 1):
        game.finish[place] = rank
    game.trick = Trick(seat if leader is None else leader)
    if trick:
        cards = trick.split()
        rank = min(cards, key=game.table.place)
        game.trick = Trick(player if leader is None else leader, rank, len(cards), player)
    game.seat, game.passed, game.events = seat, set(), []
    return game


def played(game: Game, cards: str) -> Play:
    """Return the play of these cards: of the rank of the lowest natural card, or of the lowest."""
    listed = game.table.sorted(cards.split())
    if not listed:
        return PASS
    rank = listed[0]
    return Play(rank, listed.count(rank), len(listed) - listed.count(rank))


def act(game: Game, cards: str) -> None:
    """Play or give these cards; without cards, pass."""
    if game.gift_size:
        game.apply(Gift(tuple(game.table.sorted(cards.split()))))
    else:
        game.apply(played(game, cards))


def sets(game: Game) -> list[str]:
    """Return the legal plays in their order, each as the cards that are laid."""
    hand = game.hands[game.seat]
    return [
        "pass" if play == PASS else " ".join(game.table.cards(play, hand))
        for play in game.legal_plays()
    ]


def story(events: Sequence[Event]) -> list[str]:
    """Return events in short: `1: 6 6 X`, `2 passes`, `1 takes`, `1 is out: 2`, `3 gives 0: A`."""
    return [_short(event) for event in events]


def _short(event: Event) -> str:
    cards = event.get("cards")
    listed = " ".join(cards) if isinstance(cards, list) else ""
    words = {
        "deal": f"deal {event.get('round')}",
        "gift": f"{event.get('from')} gives {event.get('to')}: {listed}",
        "lead": f"{event.get('seat')} leads",
        "play": f"{event.get('seat')}: {listed}",
        "pass": f"{event.get('seat')} passes",
        "trick": f"{event.get('winner')} takes",
        "out": f"{event.get('seat')} is out: {event.get('rank')}",
        "round": f"round {event.get('finish')}",
    }
    return words.get(str(event["ev"]), str(event["ev"]))


def option_dicts(most_rounds: int = 4) -> st.SearchStrategy[dict[str, object]]:
    """Return a strategy for random options, each of them present."""
    numbers = st.integers(0, 6)
    sizes = st.one_of(
        st.just("2/1"), st.just("none"), st.builds(lambda a, b: f"{a}/{b}", numbers, numbers)
    )
    return st.fixed_dictionaries(
        {
            **{name: st.sampled_from(ALLOWED[name]) for name in ALLOWED if name != "rounds"},
            "rounds": st.integers(1, most_rounds),
            "exchange": sizes,
            "points": st.sampled_from(["3,2,1,0", "2,1,-1,-2", "0,0,7,1000"]),
        }
    ).map(_consistent)


def _consistent(options: dict[str, object]) -> dict[str, object]:
    """Return options without a joker that beats all where there is no joker."""
    may = bool(options["joker_beats_all"]) and options["jokers"] != 0
    return {**options, "joker_beats_all": may}


def all_cards(options: Options) -> list[str]:
    """Return the pack from low to high."""
    return Table(options).sorted(pack(options))
