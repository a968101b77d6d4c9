"""Fixtures of the fault tests."""

from tests.cli.conftest import call

__all__ = ["call"]
