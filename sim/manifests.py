"""What a run folder's manifest says of its experiment, and how that differs from another."""

import platform
from collections.abc import Mapping
from typing import Any

from sim.options import shown


def is_whole(manifest: Any) -> bool:
    """Whether a manifest has what `open` looks at, of the right types."""
    if not isinstance(manifest, dict) or not isinstance(manifest.get("experiment"), dict):
        return False
    strategies = manifest["experiment"].get("strategies")
    return (
        isinstance(manifest["experiment"].get("options"), dict)
        and isinstance(strategies, list)
        and all(isinstance(seat, dict) for seat in strategies)
        and all(isinstance(seat.get("functions"), list) for seat in strategies)
        and manifest.get("keep") in ("games", "counts")
        and isinstance(manifest.get("games"), int)
    )


def differences(manifest: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """What differs between a manifest's experiment and the wanted identity, in words."""
    stored, found = manifest["experiment"], []
    for name in ("game", "seed"):
        if stored.get(name) != wanted[name]:
            found.append(f"its {name} is {stored.get(name)!r}, not {wanted[name]!r}")
    old, new = stored["options"], wanted["options"]
    for name in {**old, **new}:
        if old.get(name) != new.get(name):
            texts = [shown(options[name]) if name in options else "unset" for options in (old, new)]
            found.append(f"its option {name} is {texts[0]}, not {texts[1]}")
    seats = list(zip(stored["strategies"], wanted["strategies"], strict=False))
    if len(stored["strategies"]) != len(wanted["strategies"]):
        found.append(f"it has {len(stored['strategies'])} seats, not {len(wanted['strategies'])}")
    changed = []
    found += _other_models(stored.get("models"), wanted.get("models"))
    for seat, (a, b) in enumerate(seats):
        if _played(a) == _played(b):  # the same code and parameters, whatever the file is called
            continue
        if a.get("spec") != b["spec"]:
            found.append(f"its strategy of seat {seat} is {a.get('spec')}, not {b['spec']}")
        else:
            changed.append(f"the code of strategy {b['spec']}")
    if stored.get("rules") != wanted.get("rules"):
        changed.append("the code of the rules")
    if not found and not changed:  # a table follows from the rest, or from a changed solver
        changed = [
            f"the table of strategy {b['spec']}" for a, b in seats if _tables(a) != _tables(b)
        ]
    if changed:
        found.append(f"{' and '.join(dict.fromkeys(changed))} has changed since{_python(manifest)}")
    return found


def _played(seat: Mapping[str, Any]) -> list[Any]:
    """What decides how a strategy plays: its functions' code and parameters."""
    functions = [f if isinstance(f, dict) else {} for f in seat["functions"]]
    return [[f.get(key) for key in ("kind", "digest", "parameters")] for f in functions]


def _tables(seat: Mapping[str, Any]) -> list[Any]:
    """The tables that a strategy has prepared, by their digests."""
    return [f.get("table") if isinstance(f, dict) else None for f in seat["functions"]]


def _other_models(stored: Any, wanted: Any) -> list[str]:
    """Which recall models differ: those that do not give the same probabilities."""
    if wanted is None and stored is None:
        return []
    old, new = (
        [m if isinstance(m, dict) else {} for m in models] if isinstance(models, list) else []
        for models in (stored, wanted)
    )
    if len(old) != len(new):
        return [f"it has {len(old)} recall models, not {len(new)}"]
    found = []
    for seat, (a, b) in enumerate(zip(old, new, strict=True)):
        if a.get("digest") == b["digest"]:
            continue
        if a.get("spec") == b["spec"]:
            found.append(f"what the recall model {b['spec']} returns has changed since")
        else:
            found.append(f"its recall model of seat {seat} is {a.get('spec')}, not {b['spec']}")
    return list(dict.fromkeys(found))


def _python(manifest: Mapping[str, Any]) -> str:
    """A remark when the folder comes from another Python, whose compiled code is never equal."""
    versions = manifest.get("versions")
    before = versions.get("python") if isinstance(versions, dict) else None
    now = platform.python_version()
    if before is None or str(before).split(".")[:2] == now.split(".")[:2]:
        return ""
    return f", or only looks so because Python was {before} and is {now}"
