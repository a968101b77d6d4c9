"""Numbers as text, with the digits that their interval supports and no more.

The half-width is shown with two significant digits and the value to the same place. Half-widths
are rounded up and limits outwards, so that the printed interval never claims more than the
computed one. A share of 0 or 1 is never shown with a bare ±.
"""

from __future__ import annotations

import html
import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from reports.intervals import Interval

SMALL = 1e-3
"""Numbers below this are written with an exponent."""

LOPSIDED = 0.1
"""Relative difference of an interval's two sides from which both limits are written out."""


def format_count(count: int) -> str:
    """A whole number with thousands separators: 1,234,567."""
    return f"{int(count):,}"


def _decimal(value: float) -> Decimal:
    """The value without the noise behind its 15th significant digit."""
    return Decimal(f"{value:.14e}")


def _place(value: float, digits: int = 2) -> int:
    """Exponent of ten of the value's last significant digit, when it is rounded up to `digits`."""
    place = _decimal(value).adjusted() - digits + 1
    rounded = _rounded(value, place, ROUND_CEILING)
    return rounded.adjusted() - digits + 1


def _rounded(value: float, place: int, rounding: str = ROUND_HALF_EVEN) -> Decimal:
    """The value rounded to a multiple of 10^place; never minus zero."""
    unit = Decimal(1).scaleb(place)
    rounded = (_decimal(value) / unit).to_integral_value(rounding) * unit
    return rounded if rounded else Decimal(0)


def _fixed(number: Decimal, place: int) -> str:
    """The number to the place 10^place with thousands separators."""
    return f"{number:,.{max(0, -place)}f}"


def _scientific(number: Decimal, place: int) -> str:
    """The number to the place 10^place as 1.23e-06."""
    if not number:
        return "0"
    exponent = number.adjusted()
    mantissa = number.scaleb(-exponent)
    return f"{mantissa:.{max(0, exponent - place)}f}e{exponent:+03d}"


def _text(value: float, place: int, rounding: str = ROUND_HALF_EVEN) -> str:
    """The value to the place 10^place, with an exponent if it is small."""
    number = _rounded(value, place, rounding)
    small = 0 < abs(number) < Decimal(str(SMALL))
    return _scientific(number, place) if small else _fixed(number, place)


def _plus_minus(value: float, half_width: float) -> str:
    """'0.1234 ± 0.0012', or '(1.50 ± 0.12)e-04' for small numbers."""
    place = _place(half_width)
    largest = max(abs(value), half_width)
    if largest >= SMALL:
        centre, width = _rounded(value, place), _rounded(half_width, place, ROUND_CEILING)
        return f"{_fixed(centre, place)} ± {_fixed(width, place)}"
    exponent = _decimal(largest).adjusted()
    scale, inner = 10.0**-exponent, place - exponent
    centre = _rounded(value * scale, inner)
    width = _rounded(half_width * scale, inner, ROUND_CEILING)
    return f"({_fixed(centre, inner)} ± {_fixed(width, inner)})e{exponent:+03d}"


def _symmetrical(value: float, interval: Interval) -> bool:
    """Whether the value lies so near the middle of its interval that ± is fair."""
    below, above = value - interval.low, interval.high - value
    return abs(above - below) <= LOPSIDED * interval.half_width


def format_limits(interval: Interval, place: int | None = None) -> str:
    """'0.1222 to 0.1246': both limits rounded outwards to two digits of the half-width."""
    at = _place(interval.half_width) if place is None else place
    low, high = _text(interval.low, at, ROUND_FLOOR), _text(interval.high, at, ROUND_CEILING)
    return f"{low} to {high}"


def format_mean(value: float, interval: Interval) -> str:
    """A mean or a difference: '-1.23 ± 0.12', or '1.23 (1.05 to 1.60)' where the sides differ."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(interval.low) or math.isinf(interval.high):
        return f"{value:.3g} (no interval)"
    if interval.half_width == 0.0:
        return f"{value:.6g} (no variation seen)"
    if _symmetrical(value, interval):
        return _plus_minus(value, max(value - interval.low, interval.high - value))
    place = _place(interval.half_width)
    return f"{_text(value, place)} ({format_limits(interval)})"


def _edge_place(share: float, place: int, digits: int) -> int:
    """The place, or a finer one that shows `digits` digits of the distance from 0 or 1."""
    edge = min(share, 1.0 - share)
    return min(place, _decimal(edge).adjusted() - digits + 1) if edge > 0 else place


def _limit(share: float, place: int, rounding: str) -> str:
    """A limit of a share, fine enough not to be taken for 0 or 1 when it is neither."""
    if share in (0.0, 1.0):
        return f"{share:.0f}"
    return _text(share, _edge_place(share, place, 2), rounding)


def format_share(count: int, n: int, interval: Interval) -> str:
    """A share count / n of 0 to 1: '0.1234 ± 0.0012'; '0 (below 3.7e-06)' where nothing was hit.

    `interval` is that of the share; its limits are written out for few hits or misses.
    """
    if not 0 <= count <= n or n < 1:
        raise ValueError(f"the hits must lie between 0 and n, got {count} of {n}")
    if not 0.0 < interval.half_width <= 0.5:
        raise ValueError(f"this is no interval of a share: {interval}")
    share, place = count / n, _place(interval.half_width)
    low = _limit(interval.low, place, ROUND_FLOOR)
    high = _limit(interval.high, place, ROUND_CEILING)
    if count == 0:
        return f"0 (below {_limit(interval.high, _place(interval.high), ROUND_CEILING)})"
    if count == n:
        return f"1 (above {low})"
    if _symmetrical(share, interval) and interval.low > 0.0 and interval.high < 1.0:
        return _plus_minus(share, max(share - interval.low, interval.high - share))
    return f"{_text(share, _edge_place(share, place, 1))} ({low} to {high})"


def html_number(text: str) -> str:
    """The same text for a page: escaped, with a true minus sign and powers of ten."""
    safe = html.escape(text)
    safe = re.sub(r"(?<![\w.])-(?=\d)", "&minus;", safe)
    safe = re.sub(r"(?<=[\d)])e\+0*(\d+)", r" &times; 10<sup>\1</sup>", safe)
    safe = re.sub(r"(?<=[\d)])e-0*(\d+)", r" &times; 10<sup>&minus;\1</sup>", safe)
    return safe.replace("±", "&plusmn;")
