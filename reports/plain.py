"""Numbers and names as plain text for plots, where there is no HTML."""

import re

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
POWER = re.compile(r"(?<=[\d)])e([+-])0*(\d+)")


def plain_number(text: str) -> str:
    """A formatted number for people: a true minus sign, and × 10⁻⁴ instead of e-04."""

    def power(match: re.Match[str]) -> str:
        sign = "-" if match[1] == "-" else ""
        return "×10" + (sign + match[2]).translate(SUPERSCRIPTS)

    return re.sub(r"(?<![\w.⁻])-(?=\d)", "−", POWER.sub(power, text))
