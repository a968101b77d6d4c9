"""How a call is read: click's commands, with one sentence for each wrong call."""

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, NoReturn

import click

from scripts.params import quoted_value


class ReaderGoneError(Exception):
    """The reader of our output has gone, as `| head` does: it has what it wanted."""


@contextmanager
def _before_click() -> Iterator[None]:
    """Take what click would answer with an empty line (Ctrl-C) or with status 1 (`| head`)."""
    try:
        yield
    except BrokenPipeError:
        raise ReaderGoneError from None
    except KeyboardInterrupt:
        raise click.Abort from None


class Command(click.Command):
    """A command that refuses an option given twice, where click silently takes the last."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; fails with a sentence."""
        try:
            _, _, order = self.make_parser(ctx).parse_args(list(args))
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise
        for param in order:
            if isinstance(param, click.Option) and not param.multiple and order.count(param) > 1:
                ctx.fail(f"{param.opts[0]} is given twice; give it once")
        return super().parse_args(ctx, args)


class Commands(click.Group):
    """The group of all commands: says which there are when none or a wrong one is named."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which a newcomer needs them, not by the alphabet."""
        return list(self.commands)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; fails with a sentence."""
        if not args:
            self.fail_naming_commands(ctx, "a command is missing")
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that is named; fails with a sentence."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            close = get_close_matches(name, self.list_commands(ctx), 1)
            meant = f" (did you mean {close[0]}?)" if close else ""
            self.fail_naming_commands(ctx, f"there is no command {quoted_value(name)}{meant}")
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """Read the arguments; `--help` is printed here."""
        with _before_click():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _before_click():
            return super().invoke(ctx)

    def fail_naming_commands(self, ctx: click.Context, what: str) -> NoReturn:
        """Fail, with the commands there are."""
        known = ", ".join(self.list_commands(ctx))
        ctx.fail(f"{what}; the commands are {known}: `{ctx.command_path} --help` explains them")


def sentence(error: click.ClickException) -> str:
    """What is wrong with a call, where, and what is allowed."""
    ctx = getattr(error, "ctx", None)
    command = ctx.command_path if ctx is not None else "playout"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return f"{command} {_needs(error.param, ctx)}"
    if isinstance(error, click.NoSuchOption):
        known = [o for p in ctx.command.get_params(ctx) for o in p.opts if "--" in o] if ctx else []
        close = f" (did you mean {error.possibilities[0]}?)" if error.possibilities else ""
        return (
            f"{command} has no option {error.option_name}{close}; its options are "
            f"{', '.join(known)}"
        )
    if isinstance(error, click.BadOptionUsage):
        return f"{error.option_name} needs a value; `{command} --help` says which"
    message = error.format_message().rstrip(".")
    if message.startswith("Got unexpected extra argument"):
        extra = message[message.index("(") + 1 : -1]
        return (
            f"{command} cannot place {quoted_value(extra)}: whatever follows the game belongs to "
            f"an option, and text with spaces needs quotes (`{command} --help`)"
        )
    return message


def _needs(param: click.Parameter, ctx: click.Context | None) -> str:
    """What a command lacks and where to find it."""
    if param.name == "game":
        from sim.games import names

        return f"needs the name of a game; the games are {', '.join(names())}"
    if param.name == "strategies":
        game = ctx.params.get("game") if ctx is not None else None
        return f"needs --strategy SPEC; `playout strategies {game or 'GAME'}` lists them"
    if param.name == "folders":
        return "needs at least one run folder, as `playout run GAME --out DIR` makes them"
    return f"needs {param.opts[0] if isinstance(param, click.Option) else param.metavar}"
