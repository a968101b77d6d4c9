"""Finds strategies: spec strings, registered names, parameters.

A spec is one of

    patient                         a registered strategy
    patient(wait=3)                 with parameters
    draft=bury-low,play=duck(k=2)   one for each kind of decision; the others are the default's
    my_file.py:my_function(k=2)     a function of a file
"""

import importlib
import pkgutil
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

import sim.interpreted as interpreted
import strategies
from sim.contract import Ruleset
from sim.errors import StrategyError, one_of
from sim.games import module_of
from sim.strategy import CompiledStrategy, Param, StrategyInfo, compile_strategy, info_of
from strategies.plugins import installed
from strategies.userfile import functions_of, load_function

ENTRY = re.compile(
    r"(?:(?P<file>[^\n]+\.py):(?P<function>[A-Za-z_]\w*)|(?P<name>[A-Za-z][\w-]*))"
    r"\s*(?:\((?P<arguments>[^()]*)\))?\s*\Z",
    re.ASCII,
)
WHOLE = re.compile(r"[+-]?\d{1,15}\Z", re.ASCII)
FILE_ALONE = re.compile(r"([^\n]+\.py):?\Z")
REAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?\Z", re.ASCII | re.IGNORECASE)


@cache
def _own(game: str) -> dict[tuple[str | None, str], StrategyInfo]:
    """The strategies of the modules `strategies/GAME*.py`, by (kind, name)."""
    found = {}
    for module_info in pkgutil.iter_modules(strategies.__path__):
        if module_info.name.startswith(module_of(game)):
            module = importlib.import_module(f"strategies.{module_info.name}")
            for value in vars(module).values():
                info = getattr(value, "__playout__", None)
                if isinstance(info, StrategyInfo) and info.game == game:
                    found[(info.kind, info.name)] = info
    return found


_registered: dict[str, dict[tuple[str | None, str], StrategyInfo]] = {}


def register(function: object) -> None:
    """Add a function declared with `@strategy` that lives outside this package."""
    info: StrategyInfo = function.__playout__  # type: ignore[attr-defined]
    assert info.game is not None
    _registered.setdefault(info.game, {})[(info.kind, info.name)] = info


def _ours(rules: Ruleset) -> dict[tuple[str, str], StrategyInfo]:
    """Those of this package, and those added by `register`."""
    known = {**_own(rules.name), **_registered.get(rules.name, {})}
    return {(kind or rules.kinds[0], name): info for (kind, name), info in known.items()}


def registered(rules: Ruleset) -> dict[tuple[str, str], StrategyInfo]:
    """All registered strategy functions of a game, by (kind of decision, name).

    Those of installed packages come last (see `strategies.plugins`, also for what it raises).
    """
    ours = _ours(rules)
    return {**ours, **installed(rules, ours)}


def names(rules: Ruleset) -> list[str]:
    """The names that are whole strategies: they have a function for every kind of decision."""
    known = registered(rules)
    candidates = dict.fromkeys(name for _, name in known)
    return [name for name in candidates if all((kind, name) in known for kind in rules.kinds)]


@dataclass(frozen=True)
class Part:
    """One strategy function with the values of its parameters."""

    info: StrategyInfo
    values: Mapping[str, int | float]

    def text(self) -> str:
        """The spec of this function: its name, and the parameters that are not the default."""
        return _text_of(self.info.name, self.changed())

    def changed(self) -> dict[str, int | float]:
        """The parameters that are not the default."""
        params = self.info.params.items()
        return {n: self.values[n] for n, param in params if self.values[n] != param.default}


def _text_of(name: str, changed: Mapping[str, int | float]) -> str:
    return name + (f"({','.join(f'{n}={v}' for n, v in changed.items())})" if changed else "")


