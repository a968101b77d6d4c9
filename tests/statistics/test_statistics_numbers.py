"""Numbers as text: digits that the interval supports, never more certain than the interval.

Every test computes exactly; false-alarm rate 0.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reports.intervals import Interval, goodman, proportion
from reports.numbers import (
    format_count,
    format_limits,
    format_mean,
    format_share,
    html_number,
)
from reports.sequences import beta_binomial


def around(value: float, half_width: float) -> Interval:
    """A symmetrical interval."""
    return Interval(value - half_width, value + half_width, 0.95, "t")


def test_counts() -> None:
    assert format_count(1234567) == "1,234,567"
    assert format_count(0) == "0"


@pytest.mark.parametrize(
    ("count", "n", "text"),
    [
        (0, 10, "0 (below 0.31)"),
        (0, 10**6, "0 (below 3.7e-06)"),
        (10**6, 10**6, "1 (above 0.9999963)"),
        (1, 1, "1 (above 0.025)"),
        (10, 10**6, "1.00e-05 (4.7e-06 to 1.84e-05)"),
        (1, 10**6, "1.0e-06 (2.5e-08 to 5.6e-06)"),
        (10**6 - 1, 10**6, "0.9999990 (0.9999944 to 0.999999975)"),
        (1234, 10**4, "0.1234 ± 0.0066"),
        (1504, 10**7, "(1.504 ± 0.078)e-04"),
        (5 * 10**8, 10**9, "0.500000 ± 0.000031"),
    ],
)
def test_shares(count: int, n: int, text: str) -> None:
    assert format_share(count, n, proportion(count, n)) == text


@pytest.mark.parametrize(
    ("value", "half_width", "text"),
    [
        (-1.234, 0.1, "-1.23 ± 0.10"),
        (123456.7, 1234, "123,500 ± 1,300"),
        (123456.7, 12.34, "123,457 ± 13"),
        (5.5, 0.995, "5.5 ± 1.0"),
        (5.5, 0.0996, "5.50 ± 0.10"),
        (-0.0001, 0.02, "0.000 ± 0.020"),
        (1.2e-5, 1e-7, "(1.200 ± 0.011)e-05"),
        (-3.0e-7, 4.0e-8, "(-3.00 ± 0.40)e-07"),
        (0.3, 0.1 + 0.2, "0.30 ± 0.30"),
        (2.0, 0.0, "2 (no variation seen)"),
        (2.5, math.inf, "2.5 (no interval)"),
        (math.nan, 1.0, "undefined"),
    ],
)
def test_means(value: float, half_width: float, text: str) -> None:
    assert format_mean(value, around(value, half_width)) == text


def test_longer_side_is_shown() -> None:
    """Sides 0.100 and 0.109 pass as symmetrical; the ± covers both."""
    assert format_mean(1.0, Interval(0.9, 1.109, 0.95, "t")) == "1.00 ± 0.11"
    assert format_mean(1.0, Interval(0.891, 1.1, 0.95, "t")) == "1.00 ± 0.11"


def test_lopsided_mean() -> None:
    interval = Interval(1.049, 1.601, 0.95, "bootstrap by games")
    assert format_mean(1.234, interval) == "1.23 (1.04 to 1.61)"
    assert format_limits(interval) == "1.04 to 1.61"


def test_html() -> None:
    assert html_number("(-3.00 ± 0.40)e-07") == (
        "(&minus;3.00 &plusmn; 0.40) &times; 10<sup>&minus;7</sup>"
    )
    assert html_number("0 (below 3.7e-06)") == "0 (below 3.7 &times; 10<sup>&minus;6</sup>)"
    assert html_number("1,234 < 2e+10") == "1,234 &lt; 2 &times; 10<sup>10</sup>"
    assert html_number("<b>-tie-01</b>") == "&lt;b&gt;-tie-01&lt;/b&gt;"


def numbers_in(text: str) -> list[Decimal]:
    """All numbers of a formatted text, in order; a common power of ten applied."""
    shared = re.search(r"\)(e[+-]\d+)$", text)
    found = re.findall(
        r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]\d+)?", text[: shared.start()] if shared else text
    )
    scale = Decimal("1" + shared[1]) if shared else Decimal(1)
    return [Decimal(number.replace(",", "")) * scale for number in found]


@given(n=st.integers(1, 10**10), share=st.floats(0, 1), level=st.sampled_from([0.5, 0.95, 0.999]))
@settings(max_examples=500, derandomize=True, deadline=None)
@pytest.mark.parametrize("method", [proportion, beta_binomial])
def test_a_printed_share_never_claims_more(method, n: int, share: float, level: float) -> None:
    """Limits are printed outwards, ± not too small, and 0 or 1 only where they are exact."""
    count = min(n, round(share * n))
    interval = method(count, n, level)
    text = format_share(count, n, interval)
    numbers, slack = numbers_in(text), Decimal("1e-13")
    if count == 0:
        assert text.startswith("0 (below ")
        assert interval.high <= numbers[1] + slack
    elif count == n:
        assert text.startswith("1 (above ")
        assert numbers[1] - slack <= interval.low
        assert numbers[1] < 1
    elif "±" in text:
        value, half_width = numbers
        assert 0 < value < 1
        assert Decimal(interval.half_width) <= half_width + slack
        assert half_width <= Decimal(max(count / n - interval.low, interval.high - count / n)) * (
            Decimal("1.1001")
        )
        assert abs(value - Decimal(count / n)) <= half_width / 19
    else:
        value, low, high = numbers
        assert 0 < value < 1
        assert low - slack <= interval.low
        assert high + slack >= interval.high
        assert low > 0 or interval.low == 0
        assert high < 1 or interval.high > 1 - 1e-13


@given(value=st.floats(-1e12, 1e12), half_width=st.floats(1e-9, 1e12))
@settings(max_examples=500, derandomize=True, deadline=None)
def test_two_digits_of_the_half_width(value: float, half_width: float) -> None:
    assume(half_width > abs(value) * 1e-10)
    text = format_mean(value, around(value, half_width))
    if "±" not in text:
        return
    centre, width = numbers_in(text)
    assert len(width.normalize().as_tuple().digits) <= 2
    assert half_width * 0.999999 <= width <= half_width * 1.1001
    assert abs(centre - Decimal(value)) <= width / Decimal("19.9")


def test_goodman_cells_can_be_printed() -> None:
    cells = goodman([1, 0, 3, 2, 4])
    texts = [format_share(c, 10, cell) for c, cell in zip([1, 0, 3, 2, 4], cells, strict=True)]
    assert texts[:2] == ["0.10 (0.011 to 0.51)", "0 (below 0.40)"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: format_share(5, 4, around(0.5, 0.1)), "5 of 4"),
        (lambda: format_share(0, 4, around(0.0, 0.0)), "no interval of a share"),
        (lambda: format_share(1, 4, around(0.25, math.inf)), "no interval of a share"),
    ],
)
def test_wrong_calls_are_refused(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
