"""A slow, readable referee of The Shooting Party, written clause by clause from the rules.

It exists to check the fast kernels, so it favours lists of card strings over speed and shares
no line with them. The comment at the end of a line names the clause that it implements.
"""

from collections.abc import Callable, Mapping

from .shooting_party_cards import (
    JOKER,
    SUITS,
    Action,
    card_order,
    check_options,
    is_conversation,
    pack,
    rank_sets,
    suit_pairs,
    title,
)

Event = dict[str, object]
Shuffler = Callable[[list[str], str, int], list[str]]
"""(cards in canonical order, 'deal' | 'reshuffle' | 'butler', number) -> the pile, top first."""


class Game:
    """One game: the table, what the player may do, and everything that happened so far."""

    def __init__(self, options: Mapping[str, object], shuffler: Shuffler) -> None:
        """Shuffle, draw the first hand and resolve its etiquette."""
        self.options = check_options(options)
        self.shuffler = shuffler
        self.hand: list[str] = []
        self.pile: list[str] = []
        self.discards: list[str] = []
        self.display: list[str] = []
        self.scored_queens: list[str] = []
        self.scored_aces: list[str] = []
        self.reshuffles_left = self.options.reshuffles  # SP-6
        self.butler_shuffles = 0
        self.played_out = False  # the last exhaustion has come, the last cards are being played
        self.over = False
        self.pending: str | None = None
        self.decisions = 0
        self.events: list[Event] = []
        self._shuffle(pack(self.options.butler), "deal", 0)  # SP-1
        self._new_hand()  # SP-2

    def clone(self) -> "Game":
        """Return a copy that can be played on by itself (it asks the same shuffler)."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        for name, value in self.__dict__.items():
            if isinstance(value, list):
                setattr(twin, name, value.copy())
        return twin

    def result(self) -> Event:
        """Return the result event of the score as it stands."""
        return {
            "ev": "result",
            "queens": [s for s in SUITS if "Q" + s in self.scored_queens],
            "aces": [s for s in SUITS if "A" + s in self.scored_aces],
            "title": title(len(self.scored_queens), len(self.scored_aces)),
        }

    def unseen(self) -> list[str]:
        """Return what the draw pile holds, as the player knows it: by elimination."""
        seen = self.hand + self.discards + self.display  # SP-17
        seen += self.scored_queens + self.scored_aces  # SP-17
        return [card for card in pack(self.options.butler) if card not in seen]  # SP-17

    # --- what the player may do ---------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """Return everything the player may do now, in canonical order."""
        if self.over:
            return []
        if self.pending:
            return self._husband_choices(self.pending)  # SP-10
        actions: list[Action] = []
        if len(self.hand) <= self.options.draw_limit:
            actions.append(Action("pair"))  # SP-4
        actions.append(Action("leave", tuple(card_order(self.hand))))  # SP-8
        actions += [Action("discard", cards) for cards in suit_pairs(self.hand)]  # SP-9
        actions += [Action("discard", cards) for cards in rank_sets(self.hand)]  # SP-9
        if JOKER in self.hand:
            actions += self._butler_services()  # SP-14
        if self._alone_with_a_queen():
            actions.append(Action("seduce", tuple(self.hand)))  # SP-15
        return actions

    def apply(self, action: Action) -> None:
        """Do what the player chose and all that follows from it; ValueError if it is illegal."""
        problem = self.refusal(action)
        if problem is not None:
            raise ValueError(problem)
        self.decisions += 1
        self._record(action.event())
        steps = {
            "pair": self._draw_pair,
            "leave": self._new_hand,
            "discard": self._discard,
            "butler": self._ring_for_butler,
            "seduce": self._seduce,
            "husband": self._settle_husband,
        }
        steps[action.do](action)

    @staticmethod
    def _husband_choices(suit: str) -> list[Action]:
        queen_and_king = Action("husband", ("Q" + suit, "K" + suit))  # SP-10
        king_and_jack = Action("husband", ("J" + suit, "K" + suit))  # SP-10
        return [queen_and_king, king_and_jack]

    def _butler_services(self) -> list[Action]:
        spend = (JOKER,)
        others = card_order(c for c in self.discards if c != JOKER)
        aces = [card for card in self.unseen() if card[0] == "A"]  # SP-17
        return [
            *(Action("butler", spend, "discard", card) for card in others),  # SP-14(a)
            *(Action("butler", spend, "ace", ace) for ace in aces),  # SP-14(b)
            Action("butler", spend, "nothing"),  # SP-14(c)
        ]

    def _alone_with_a_queen(self) -> bool:
        return len(self.hand) == 1 and self.hand[0][0] == "Q"  # SP-15

    # --- why something is not allowed ---------------------------------------------------------

    def refusal(self, action: Action) -> str | None:
        """Return the sentence that says why an action is illegal now, or None if it is legal."""
        checks = {
            "pair": self._refuse_pair,
            "leave": self._refuse_leave,
            "discard": self._refuse_discard,
            "butler": self._refuse_butler,
            "seduce": self._refuse_seduce,
            "husband": self._refuse_husband,
        }
        if self.over:
            return "SP-16: the game is over, nothing more can be done."
        if action.do not in checks:
            return f"SP-4 to SP-15: there is no action {action.do!r}, only {', '.join(checks)}."
        if self.pending and action.do != "husband":
            return f"SP-10: the husband in suit {self.pending} must be settled first."
        if action.do != "butler" and (action.take, action.card) != (None, None):
            return f"SP-14: only the butler takes a card, not {action.do!r}."
        return checks[action.do](action)

    def _refuse_pair(self, action: Action) -> str | None:
        if action.cards:
            return f"SP-4: a pair is drawn unseen, it cannot name {' '.join(action.cards)}."
        limit = self.options.draw_limit
        if len(self.hand) > limit:
            return f"SP-4: a pair needs a hand of at most {limit} cards, not {len(self.hand)}."
        return None

    def _refuse_leave(self, action: Action) -> str | None:
        if sorted(action.cards) != sorted(self.hand):
            return f"SP-8: who leaves discards the whole hand, not {' '.join(action.cards)!r}."
        return None

    def _refuse_discard(self, action: Action) -> str | None:
        cards = action.cards
        if len(set(cards)) != len(cards) or not set(cards) <= set(self.hand):
            return f"SP-9: {' '.join(cards)!r} are not distinct cards of the hand."
        if not is_conversation(cards):
            return f"SP-9: {' '.join(cards)!r} is neither two of a suit nor a set of one rank."
        return None

    def _refuse_butler(self, action: Action) -> str | None:
        if action.cards != (JOKER,) or JOKER not in self.hand:
            return "SP-14: the butler is called by discarding the joker of the hand, alone."
        taken = (action.take, action.card)
        if action.take not in ("discard", "ace", "nothing"):
            return f"SP-14: the butler takes 'discard', 'ace' or 'nothing', not {action.take!r}."
        if taken not in [(one.take, one.card) for one in self._butler_services()]:
            return f"SP-14: the butler cannot take {action.card!r} as {action.take!r} now."
        return None

    def _refuse_seduce(self, action: Action) -> str | None:
        if not self._alone_with_a_queen():
            return "SP-15: only a hand of one card, a queen, allows a seduction."
        if action.cards != tuple(self.hand):
            return f"SP-15: the lady in the hand is {self.hand[0]}, not {' '.join(action.cards)!r}."
        return None

    def _refuse_husband(self, action: Action) -> str | None:
        if not self.pending:
            return "SP-10: there is no choice between queen and king, or king and jack."
        choices = self._husband_choices(self.pending)
        if sorted(action.cards) not in [sorted(choice.cards) for choice in choices]:
            return f"SP-10: discard queen and king, or king and jack, of suit {self.pending}."
        return None

    # --- what the actions do ------------------------------------------------------------------

    def _draw_pair(self, _: Action) -> None:
        self._draw(2)  # SP-4: both cards first,
        self._etiquette()  # then the etiquette

    def _new_hand(self, _: Action | None = None) -> None:
        self._throw(list(self.hand))  # SP-8, SP-12: queens and joker too
        self._draw(self.options.hand)  # SP-2
        self._etiquette()

    def _discard(self, action: Action) -> None:
        self._throw(action.cards)  # SP-9

    def _ring_for_butler(self, action: Action) -> None:
        self._throw([JOKER])  # SP-14
        if action.take == "discard" and action.card:
            self.discards.remove(action.card)  # SP-14(a)
            self.hand.append(action.card)  # SP-11: the newest card of the hand
            self._etiquette()
        elif action.take == "ace" and action.card:
            self.pile.remove(action.card)
            self.display.append(action.card)  # SP-14(b): no draw, so no exhaustion either (SP-5)
            self._shuffle(self.pile, "butler", self.butler_shuffles)
            self.butler_shuffles += 1

    def _seduce(self, _: Action) -> None:
        queen = self.hand.pop()
        self.scored_queens.append(queen)  # SP-15
        ace = "A" + queen[1]
        if ace in self.display:
            self.display.remove(ace)
            self.scored_aces.append(ace)  # SP-15: always, when it is displayed
        if len(self.scored_queens) == 4:
            self._end()  # SP-16: no further hand
        else:
            self._new_hand()  # SP-15

    def _settle_husband(self, action: Action) -> None:
        self.pending = None
        self._throw(action.cards)  # SP-10
        self._etiquette()

    # --- drawing, exhaustion, the end ---------------------------------------------------------

    def _draw(self, wanted: int) -> None:
        """Draw cards into the hand until it has grown by `wanted`, or as far as the pile goes."""
        if self.played_out:
            self._end()  # SP-6, played: the last cards are played until a card must be drawn
        goal = len(self.hand) + wanted
        while len(self.hand) < goal and self._find_a_card():
            self._take_the_top()

    def _find_a_card(self) -> bool:
        """See to it that a card can be drawn; False if the draw ends here."""
        if not self.pile and not self.over and not self.played_out:
            self._exhausted()  # SP-5, on-need; and at-once after the butler emptied the pile
        return bool(self.pile) and not self.over

    def _take_the_top(self) -> None:
        card = self.pile.pop(0)
        self._record({"ev": "draw", "card": card})
        if card[0] == "A":
            self.display.append(card)  # SP-3: the hand has not grown, so another is drawn
        else:
            self.hand.append(card)
        if self.options.exhaustion == "at-once" and not self.pile:
            self._exhausted()  # SP-5, at-once

    def _exhausted(self) -> None:
        """Reshuffle if that is still allowed; if not, the game or its last draw is over."""
        returning = self.discards + self.display  # SP-5, SP-7: scored cards never return
        if self.reshuffles_left and returning:  # SP-6
            self.reshuffles_left -= 1
            self.discards, self.display = [], []  # SP-7
            self._shuffle(returning, "reshuffle", self.options.reshuffles - self.reshuffles_left)
        elif self.options.last_draw == "lost":
            self._end()  # SP-6, lost
        else:
            self.played_out = True  # SP-6, played

    def _shuffle(self, cards: list[str], kind: str, number: int) -> None:
        self.pile = list(self.shuffler(card_order(cards), kind, number))
        self._record({"ev": "shuffle", "pile": list(self.pile)})

    def _end(self) -> None:
        self.over = True
        self._record(self.result())

    # --- etiquette ----------------------------------------------------------------------------

    def _etiquette(self) -> None:
        """Resolve what is forced, in the order of precedence, until nothing is (or a choice is)."""
        while not self.over:  # SP-6, lost: the cards of an unfinished draw resolve nothing
            if self._husbands_interrupt():
                return
            self._rivals_depart()
            if not self._secretaries_pry():
                return

    def _husbands_interrupt(self) -> bool:
        """Send couples out, suit by suit; True if the player has to choose first."""
        if not self.options.husbands:
            return False
        for suit in SUITS:  # SP-10: in the order C D H S
            jack, queen, king = "J" + suit, "Q" + suit, "K" + suit
            if queen in self.hand and king in self.hand:
                if jack in self.hand:
                    self.pending = suit  # SP-10: the player's choice
                    return True
                self._force("SP-10", [queen, king])  # SP-10
        return False

    def _rivals_depart(self) -> None:
        queens = [card for card in self.hand if card[0] == "Q"]  # in order of arrival
        if self.options.rivals and len(queens) > 1:
            self._force("SP-11", queens[:-1])  # SP-11: the newest queen stays

    def _secretaries_pry(self) -> bool:
        """Empty a hand with two jacks and draw another; True if that happened."""
        jacks = [card for card in self.hand if card[0] == "J"]
        if not self.options.secretaries or len(jacks) < 2:
            return False
        self._force("SP-12", list(self.hand))  # SP-12
        self._draw(self.options.hand)  # SP-12: a new hand, then etiquette again
        return True

    # --- small steps --------------------------------------------------------------------------

    def _force(self, clause: str, cards: list[str]) -> None:
        self._record({"ev": "forced", "clause": clause, "cards": cards})
        self._throw(cards)

    def _throw(self, cards: tuple[str, ...] | list[str]) -> None:
        for card in cards:
            self.hand.remove(card)
            self.discards.append(card)

    def _record(self, event: Event) -> None:
        self.events.append(event)
