import numpy as np
import pytest

from reports.differing import exact_interval, few_differ, share_difference
from reports.intervals import clopper_pearson
from reports.paired import PairedSums, compare


def sums(n: int, first: int, second: int, both: int = 0) -> PairedSums:
    x, y = first + both, second + both
    return PairedSums(n, x, y, x, y, both)


def test_nothing_differs():
    found = share_difference(sums(10, 0, 0, both=4))
    # at 97.5 % a side, 0 of 10 is below 0.355
    limit = clopper_pearson(0, 10, 0.975).high
    assert found.difference == 0
    assert (found.interval.low, found.interval.high) == (-limit, limit)
    assert limit == pytest.approx(1 - 0.0125**0.1)
    assert not found.clear
    assert found.differing == 0


def test_one_side_alone_is_clopper_pearson_less_what_the_other_may_hide():
    found = exact_interval(sums(100, 5, 0))
    assert found.low == pytest.approx(clopper_pearson(5, 100, 0.975).low - (1 - 0.0125**0.01))
    assert found.high == pytest.approx(clopper_pearson(5, 100, 0.975).high)


def test_many_differing_blocks_get_students_t():
    many = sums(1000, 30, 10)
    assert not few_differ(many)
    assert share_difference(many).interval == compare(many).interval
    assert share_difference(many).clear
    assert few_differ(sums(1000, 12, 12))
    assert not few_differ(sums(1000, 13, 12))


def test_the_sides_can_be_swapped():
    a, b = exact_interval(sums(50, 6, 2)), exact_interval(sums(50, 2, 6))
    assert (a.low, a.high) == pytest.approx((-b.high, -b.low))


@pytest.mark.parametrize("rates", [(0.002, 0.0), (0.004, 0.001), (0.01, 0.01), (0.0, 0.0)])
def test_coverage_of_the_exact_interval(rates):
    rng = np.random.default_rng(5)
    n, missed = 1000, 0
    draws = rng.multinomial(n, [*rates, 1 - sum(rates)], 2000)
    pairs, counts = np.unique(draws[:, :2], axis=0, return_counts=True)
    for (first, second), count in zip(pairs.tolist(), counts.tolist(), strict=True):
        found = exact_interval(sums(n, first, second))
        missed += count * (not found.contains(rates[0] - rates[1]))
    assert missed / 2000 <= 0.05


def test_the_whole_procedure_covers_across_the_switch():
    rng = np.random.default_rng(6)
    n, rates, missed = 2000, (0.008, 0.004), 0  # 24 differing blocks on average
    draws = rng.multinomial(n, [*rates, 1 - sum(rates)], 2000)
    for first, second, _ in draws.tolist():
        found = share_difference(sums(n, first, second))
        missed += not found.interval.contains(rates[0] - rates[1])
    assert missed / 2000 <= 0.06