@dataclass(frozen=True)
class Strategy:
    """A whole strategy: one function for each kind of decision of a game, in their order."""

    parts: tuple[Part, ...]
    spec: str

    def compiled(self, rules: Ruleset) -> tuple[CompiledStrategy, ...]:
        """The machine code of each function; compiled once a process."""
        return tuple(_compiled(part.info, rules) for part in self.parts)

    def description(self, rules: Ruleset) -> dict[str, object]:
        """What a manifest says of a strategy."""
        return {
            "spec": self.spec,
            "functions": [
                {
                    "kind": kind,
                    "name": part.info.name,
                    "parameters": dict(part.values),
                    "digest": compiled.digest,
                }
                for kind, part, compiled in zip(
                    rules.kinds, self.parts, self.compiled(rules), strict=True
                )
            ],
        }


@cache
def _compiled_function(
    function: object, rules: Ruleset, name: str, debugging: bool
) -> CompiledStrategy:
    return compile_strategy(info_of(function), rules, name)


def _compiled(info: StrategyInfo, rules: Ruleset) -> CompiledStrategy:
    return _compiled_function(info.function, rules, info.name, interpreted.debugging)


def _split(spec: str, kinds: Sequence[str]) -> list[tuple[str, str]]:
    """The (kind, entry) pairs of `KIND=ENTRY,KIND=ENTRY…`; empty when the spec is not of that form.

    Paths and parameters hold commas too: a comma parts entries only before `KIND=`.
    """
    head = rf"\s*(?:{'|'.join(map(re.escape, kinds))})\s*="
    if not re.match(head, spec):
        return []
    pieces: list[str] = []
    for piece in re.split(rf",(?={head})", spec):
        if pieces and pieces[-1].count("(") > pieces[-1].count(")"):
            pieces[-1] += f",{piece}"  # a parameter by the name of a kind
        else:
            pieces.append(piece)
    pairs = [piece.partition("=") for piece in pieces]
    return [(kind.strip(), entry.strip()) for kind, _, entry in pairs]


def parse(spec: str, rules: Ruleset) -> Strategy:
    """The strategy that a spec names. Raises StrategyError with one sentence."""
    if not spec.strip():
        raise StrategyError(
            f"the strategy is empty; the strategies of {rules.name} are {one_of(names(rules))}"
        )
    pairs = _split(spec, rules.kinds)
    if pairs:
        parts = _parse_combination(spec, pairs, rules)
        combined = [f"{k}={p.text()}" for k, p in zip(rules.kinds, parts, strict=True)]
        return Strategy(parts, ",".join(combined) if len(parts) > 1 else parts[0].text())
    match = ENTRY.match(spec.strip())
    if len(rules.kinds) > 1 and match and match["file"]:
        kind = load_function(match["file"].strip(), match["function"]).kind
        if kind not in rules.kinds:
            raise StrategyError(
                f"strategy {spec!r} does not say which decision it takes; write "
                f"KIND={spec} with one of {one_of(rules.kinds)}"
            )
        return parse(f"{kind}={spec}", rules)
    parts = tuple(_parse_entry(spec, kind, rules, whole=True) for kind in rules.kinds)
    changed = {name: value for part in parts for name, value in part.changed().items()}
    return Strategy(parts, _text_of(parts[0].info.name, changed))


def _parse_combination(spec: str, pairs: list[tuple[str, str]], rules: Ruleset) -> tuple[Part, ...]:
    chosen: dict[str, Part] = {}
    for kind, entry in pairs:
        if kind in chosen:
            raise StrategyError(f"strategy {spec!r} names the decision {kind!r} twice")
        chosen[kind] = _parse_entry(entry, kind, rules)
    for kind in rules.kinds:
        if kind not in chosen:
            chosen[kind] = _parse_entry(rules.yardsticks[-1], kind, rules)
    return tuple(chosen[kind] for kind in rules.kinds)


def _parse_entry(text: str, kind: str, rules: Ruleset, whole: bool = False) -> Part:
    """One function; of a `whole` strategy each function takes those parameters that it has."""
    text = text.strip()
    match = ENTRY.match(text)
    if not match:
        raise StrategyError(_unreadable(text, rules))
    if match["file"]:
        info = load_function(match["file"].strip(), match["function"])
        if info.game not in (None, rules.name):
            raise StrategyError(f"strategy {info.name} is for {info.game}, not for {rules.name}")
        if info.kind not in (None, kind):
            raise StrategyError(f"strategy {info.name} decides {info.kind!r}, not {kind!r}")
    else:
        info = _find(match["name"], kind, rules)
    shared: dict[str, Param] = {}
    if whole and match["name"]:
        for other in rules.kinds:
            shared |= _find(match["name"], other, rules).params
    return Part(info, _parameters(info, match["arguments"], shared))


