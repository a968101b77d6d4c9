"""What a player of President cannot know: everything that fits what the player knows, enumerated.

All of it follows from PR-16 (what is known) and from the clauses that forced the others' gifts and
fillers. Slow: only late positions have few enough possibilities.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb

from .president import Game
from .president_cards import JANITOR, PRESIDENT, SEATS, SECRETARY, VICE_PRESIDENT, Table

Hand = tuple[str, ...]
Gifts = tuple[Hand, Hand]
PAIRS = ((JANITOR, PRESIDENT), (SECRETARY, VICE_PRESIDENT))


def difference(cards: Sequence[str], others: Sequence[str]) -> list[str] | None:
    """Return cards without others, or None if they are not all there."""
    left = list(cards)
    for card in others:
        if card not in left:
            return None
        left.remove(card)
    return left


def obeys(table: Table, how: str, gift: Sequence[str], hand: Sequence[str]) -> bool:
    """Tell whether a gift out of a hand is what the option asks for (PR-12, PR-13)."""
    ordered = table.sorted(hand)
    if how == "highest":
        return list(gift) == ordered[len(ordered) - len(gift) :]
    if how == "lowest":
        return list(gift) == ordered[: len(gift)]
    return True


def gifts_fit(table: Table, low: Sequence[str], high: Sequence[str], gifts: Gifts) -> bool:
    """Tell whether an exchange can have left two players with these cards.

    `low` and `high` are what the lower and the upper player of a pair had after it; the first of
    the gifts is the lower player's, the second may still be to come and is empty then.
    """
    options = table.options
    gift, back = gifts
    kept = difference(low, back)
    if kept is None:
        return False
    if options.exchange_order == "low-first":
        before = [*high, *back]  # the upper player's hand with the gift in it (PR-13)
        own = difference(before, gift)
    else:
        own = difference(high, gift)
        before = [*(own or []), *back]  # the hand as dealt (PR-13)
    if own is None:
        return False
    return obeys(table, options.low_gives, gift, [*kept, *gift]) and (
        not back or obeys(table, options.high_gives, back, before)
    )


def subsets(cards: Sequence[str], size: int) -> Iterator[tuple[Hand, int]]:
    """Yield sets of cards by their ranks, with the number of sets of different cards like that."""
    counts = list(Counter(cards).items())

    def pick(at: int, wanted: int) -> Iterator[tuple[Hand, int]]:
        if at == len(counts):
            if wanted == 0:
                yield (), 1
            return
        card, count = counts[at]
        for taken in range(min(count, wanted) + 1):
            for rest, ways in pick(at + 1, wanted - taken):
                yield (card,) * taken + rest, ways * comb(count, taken)

    return pick(0, size)


def possible_gifts(
    table: Table, low: Sequence[str], high: Sequence[str], size: int, back: int
) -> Counter[Gifts]:
    """Return every exchange that fits, with its number of sets of different cards."""
    found: Counter[Gifts] = Counter()
    pool_is_larger = table.options.exchange_order == "low-first"
    for returned, return_ways in subsets(low, back):
        pool = [*high, *returned] if pool_is_larger else high
        for gift, ways in subsets(pool, size):
            gifts = (tuple(table.sorted(gift)), tuple(table.sorted(returned)))
            if gifts_fit(table, low, high, gifts):
                found[gifts] = ways * return_ways
    return found


def weaker_ruled_out(game: Game) -> list[set[str]]:
    """Return the wild ranks that each seat cannot have, by the fillers it took (PR-6)."""
    lacks: list[set[str]] = [set() for _ in SEATS]
    wilds = game.options.wilds
    for event in reversed(game.events):
        if event["ev"] == "deal":
            break
        if event["ev"] == "play":
            rank = str(event["rank"])
            fillers = [card for card in event["cards"] if card != rank]  # type: ignore[attr-defined]
            allowed = wilds[wilds.index(rank) + 1 :] if rank in wilds else wilds
            strongest = max((allowed.index(card) for card in fillers), default=0)
            lacks[int(str(event["seat"]))] |= set(allowed[:strongest])
    return lacks


def partner_of(game: Game, seat: int) -> int:
    """Return the partner in the exchange; in the first round, where there is none, the next."""
    if not game.finishes:
        return (seat + 1) % 4
    return game.seat_of(5 - game.finishes[-1][seat])


def known_cards(game: Game, seat: int) -> list[str]:
    """Return the cards that a player's partner must still have from the player's gift (PR-16).

    What the partner has played of a rank is first of all what it was given.
    """
    partner = partner_of(game, seat)
    gone = Counter(game.played[partner])
    low_first = game.options.exchange_order == "low-first"
    if low_first and game.finishes and game.finishes[-1][partner] < SECRETARY:
        gone += Counter(game.received[seat])  # may have come back
    return list((Counter(game.given[seat]) - gone).elements())


def splits(cards: Sequence[str], sizes: Sequence[int]) -> Iterator[tuple[tuple[Hand, ...], int]]:
    """Yield the ways to deal different cards to hands of these sizes, by ranks, with numbers."""
    if len(sizes) == 1:
        yield (tuple(cards),), 1
        return
    for hand, ways in subsets(cards, sizes[0]):
        rest = difference(cards, hand)
        assert rest is not None
        for hands, more in splits(rest, sizes[1:]):
            yield (hand, *hands), ways * more


def possible_hands(game: Game) -> Counter[tuple[Hand, ...]]:
    """Return all hands of the four that fit what the player to move knows, with their numbers.

    For positions in which cards are played, not given.
    """
    seat, table = game.seat, game.table
    partner = partner_of(game, seat)
    others = [partner, *(place for place in SEATS if place not in (seat, partner))]
    known = known_cards(game, seat)
    everything = [card for place in others for card in game.hands[place]]
    unseen = difference(everything, known)
    assert unseen is not None
    sizes = [len(game.hands[place]) for place in others]
    sizes[0] -= len(known)
    lacks = weaker_ruled_out(game)
    found: Counter[tuple[Hand, ...]] = Counter()
    for dealt, ways in splits(unseen, sizes):
        hands: list[Hand] = [()] * 4
        hands[seat] = tuple(game.hands[seat])
        for place, hand in zip(others, dealt, strict=True):
            full = (*hand, *known) if place == partner else hand
            hands[place] = tuple(table.sorted(full))
        if any(set(hands[place]) & lacks[place] for place in others):
            continue
        if exchanges_fit(game, hands):
            found[tuple(hands)] += ways
    return found


def exchanges_fit(game: Game, hands: Sequence[Hand]) -> bool:
    """Tell whether hands fit the exchange that the player to move took part in, and the other."""
    if not game.finishes:
        return True
    for pair, size in zip(PAIRS, game.options.gift_sizes, strict=True):
        low, high = (game.seat_of(rank) for rank in pair)
        if size == 0:
            continue
        after = [[*hands[place], *game.played[place]] for place in (low, high)]
        if game.seat in (low, high):
            gifts = (tuple(game.given[low]), tuple(game.given[high]))
            if not gifts_fit(game.table, after[0], after[1], gifts):
                return False
        elif not possible_gifts(game.table, after[0], after[1], size, size):
            return False
    return True
