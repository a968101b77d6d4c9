"""Parameters of President's strategies: tables of them, and their defaults for compiled code."""

from collections import namedtuple

from strategies import Param


def table_of(meanings, values, low, high):
    """Parameters by name, with their meanings and their default values, in one range."""
    return {
        name: Param(value, low, high, meaning)
        for (name, meaning), value in zip(meanings.items(), values, strict=True)
    }


def defaults(params):
    """The defaults as a record, `record.NAME`, for strategies that build on another."""
    return namedtuple("Defaults", params)(*(param.default for param in params.values()))
