"""What a round and a game of Short Zoot Suit come to: rows of the tables, and who wins. ZS-9"""

from numba import njit

from sim.bits import U64, count_bits
from sim.rulesets.short_zoot_suit.cards import of_seat


@njit
def leaders(s):
    """The seats with most points, one bit a seat."""
    most, bits = s.points[0], 0
    for seat in range(s.table.players):
        if s.points[U64(seat)] > most:
            most, bits = s.points[U64(seat)], 0
        if s.points[U64(seat)] == most:
            bits |= 1 << seat
    return bits


@njit
def round_outcome(s, row):
    """Fill the row of the rounds table."""
    row.round = s.table.round - (0 if s.over else 1)
    tricks, shorts, points = s.last_tricks, s.last_shorts, s.last_points
    row.tricks_0, row.tricks_1 = of_seat(tricks, 0), of_seat(tricks, 1)
    row.tricks_2, row.tricks_3 = of_seat(tricks, 2), of_seat(tricks, 3)
    row.shorts_0, row.shorts_1 = of_seat(shorts, 0), of_seat(shorts, 1)
    row.shorts_2, row.shorts_3 = of_seat(shorts, 2), of_seat(shorts, 3)
    row.points_0, row.points_1 = points[0], points[1]
    row.points_2, row.points_3 = points[2], points[3]


@njit
def outcome(s, row):
    """Fill the row of the games table; equal points share the win."""
    points, ahead = s.points, leaders(s)
    row.points_0, row.points_1 = points[0], points[1]
    row.points_2, row.points_3 = points[2], points[3]
    share = 1.0 / count_bits(U64(ahead))
    row.share_0 = share if ahead & 1 else 0.0
    row.share_1 = share if ahead & 2 else 0.0
    row.share_2 = share if ahead & 4 else 0.0
    row.share_3 = share if ahead & 8 else 0.0
    row.leaders = ahead
