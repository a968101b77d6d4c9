"""The plans of the learned player of the Shooting Party: all ways to the next draw.

Between two draws nothing is left to chance, so the player looks through all that can be done until
the next draw and compares only the positions in which cards are drawn. A plan is

    the butler (kept, sent off, sent for an ace or for a discard), the cards to talk out of the
    room, and the end: a pair, a new hand, or the seduction of a lone queen.

Left out, since nothing was lost by it: discards before leaving the room (the cards end in the same
place), and after a fetched card, plans that neither discard that card nor end at once.

`make_search` makes the search from an evaluation, so that training (real numbers) and play (whole
numbers) run the same lines.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, bit, copy_record, count_bits, has, lowest_bit, without_lowest
from sim.rulesets.shooting_party.cards import (
    ACE,
    ACES,
    JACK,
    JACKS,
    JOKER,
    JOKER_SET,
    KING,
    LEAVE,
    ONE_RANK,
    PAIR,
    QUEEN,
    QUEENS,
    SEDUCE,
    discard,
    dismiss,
    draw_pair,
    fetch,
    fetch_ace,
    leave_room,
    seduce,
)
from sim.rulesets.shooting_party.legal import is_set
from strategies.shooting_party_features import HAND_COMES, PAIR_COMES, SLOTS
from strategies.shooting_party_sets import clears, next_discard

#: What becomes of the butler in a plan: a fetched card or ace is its number.
KEEP, SEND_OFF = -1, JOKER
#: What a player may have to do without (bits of `work.without`), to measure what it is worth.
NO_FETCH, NO_ACE, NO_QUEEN_TALK, NO_EARLY_LEAVE = 1, 2, 4, 8
#: A hand from this size on can draw no pair with the default options.
FULL_HAND = 6


#: A plan that was noted down with its value.
MOST_NOTES = 8
plan_dtype = np.dtype(
    [
        ("butler", np.int64),
        ("hand", np.uint64),
        ("cards", np.uint64),
        ("end", np.int64),
        ("value", np.float64),  # the whole numbers of play are exact in it
        ("rows", np.int32, (SLOTS,)),  # of the position in which cards are drawn
    ],
    align=True,
)


def work_dtype(first, second):
    """The record a search works in: the best plan, and scratch space for two hidden layers."""
    return np.dtype(
        [
            ("butler", np.int64),
            ("hand", np.uint64),  # after the butler
            ("cards", np.uint64),  # of the hand, to be discarded
            ("end", np.int64),  # PAIR, LEAVE or SEDUCE
            ("certain", np.int64),  # 1: the game is won for certain, -1: lost, 0: see the value
            ("without", np.int64),
            ("wide", np.int64),  # how many of the best plans to note down, 0 for the best alone
            ("noted", np.int64),
            ("notes", plan_dtype, (MOST_NOTES,)),
            ("greedy", np.float64),  # used in training
            ("noise", np.float64),
            ("state", np.uint64),  # a random stream, used in training
            ("weight", np.int64, (4,)),
            ("rows", np.int32, (SLOTS,)),
            ("best_rows", np.int32, (SLOTS,)),
            ("sums", np.int16, (first,)),
            ("active", np.int16, (first,)),
            ("real_sums", np.float32, (first,)),
            ("real_active", np.float32, (first,)),
            ("real_back", np.float32, (first,)),
            ("real_second", np.float32, (second,)),
        ],
        align=True,
    )


@njit
def hopeless(hand, discards, pile, display, scored, reshuffles_left, needed):
    """Whether the four aces are out of reach for certain when `needed` cards are to be drawn now.

    An ace is lost with its queen when she is scored without it. In the last pass, cards of the
    discard pile come back only by the butler, and the pile has to last for the draw.
    """
    queens = (scored >> U64(QUEEN)) & ONE_RANK
    if queens & ~(scored >> U64(ACE)) != EMPTY:
        return True
    if reshuffles_left > 0:
        return False
    if count_bits(pile & ~ACES) < needed:
        return True
    lost = count_bits(discards & QUEENS)
    return lost > 1 or (lost == 1 and not has(hand | pile, JOKER))


@njit
def note(work, butler, hand, cards, end, value):
    """Note a plan down among the `wide` best, the best first, of equals the earlier one."""
    place = work.noted
    if place == work.wide:
        place -= 1
        if value <= work.notes[place].value:
            return
    else:
        work.noted += 1
    while place > 0 and work.notes[place - 1].value < value:
        copy_record(work.notes[place - 1], work.notes[place])
        place -= 1
    plan = work.notes[place]
    plan.butler = butler
    plan.hand = hand
    plan.cards = cards
    plan.end = end
    plan.value = np.float64(value)
    plan.rows[:] = work.rows


def make_search(evaluate):
    """The search for the best plan under `evaluate(net, work, position…, coming) -> value`."""

    @njit
    def offer(net, work, best, butler, hand, cards, end, discards, pile, display, v):
        """Compare the plan that discards `cards` of `hand` and then draws, with the best so far.

        `best` is the value of the best plan so far; returns the better value.
        """
        rest = hand & ~cards
        discards |= cards
        scored = v.scored
        coming = HAND_COMES
        needed = np.int64(v.hand_size)
        if end == PAIR:
            coming = PAIR_COMES
            needed = 2
        elif end == LEAVE:
            discards |= rest
            rest = EMPTY
        else:
            jewel = display & (rest << U64(ACE - QUEEN))
            scored |= rest | jewel
            display &= ~jewel
            rest = EMPTY
        certain = 0
        if hopeless(rest, discards, pile, display, scored, v.reshuffles_left, needed):
            won = scored & QUEENS == QUEENS and scored & ACES == ACES
            certain = 1 if won else -1
        elif scored & QUEENS == QUEENS:
            certain = 1
        if certain < 0 or work.certain > 0:
            return best
        value = best
        if certain == 0:
            value = evaluate(net, work, rest, pile, display, scored, v.reshuffles_left, coming)
            if work.wide > 0:
                note(work, butler, hand, cards, end, value)
            if work.certain == 0 and value <= best:
                return best
            work.best_rows[:] = work.rows
        work.butler = butler
        work.hand = hand
        work.cards = cards
        work.end = end
        work.certain = certain
        return value

    @njit
    def discards_and_draw(net, work, best, butler, hand, fetched, discards, pile, display, v):
        """Offer every way to discard and draw; after a fetched card only those that use it."""
        talkers = hand & ~JOKER_SET
        if work.without & NO_QUEEN_TALK:
            talkers &= ~QUEENS
        cards = EMPTY
        while True:
            rest = hand & ~cards
            lone = rest & QUEENS != EMPTY and without_lowest(rest) == EMPTY
            useful = fetched == EMPTY or cards == EMPTY
            if not useful:
                useful = cards & fetched != EMPTY and is_set(cards)
            draws = useful and count_bits(rest) <= v.draw_limit
            jewel = lone and display & (rest << U64(ACE - QUEEN)) != EMPTY
            if (draws or jewel) and clears(cards):
                for end in (SEDUCE, PAIR):
                    if jewel if end == SEDUCE else draws:
                        best = offer(
                            net, work, best, butler, hand, cards, end, discards, pile, display, v
                        )
            cards = (cards - talkers) & talkers  # the next subset, as a binary number
            if cards == EMPTY:
                return best

    @njit
    def fetch_plans(net, work, best, v):
        """Offer the plans in which the butler fetches a card out of the discard pile."""
        choices = v.discards
        while choices != EMPTY:
            card = lowest_bit(choices)
            choices = without_lowest(choices)
            hand = (v.hand & ~JOKER_SET) | bit(card)
            discards = (v.discards & ~bit(card)) | JOKER_SET
            if v.husbands:
                couples = (hand >> U64(QUEEN)) & (hand >> U64(KING)) & ONE_RANK
                if couples & (hand >> U64(JACK)) != EMPTY:
                    continue  # a choice of SP-10: king and jack could be discarded without it
                gone = couples << U64(QUEEN) | couples << U64(KING)
                hand &= ~gone
                discards |= gone
            if v.rivals and card & ~3 == QUEEN and has(hand, card):
                gone = hand & QUEENS & ~bit(card)  # the fetched queen is the newest
                hand &= ~gone
                discards |= gone
            if v.secretaries and count_bits(hand & JACKS) > 1:
                best = offer(
                    net, work, best, card, hand, EMPTY, LEAVE, discards, v.pile, v.display, v
                )
            else:
                best = discards_and_draw(
                    net, work, best, card, hand, bit(card), discards, v.pile, v.display, v
                )
        return best

    @njit
    def best_plan(net, work, lowest, v):
        """Fill `work` with the best plan for a view without a pending choice; returns its value.

        Of equal values the one offered first wins: leave; then by the butler (kept, sent off, for
        an ace, for a discard), the lowest card and the lowest set of discards.
        """
        best = lowest
        work.butler = KEEP
        work.hand = v.hand
        work.cards = EMPTY
        work.end = LEAVE
        work.certain = -1
        leaves = work.without & NO_EARLY_LEAVE == 0 or count_bits(v.hand) >= FULL_HAND
        butler, hand, discards, pile, display = KEEP, v.hand, v.discards, v.pile, v.display
        aces = v.pile & ACES if work.without & NO_ACE == 0 else EMPTY
        while True:  # one place for each call: copies of them would double the time to compile
            if leaves and butler != SEND_OFF:
                best = offer(
                    net, work, best, butler, hand, EMPTY, LEAVE, discards, pile, display, v
                )
            best = discards_and_draw(
                net, work, best, butler, hand, EMPTY, discards, pile, display, v
            )
            if not has(v.hand, JOKER):
                return best
            if butler == KEEP:
                butler, hand, discards = SEND_OFF, v.hand & ~JOKER_SET, v.discards | JOKER_SET
                continue
            if aces == EMPTY:
                break
            butler = lowest_bit(aces)
            pile, display = v.pile & ~bit(butler), v.display | bit(butler)
            aces = without_lowest(aces)
        if work.without & NO_FETCH:
            return best
        return fetch_plans(net, work, best, v)

    @njit
    def after_choice(net, work, lowest, v, keep_queen):
        """The value of a pending choice of SP-10; `v` is spoilt.

        A second choice that may follow is taken for king and jack.
        """
        suit = v.husband_suit
        couple = bit(KING + suit) | bit((JACK if keep_queen else QUEEN) + suit)
        hand = v.hand & ~couple
        if v.husbands:
            couples = (hand >> U64(QUEEN)) & (hand >> U64(KING)) & ONE_RANK
            jacks = (hand >> U64(JACK)) & couples
            gone = couples << U64(KING) | jacks << U64(JACK) | (couples & ~jacks) << U64(QUEEN)
            hand &= ~gone
        if v.rivals:
            arrivals = v.arrivals
            while count_bits(hand & QUEENS) > 1:
                hand &= ~bit(QUEEN + np.int64(arrivals & U64(15)) - 1)
                arrivals >>= U64(4)
        v.discards |= v.hand & ~hand
        v.hand = hand
        v.husband_suit = -1
        if v.secretaries and count_bits(hand & JACKS) > 1:
            work.certain = -1
            return offer(
                net, work, lowest, KEEP, hand, EMPTY, LEAVE, v.discards, v.pile, v.display, v
            )
        return best_plan(net, work, lowest, v)

    @njit
    def keeps_queen(net, work, lowest, v, copy):
        """Whether king and jack are the better choice of SP-10; `copy` is another view record."""
        values, certain = (lowest, lowest), (0, 0)
        for keep in (False, True):
            copy_record(v, copy)
            value = after_choice(net, work, lowest, copy, keep)
            values, certain = (values[1], value), (certain[1], work.certain)
        if certain[0] != certain[1]:
            return certain[1] > certain[0]
        return values[1] >= values[0]

    return best_plan, keeps_queen, after_choice


@njit
def first_step(plan, hand):
    """The first action of a plan from the hand it was made for; the plan becomes the rest of it."""
    if plan.butler != KEEP:
        butler = plan.butler
        plan.butler = KEEP
        if butler == SEND_OFF:
            return dismiss()
        if butler >= ACE:
            return fetch_ace(butler - ACE)
        return fetch(butler)
    if plan.cards != EMPTY:
        cards = next_discard(plan.cards)
        plan.cards &= ~cards
        plan.hand = hand & ~cards
        return discard(cards)
    if plan.end == PAIR:
        return draw_pair()
    return seduce() if plan.end == SEDUCE else leave_room()
