"""A ladder of players of the Shooting Party, each with one idea more than the one before.

All but `greedy` follow one habit. When one can be alone with a wanted queen, do it. If not, keep
the part of the hand that is worth most, of all that conversation can leave over, and draw a pair.
What a part is worth is an account in points, and each player opens one more entry in it.
"""

from numba import njit

from sim.bits import EMPTY, U64, count_bits, has, without_lowest
from sim.rulesets.shooting_party.cards import (
    JACKS,
    JOKER,
    JOKER_SET,
    KING,
    QUEEN,
    QUEENS,
    dismiss,
    draw_pair,
    fetch_ace,
    king_and_jack,
    leave_room,
    seduce,
)
from strategies import Param, strategy
from strategies.shooting_party_hands import (
    NEVER,
    NOTHING,
    best_ace_to_fetch,
    can_clear,
    clear,
    fetch_partner,
    guests,
    her_ace,
    is_odd_one_out,
    live_queens,
    lone_queen,
    next_kept,
    waiting_queens,
)
from strategies.shooting_party_odds import (
    CERTAIN,
    odds_of_any,
    odds_of_clearing,
    odds_of_triple,
)
from strategies.shooting_party_sets import odd_parts

GAME = "shooting-party"
HOUSE = "this project's ladder"


def points(default, meaning):
    """A parameter in points."""
    return Param(default, -1000, 1000, meaning)


# --- greedy ---------------------------------------------------------------------------------------


@njit
def fewest_kept(hand):
    """The smallest part of the hand that is left when all that can go goes, the queens apart."""
    best = hand
    kept = hand
    while kept != EMPTY:
        kept = next_kept(hand, kept)
        gone = hand & ~kept
        if gone & QUEENS == EMPTY and count_bits(kept) < count_bits(best) and can_clear(gone):
            best = kept
    return best


@strategy(GAME, summary="clears all that can be cleared at once", source=HOUSE)
def greedy(view, ctx):
    """Talk out of the room whatever can go, and be surprised that a queen is never alone.

    Cards come in twos and go in twos: only luck with three of a rank leaves one card over.
    """
    if view.husband_suit >= 0:
        return king_and_jack()
    hand = view.hand
    if hand & QUEENS == hand and hand != EMPTY and without_lowest(hand) == EMPTY:
        return seduce()
    kept = fewest_kept(hand)
    if kept != hand:
        return clear(hand & ~kept)
    if count_bits(hand) <= view.draw_limit:
        return draw_pair()
    return dismiss() if has(hand, JOKER) else leave_room()


# --- the common habit -----------------------------------------------------------------------------


@njit
def finish(v, wanted):
    """The way to be alone with a wanted queen at once, without the butler, or NOTHING."""
    queen = lone_queen(v.hand, wanted)
    if queen == EMPTY:
        return NOTHING
    return seduce() if queen == v.hand else clear(v.hand & ~queen)


@njit
def finish_as_odd_card(v, wanted):
    """The way to be alone with a wanted queen by sending the butler off, or NOTHING."""
    hand = v.hand & ~JOKER_SET
    queen = lone_queen(hand, wanted) if hand != v.hand else EMPTY
    if queen == EMPTY:
        return NOTHING
    return dismiss() if queen == hand else clear(hand & ~queen)


@njit
def finish_with_butler(v):
    """The best use of the butler that leaves a queen whose ace is on the table alone, or NOTHING.

    He is the odd card and brings some ace on his way out; or brings the ace of the queen who is
    alone with him; or fetches the partner of an odd card, or a queen who was lost.
    """
    hand = v.hand & ~JOKER_SET
    if hand == v.hand:
        return NOTHING
    live = live_queens(v)
    queen = lone_queen(hand, live)
    if queen != EMPTY:
        if queen != hand:
            return clear(hand & ~queen)
        suit = best_ace_to_fetch(v)
        return fetch_ace(suit) if suit >= 0 else dismiss()
    queen = lone_queen(hand, waiting_queens(v))
    if queen != EMPTY:
        return her_ace(queen) if queen == hand else clear(hand & ~queen)
    return fetch_partner(v, live)


