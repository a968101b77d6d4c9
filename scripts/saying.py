"""What a command says beside its result: one line on stderr at a time."""

import contextlib
import resource

import click

#: With less address space libraries may crash while they are loaded, or wait for ever: MiB.
LEAST_MEMORY = 1024
NO_MEMORY = "there is not enough memory for this; try a smaller --chunk or fewer --jobs"
#: How libraries tell that they got no memory, where they raise no MemoryError.
MEMORY_WORDS = (
    "failed to map segment",
    "Cannot allocate memory",
    "can't start new thread",
    "Could not find/load shared object file",  # llvmlite, of its own library
)


def notice(message: str) -> None:
    """Say what the reader must know beside the result."""
    say(message)


def say(message: str, status: int = 0) -> int:
    """One line on stderr; control characters of the user's own text are taken out."""
    from scripts.output import clean

    with contextlib.suppress(OSError):
        click.echo(f"playout: {clean(' '.join(message.split()))}", err=True)
    return status


def is_short_of_memory(error: BaseException) -> bool:
    """Whether an error, or one that it came from, means that there was no memory."""
    chain: BaseException | None = error
    while chain is not None:
        if isinstance(chain, MemoryError):
            return True
        if any(words in str(chain) for words in MEMORY_WORDS):
            return True
        chain = chain.__cause__ or chain.__context__
    return False


def too_little_memory() -> str | None:
    """A sentence where a limit on memory (`ulimit -v`) lets nothing be loaded, else None.

    The libraries would wait for memory, or end the process, before we could say anything.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY or limit >= LEAST_MEMORY << 20:
        return None
    return (
        f"the limit on memory here is {limit >> 20:,} MiB, and playout needs {LEAST_MEMORY:,} MiB "
        f"to begin (ulimit -v shows the limit, in KiB)"
    )
