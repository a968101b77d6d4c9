"""Recall models of the memory duel, with the published data behind them.

No recall curve for playing cards was found. The nearest are lists of words, recalled right after
they were read: the share of lists of n words that were recalled whole.
"""

import math

from strategies import Param, recall_model

WORD_LISTS = "fit to 320 word lists a length (Grenfell-Essam & Ward 2012)"

#: Share of whole lists recalled, for lists of 1 to 8 words (Grenfell-Essam & Ward 2012).
IN_ORDER = (0.972, 0.962, 0.941, 0.741, 0.334, 0.072, 0.016, 0.0)
ANY_ORDER = (0.997, 0.994, 0.962, 0.756, 0.331, 0.097, 0.025, 0.003)
LISTS_A_LENGTH = 320

#: Memory spans of people: mean and standard deviation, the same source.
SPAN_MEAN, SPAN_SD = 4.54, 0.81

CHANCE = Param(0.9, 0.0, 1.0, "the probability of knowing one card")


@recall_model(
    summary="each card is known with probability p, independently",
    source="the yardstick of the rules",
    p=CHANCE,
)
def iid(n, ctx):
    """A recital of n cards succeeds with probability p^n, whatever the order option. MD-8"""
    return ctx.p**n


@recall_model(
    summary="one person: nearly all short stacks, hardly any beyond the capacity k",
    source=WORD_LISTS,
    unordered={"k": 4.67, "s": 0.572, "lapse": 0.0},
    k=Param(4.65, 0.0, 208.0, "the capacity: the stack that is recited half the time"),
    s=Param(0.535, 0.01, 100.0, "how gradually recall fades around the capacity"),
    lapse=Param(0.027, 0.0, 1.0, "the probability of failing for no reason"),
)
def logistic(n, ctx):
    """(1 - lapse) / (1 + exp((n - k) / s)). MD-8"""
    return (1.0 - ctx.lapse) / (1.0 + math.exp((n - ctx.k) / ctx.s))


@recall_model(
    summary="a person drawn from a population whose capacities vary by sd",
    source=WORD_LISTS,
    unordered={"k": 4.65, "sd": 1.07},
    k=Param(4.5, 0.0, 208.0, "the mean capacity"),
    sd=Param(1.23, 0.01, 100.0, "the standard deviation of capacities"),
)
def capacity(n, ctx):
    """The share of a population whose capacity is above n, drawn anew at each recital. MD-8"""
    return 0.5 * math.erfc((n - ctx.k) / (ctx.sd * math.sqrt(2.0)))


@recall_model(
    summary="each card is kept with probability p when it is laid and at each later card",
    source="a forgetting of its own per card; the player feels what is lost",
    persistent=True,
    p=Param(0.95, 0.0, 1.0, "the probability of keeping a card when one is laid"),
)
def persistent(n, ctx):
    """Each card of the stack, the new one too, stays known with probability p. MD-8"""
    return ctx.p