def make_keep_and_draw(worth):
    """The second half of the habit, for an account `worth(view, kept, ctx) -> points`."""

    @njit
    def keep_and_draw(v, ctx):
        hand = v.hand
        best, most = EMPTY, NEVER
        kept = hand
        while True:
            if count_bits(kept) <= v.draw_limit and can_clear(hand & ~kept):
                points = worth(v, kept, ctx)
                if points > most:
                    best, most = kept, points
            if kept == EMPTY:
                break
            kept = next_kept(hand, kept)
        if most == NEVER:
            return leave_room()
        return draw_pair() if best == hand else clear(hand & ~best)

    return keep_and_draw


# --- patient --------------------------------------------------------------------------------------

PATIENT = {
    "odd": points(10, "cost of each card that the kept cards could not clear"),
    "room": points(9, "worth of each card kept: more cards, more acquaintances"),
    "lady": points(100, "worth of a queen kept"),
    "page": points(100, "worth of the butler kept"),
    "nobody": points(-60, "worth of keeping nothing at all"),
}


@njit
def worth_to_patient(v, kept, ctx):
    """A queen, the butler, and cards that know each other."""
    if kept == EMPTY:
        return ctx.nobody
    total = ctx.room * count_bits(kept) - ctx.odd * odd_parts(guests(kept))
    if kept & QUEENS != EMPTY:
        total += ctx.lady
    if kept & JOKER_SET != EMPTY:
        total += ctx.page
    return total


patient_keep = make_keep_and_draw(worth_to_patient)


@strategy(GAME, summary="holds the hand until all but the queen can go", source=HOUSE, **PATIENT)
def patient(view, ctx):
    """Hold the hand until everything but a queen can be cleared, then clear it in one go.

    The more cards are held, the more are acquainted; the butler goes last, as the odd card.
    """
    if view.husband_suit >= 0:
        return king_and_jack()
    action = finish(view, QUEENS)
    if action == NOTHING:
        action = finish_as_odd_card(view, QUEENS)
    return patient_keep(view, ctx) if action == NOTHING else action


# --- jeweller -------------------------------------------------------------------------------------


@strategy(GAME, summary="patient, and waits for the queen's ace", source=HOUSE, **PATIENT)
def jeweller(view, ctx):
    """Never be alone with a queen before her ace lies on the table."""
    if view.husband_suit >= 0:
        return king_and_jack()
    action = finish(view, live_queens(view))
    if action == NOTHING:
        action = finish_as_odd_card(view, live_queens(view))
    return patient_keep(view, ctx) if action == NOTHING else action


# --- discreet -------------------------------------------------------------------------------------

DISCREET = PATIENT | {
    "jack": points(100, "cost of a jack kept, if the pile has another for certain in the next pair")
}


@njit
def worth_to_discreet(v, kept, ctx):
    """As to the patient; two jacks would end the conversation."""
    total = worth_to_patient(v, kept, ctx)
    if v.secretaries and kept & JACKS != EMPTY:
        total -= ctx.jack * odds_of_any(v, JACKS) // CERTAIN
    return total


discreet_keep = make_keep_and_draw(worth_to_discreet)


@strategy(GAME, summary="jeweller, and gets rid of jacks", source=HOUSE, **DISCREET)
def discreet(view, ctx):
    """A jack in the hand is a scandal in waiting: a second one costs the whole hand."""
    if view.husband_suit >= 0:
        return king_and_jack()
    action = finish(view, live_queens(view))
    if action == NOTHING:
        action = finish_as_odd_card(view, live_queens(view))
    return discreet_keep(view, ctx) if action == NOTHING else action


# --- odd-one-out ----------------------------------------------------------------------------------

ODD_ONE_OUT = DISCREET | {
    "parity": points(50, "worth of a hand of the right parity"),
    "triple": points(50, "in the wrong parity, worth of a third of a rank for certain"),
}


@njit
def worth_to_odd_one_out(v, kept, ctx):
    """As to the discreet; a hand of odd size can come down to the queen alone."""
    total = worth_to_discreet(v, kept, ctx)
    if is_odd_one_out(kept):
        return total + ctx.parity
    return total + ctx.triple * odds_of_triple(v, guests(kept)) // CERTAIN


odd_one_out_keep = make_keep_and_draw(worth_to_odd_one_out)


