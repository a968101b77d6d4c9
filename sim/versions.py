"""The versions that results depend on."""

import platform


def versions() -> dict[str, str]:
    """The versions that results depend on."""
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version()}
    for package in ("playout", "numpy", "numba"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed as a package"
    return found
