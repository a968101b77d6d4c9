"""The errors a person can cause. Each message is a sentence: what is wrong, where, what is allowed.

The command line prints the message alone and ends with `exit_status`.
"""


class PlayoutError(Exception):
    """Anything that is told to the user in one sentence."""

    exit_status = 1


class UsageError(PlayoutError):
    """A wrong call: nothing has been done and nothing was written."""

    exit_status = 2


class OptionError(UsageError):
    """A rule option that does not exist or has a value that is not allowed."""


class StrategyError(UsageError):
    """A strategy that cannot be found, read or compiled."""


class PlayError(PlayoutError):
    """A strategy that failed or chose an illegal action in the middle of a run."""


class FolderError(UsageError):
    """A run folder that cannot be used."""


class StorageError(PlayoutError):
    """Results that could not be written."""


def one_of(names: object) -> str:
    """The allowed names as text: `a, b, c`."""
    return ", ".join(str(name) for name in names)  # type: ignore[attr-defined]