@strategy(GAME, summary="discreet, and minds odd and even", source=HOUSE, **ODD_ONE_OUT)
def odd_one_out(view, ctx):
    """Cards come and go in twos: save two of a rank for a third, and keep the hand odd after."""
    if view.husband_suit >= 0:
        return king_and_jack()
    action = finish(view, live_queens(view))
    if action == NOTHING:
        action = finish_as_odd_card(view, live_queens(view))
    return odd_one_out_keep(view, ctx) if action == NOTHING else action


# --- butler ---------------------------------------------------------------------------------------


@strategy(GAME, summary="odd-one-out, and plans the butler", source=HOUSE, **ODD_ONE_OUT)
def butler(view, ctx):
    """Keep the butler until he makes one alone with a bejewelled queen.

    See `finish_with_butler` for his four services.
    """
    if view.husband_suit >= 0:
        return king_and_jack()
    action = finish(view, live_queens(view))
    if action == NOTHING:
        action = finish_with_butler(view)
    return odd_one_out_keep(view, ctx) if action == NOTHING else action


# --- hostess --------------------------------------------------------------------------------------

HOSTESS = ODD_ONE_OUT | {
    "jewel": points(70, "worth of a kept queen's ace on the table"),
    "king": points(20, "cost of a king kept whose queen is to come"),
    "scandal": points(0, "more cost of a jack kept beside the butler, as `jack`"),
}


@njit
def worth_to_hostess(v, kept, ctx):
    """As to odd-one-out; a queen with her ace is worth more, and husbands are in the way."""
    total = worth_to_odd_one_out(v, kept, ctx)
    if kept & live_queens(v) != EMPTY:
        total += ctx.jewel
    if v.husbands:
        total -= ctx.king * count_bits((kept >> U64(KING - QUEEN)) & v.pile & QUEENS)
    if v.secretaries and kept & JACKS != EMPTY and kept & JOKER_SET != EMPTY:
        total -= ctx.scandal * odds_of_any(v, JACKS) // CERTAIN
    return total


hostess_keep = make_keep_and_draw(worth_to_hostess)


@strategy(GAME, summary="butler, and keeps husbands from their wives", source=HOUSE, **HOSTESS)
def hostess(view, ctx):
    """Keep the queen whose ace is there, and no king whose queen is still to come."""
    if view.husband_suit >= 0:
        return king_and_jack()
    action = finish(view, live_queens(view))
    if action == NOTHING:
        action = finish_with_butler(view)
    return hostess_keep(view, ctx) if action == NOTHING else action


# --- gambler --------------------------------------------------------------------------------------

GAMBLER = HOSTESS | {
    "odds": points(471, "worth of being alone after the next pair for certain"),
    "hopes": points(166, "the same for queens whose ace is still to come"),
    "room": points(15, "worth of each card kept: more cards, more acquaintances"),
    "lady": points(42, "worth of a queen kept"),
    "jewel": points(100, "worth of a kept queen's ace on the table"),
    "king": points(21, "cost of a king kept whose queen is to come"),
    "parity": points(46, "worth of a hand of the right parity"),
    "page": points(188, "worth of the butler kept"),
    "nobody": points(-18, "worth of keeping nothing at all"),
    "jack": points(
        400, "cost of a jack kept, if the pile has another for certain in the next pair"
    ),
    "scandal": points(-165, "more cost of a jack kept beside the butler, as `jack`"),
    "triple": points(40, "in the wrong parity, worth of a third of a rank for certain"),
}


@njit
def worth_to_gambler(v, kept, ctx):
    """As to the hostess; and the exact odds of the next pair."""
    total = worth_to_hostess(v, kept, ctx)
    total += ctx.odds * odds_of_clearing(v, kept, live_queens(v)) // CERTAIN
    return total + ctx.hopes * odds_of_clearing(v, kept, waiting_queens(v)) // CERTAIN


gambler_keep = make_keep_and_draw(worth_to_gambler)


@strategy(GAME, summary="hostess, and counts the pile", source=HOUSE, **GAMBLER)
def gambler(view, ctx):
    """What the pile holds is known: count the pairs that would do, and keep what most of them do.

    All pairs of the pile are tried on each part of the hand that could be kept.
    """
    if view.husband_suit >= 0:
        return king_and_jack()
    action = finish(view, live_queens(view))
    if action == NOTHING:
        action = finish_with_butler(view)
    return gambler_keep(view, ctx) if action == NOTHING else action