def _unreadable(text: str, rules: Ruleset) -> str:
    """What is wrong with an entry that has none of the allowed forms."""
    file = FILE_ALONE.match(text)
    if file:
        known = functions_of(file[1])
        return f"strategy {text!r} does not name a function; write {file[1]}:FUNCTION; {known}"
    head, equals, _ = text.partition("=")
    if equals and re.fullmatch(r"[A-Za-z][\w-]*", head.strip()):
        return (
            f"strategy {text!r} cannot be read: {rules.name} has no decision {head.strip()!r}; "
            f"its decisions are {one_of(rules.kinds)}"
        )
    return (
        f"strategy {text!r} cannot be read; write NAME, NAME(parameter=value), or FILE.py:FUNCTION"
    )


def _find(name: str, kind: str, rules: Ruleset) -> StrategyInfo:
    ours = _ours(rules)
    if (kind, name) in ours:
        return ours[(kind, name)]  # no package is loaded for it
    known = registered(rules)
    if (kind, name) in known:
        return known[(kind, name)]
    elsewhere = [k for k, n in known if n == name]
    if elsewhere:
        raise StrategyError(
            f"strategy {name!r} decides {one_of(elsewhere)}, not {kind!r}; for {kind!r} there are "
            f"{one_of(n for k, n in known if k == kind)}"
        )
    whole = names(rules) if len(rules.kinds) == 1 else [n for k, n in known if k == kind]
    close = get_close_matches(name, whole, 1)
    meant = f" (did you mean {close[0]}?)" if close else ""
    raise StrategyError(
        f"{rules.name} has no strategy {name!r}{meant}; there are {one_of(whole)}, "
        f"or your own as FILE.py:FUNCTION"
    )


def _parameters(
    info: StrategyInfo, arguments: str | None, shared: Mapping[str, Param]
) -> dict[str, int | float]:
    """The values of a function's parameters; `shared` are those of the whole strategy."""
    given = read_parameters(f"strategy {info.name}", shared or info.params, arguments)
    return {name: given.get(name, param.default) for name, param in info.params.items()}


def read_parameters(
    label: str, params: Mapping[str, Param], arguments: str | None
) -> dict[str, int | float]:
    """The parameters that a spec gives, by name; the first ones may be numbers without a name.

    `label` begins the sentence of the StrategyError that says what is wrong.
    """
    values: dict[str, int | float] = {}
    named = False
    for place, piece in enumerate((arguments or "").split(",")):
        if not piece.strip():
            if (arguments or "").strip():
                raise StrategyError(f"{label}: a parameter is missing between commas")
            continue
        name, equals, text = (part.strip() for part in piece.partition("="))
        named = named or bool(equals)
        if not named and REAL.match(name) and place < len(params):
            name, text = list(params)[place], name
        elif not equals:
            raise StrategyError(f"{label}: {piece.strip()!r} is not parameter=value")
        if name not in params:
            known = one_of(params)
            raise StrategyError(
                f"{label} has no parameter {name!r}; "
                f"{f'its parameters are {known}' if known else 'it takes none'}"
            )
        if name in values:
            raise StrategyError(f"{label}: parameter {name!r} is given twice")
        values[name] = _value(label, name, params[name], text)
    return values


def _value(label: str, name: str, param: Param, text: str) -> int | float:
    pattern = REAL if param.is_float else WHOLE
    value = (float(text) if param.is_float else int(text)) if pattern.match(text) else None
    if value is None or not param.low <= value <= param.high:
        raise StrategyError(
            f"{label}: {name}={text or repr(text)} is not allowed: it is {param.allowed()}"
        )
    return value
