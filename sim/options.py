"""Rule options: frozen dataclasses whose fields know what is allowed.

A ruleset declares

    @dataclass(frozen=True)
    class Options(RuleOptions):
        reshuffles: int = whole(2, 0, 9, "how often the pile is made anew")

and gets parsing, checking, encoding for the kernel and the text for help pages from here.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from sim.errors import OptionError, one_of

WHOLE_NUMBER = re.compile(r"[+-]?\d{1,12}\Z", re.ASCII)


@dataclass(frozen=True)
class OptionSpec:
    """What one option allows. `read` turns text or a value into the value, or raises ValueError.

    `examples` are some allowed values, the extreme ones among them, for trying rules out.
    """

    allowed: str
    meaning: str
    read: Callable[[Any], Any]
    encode: Callable[[Any], int] | None
    examples: tuple[Any, ...] = ()


def choice(default: str, values: tuple[str, ...], meaning: str) -> Any:
    """An option that is one of some words; the kernel sees its place among them."""

    def read(value: Any) -> str:
        if value not in values:
            raise ValueError
        return str(value)

    spec = OptionSpec(one_of(values), meaning, read, values.index, values)
    return dataclasses.field(default=default, metadata={"option": spec})


def whole(default: int, low: int, high: int, meaning: str) -> Any:
    """An option that is a whole number from `low` to `high`."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not WHOLE_NUMBER.match(str(value)):
            raise ValueError
        number = int(value)
        if not low <= number <= high:
            raise ValueError
        return number

    examples = sorted({low, min(low + 1, high), default, (low + high) // 2, high})
    spec = OptionSpec(f"a whole number from {low} to {high}", meaning, read, int, tuple(examples))
    return dataclasses.field(default=default, metadata={"option": spec})


SWITCH = {"on": True, "true": True, "off": False, "false": False}


def switch(default: bool, meaning: str) -> Any:
    """An option that is on or off."""

    def read(value: Any) -> bool:
        if isinstance(value, bool):
            return value
        try:
            return SWITCH[str(value).lower()]
        except KeyError:
            raise ValueError from None

    spec = OptionSpec("on, off", meaning, read, int, (True, False))
    return dataclasses.field(default=default, metadata={"option": spec})


def words(
    default: str,
    allowed: str,
    read: Callable[[Any], str],
    meaning: str,
    examples: tuple[str, ...] = (),
) -> Any:
    """An option whose text the ruleset itself reads, and encodes in its own `encode`."""
    spec = OptionSpec(allowed, meaning, read, None, examples)
    return dataclasses.field(default=default, metadata={"option": spec})


def shown(value: Any) -> str:
    """An option's value as it is written on the command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


@dataclass(frozen=True)
class RuleOptions:
    """The base of every ruleset's options."""

    def __post_init__(self) -> None:
        """Check every value, then what only the ruleset can check."""
        for name, spec in self.specs().items():
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, spec.read(value))
            except (ValueError, TypeError):
                raise OptionError(
                    f"option {name}={shown(value)!r} is not allowed: it is {spec.allowed}"
                ) from None
        self.check()

    def check(self) -> None:
        """Raise OptionError where options contradict each other."""

    @classmethod
    def specs(cls) -> dict[str, OptionSpec]:
        """The options by name, in the order in which they are documented."""
        return {field.name: field.metadata["option"] for field in dataclasses.fields(cls)}

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """Options from names and values; the others have their defaults."""
        for name in values:
            if name not in cls.specs():
                raise OptionError(
                    f"there is no option {name!r}; the options are {one_of(cls.specs())}"
                )
        return cls(**values)

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Self:
        """Options from texts of the form `name=value`."""
        values: dict[str, str] = {}
        for text in texts:
            name, equals, value = text.partition("=")
            name = name.strip()
            if not equals:
                raise OptionError(f"option {text!r} is not of the form name=value")
            if name in values:
                raise OptionError(f"option {name!r} is given twice")
            values[name] = value.strip()
        return cls.from_mapping(values)

    def as_dict(self) -> dict[str, Any]:
        """Every option with its value, as manifests and traces write them."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def changed(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        return {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }

    def encode(self) -> dict[str, int]:
        """The kernel's fields (those of the state record) with their values."""
        return {
            name: spec.encode(getattr(self, name))
            for name, spec in self.specs().items()
            if spec.encode is not None
        }
