"""Numbers as people write them: 1_000_000, 1e6, 5M, 20k."""

import re
from decimal import Decimal

MOST = 2**63 - 1
SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
PATTERN = re.compile(r"(\d[\d_]*(?:\.\d+)?(?:e\+?\d{1,2})?)([kmgb]?)\Z", re.ASCII | re.IGNORECASE)


def parse_count(text: str) -> int:
    """A whole number of things from text such as `5M` or `1e6`.

    Raises ValueError when it is not a whole number, negative or above 2^63 - 1.
    """
    match = PATTERN.match(text.strip())
    if not match or "__" in text or "_." in text or match.group(1).endswith("_"):
        raise ValueError(text)
    number = Decimal(match.group(1).replace("_", "")) * SUFFIXES[match.group(2).lower()]
    if number != number.to_integral_value() or number > MOST:
        raise ValueError(text)
    return int(number)
