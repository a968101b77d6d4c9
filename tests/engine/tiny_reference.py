"""The tiny game in plain Python, from its description, with the project's random streams."""

from tests.reference.splitmix import deal_stream, strategy_stream


def play(options, choose, seed, index):
    """Play one game; `choose(kind, seat, hand, stream)` -> action. Returns (points, winners)."""
    players = options["players"]
    streams = {
        (kind, seat): strategy_stream(seed, index, seat, kind)
        for kind in range(2)
        for seat in range(players)
    }
    points, winners, leader = [0] * players, [], 0
    for number in range(options["rounds"]):
        stock = list(range(8))
        deal_stream(seed, index, number).shuffle(stock)
        hands = [sorted([stock.pop(), stock.pop()]) for _ in range(players)]
        order = [(leader + turn) % players for turn in range(players)]
        for seat in order:
            action = choose("swap", seat, hands[seat], streams[0, seat])
            if action:
                hands[seat].pop(action - 1)
                hands[seat] = sorted([*hands[seat], stock.pop()])
        played = {}
        for seat in order:
            played[seat] = choose("play", seat, hands[seat], streams[1, seat])
            hands[seat].remove(played[seat])
        best = min if options["low_wins"] else max
        leader = best(played, key=played.__getitem__)
        points[leader] += 1
        winners.append(leader)
    return points, winners
