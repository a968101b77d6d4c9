"""Nasty strings, and a seeded mutator that makes many more of them out of good ones."""

import random

NASTY = [
    "", " ", "\t", "\n", "\r\n", "\x00", "\x1b[31m", "\x7f", "\ufeff", "\u202e", "\u2028",
    "\ud800", "\xfc", "\u0663", "\U0001d7db", "\u2167", "\xbd",
    "\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9",
    'A' * 10000, '(' * 2000, "))))))))))))))))))))))))))))))))))))))))))))))))))", '[' * 3000,
    '{' * 3000, "0", "-0", "-1", "1e400", "1e-400", "nan", "inf", "-inf", "1_000", "1__0", "0x10",
    '1' * 400, "9223372036854775808", "-9223372036854775809", "18446744073709551616", "1.5",
    "1,5", ".", "..", "../../etc/passwd", "/", "/dev/null", "/dev/zero", "C:\\x", "~", "~root",
    "$HOME", "`id`", "$(id)", ";id", "|", "&", "'", '"', "\\", "%s", "%n", "{0}", "{__class__}",
    "<script>", "]]>", "<!--", "&lt;", "=1+1", "@x", "+1", "-x", "null", "None", "True",
    "__import__('os')", "eval", "x.py", ".py", ":", "x.py:", ":f", "x.py:f:g", "x.py:__class__",
    "a=b=c", "a==b", "=", ",", ",,", "a,b", "a(b", "a)b", "a()", "a(=)", "a(b=)", "a(=c)",
    "a(b=c,b=c)", "a(b=(c))", "tidy(", "tidy)", "tidy()", "tidy(x=1)",
]  # fmt: skip


def mutated(chance: random.Random, good: list[str]) -> str:
    """A string made of good and nasty ones by a few cuts, joins and replacements."""
    text = chance.choice(good if chance.random() < 0.8 else NASTY)
    for _ in range(chance.randint(0, 4)):
        at = chance.randint(0, len(text))
        to = min(len(text), at + chance.randint(0, 3))
        kind = chance.randint(0, 3)
        if kind == 0:
            text = text[:at] + text[to:]
        elif kind == 1:
            text = text[:at] + chance.choice(NASTY)[:200] + text[to:]
        elif kind == 2:
            text = (
                text[:at]
                + chr(chance.choice([chance.randint(0, 255), chance.randint(0, 0x2FFF)]))
                + text[to:]
            )
        else:
            other = chance.choice(good)
            text = text[:at] + other[chance.randint(0, len(other)) :]
    return text
