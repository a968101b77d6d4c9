"""What a command says beside its result: one line on stderr at a time."""

import contextlib

import click


def notice(message: str) -> None:
    """Say what the reader must know beside the result."""
    say(message)


def say(message: str, status: int = 0) -> int:
    """One line on stderr; control characters of the user's own text are taken out."""
    from scripts.output import clean

    with contextlib.suppress(OSError):
        click.echo(f"playout: {clean(' '.join(message.split()))}", err=True)
    return status
