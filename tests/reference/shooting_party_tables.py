"""Hand-built tables of The Shooting Party for tests: scripted piles and set positions."""

from hypothesis import strategies as st

from .shooting_party import Event, Game
from .shooting_party_cards import ALLOWED, Action, card_order, pack

CALM = "2C 3D 4H 5S"
"""A hand of four that no etiquette touches."""


class Script:
    """A shuffler that lays chosen cards on top, the rest below in canonical order."""

    def __init__(self, deal: str = CALM, **later: str) -> None:
        """Take the top cards of the deal and of later shuffles, as `reshuffle_1` or `butler_0`."""
        self.tops = {"deal_0": deal, **later}
        self.asked: list[tuple[list[str], str, int]] = []

    def __call__(self, cards: list[str], kind: str, number: int) -> list[str]:
        """Return the pile, top first."""
        self.asked.append((list(cards), kind, number))
        top = self.tops.get(f"{kind}_{number}", "").split()
        assert set(top) <= set(cards), f"{top} are not all among {cards}"
        return top + [card for card in cards if card not in top]


def dealt(deal: str, script: Script | None = None, **options: object) -> Game:
    """Return a game whose first pile has these cards on top."""
    return Game(options, script or Script(deal))


def table(
    hand: str,
    *,
    pile: str = "",
    display: str = "",
    scored: str = "",
    reshuffles_left: int = 2,
    script: Script | None = None,
    **options: object,
) -> Game:
    """Return a game set to a position; what is not named lies in the discard pile."""
    game = Game(options, script or Script())
    game.hand, game.pile, game.display = hand.split(), pile.split(), display.split()
    game.scored_queens = [card for card in scored.split() if card[0] == "Q"]
    game.scored_aces = [card for card in scored.split() if card[0] == "A"]
    placed = game.hand + game.pile + game.display + scored.split()
    game.discards = [card for card in pack(game.options.butler) if card not in placed]
    game.reshuffles_left = reshuffles_left
    game.events = []
    return game


def act(game: Game, do: str, cards: str = "", take: str | None = None, card: str = "") -> None:
    """Do something, with cards written as one text; who leaves need not name the hand."""
    named = game.hand if do == "leave" else cards.split()
    named = ["X"] if do == "butler" else named
    game.apply(Action(do, tuple(card_order(named)), take, card or None))


def deeds(game: Game) -> set[str]:
    """Return the kinds of action that are legal now."""
    return {action.do for action in game.legal_actions()}


def sets(game: Game) -> list[str]:
    """Return the legal discards by conversation, in canonical order, each as one text."""
    return [" ".join(a.cards) for a in game.legal_actions() if a.do == "discard"]


def story(game: Game) -> list[str]:
    """Return the events in short: `draw 2C`, `SP-10 QC KC`, `shuffle`, `act pair`, `result`."""
    return [_short(event) for event in game.events]


def _short(event: Event) -> str:
    cards = event.get("cards")
    listed = " ".join(cards) if isinstance(cards, list) else ""
    words = {
        "draw": f"draw {event.get('card')}",
        "forced": f"{event.get('clause')} {listed}",
        "act": f"act {event.get('do')}",
    }
    return words.get(str(event["ev"]), str(event["ev"]))


def option_dicts() -> st.SearchStrategy[dict[str, object]]:
    """Return a strategy for random options, each of them present."""
    return st.fixed_dictionaries(
        {name: st.sampled_from(allowed) for name, allowed in ALLOWED.items()}
    )
