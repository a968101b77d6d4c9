"""`playout selfcheck`: sound here, and it says so where something is broken."""

import json

import numpy as np
import pytest

import scripts.selfcheck as selfcheck
from reports.intervals import Interval
from sim.audit import LeakError


def test_all_is_sound_here(call):
    """Exact checks, and rates on fixed seeds: this cannot fail by chance."""
    said = call("selfcheck", "--format", "json")
    found = json.loads(said.out)
    assert [check for check in found["checks"] if not check["sound"]] == []
    assert (said.status, found["sound"]) == (0, True)
    assert len(found["checks"]) > 20


def failed(checks):
    return [check.what for check in checks if not check.sound]


def test_a_wrong_interval_is_found(monkeypatch):
    """Intervals that are a tenth too narrow."""
    real = selfcheck.mean_t_of

    def narrow(values):
        found = real(values)
        middle, half = (found.low + found.high) / 2, 0.9 * found.half_width
        return Interval(middle - half, middle + half, found.level, found.method)

    monkeypatch.setattr(selfcheck, "mean_t_of", narrow)
    monkeypatch.setattr(selfcheck, "beta_binomial", lambda s, n: Interval(0.25, 0.36, 0.95, ""))
    assert "confidence sequences" in failed(selfcheck.known_answers())
    assert failed(selfcheck.promises()) == ["Student's t covers"]


def test_a_wrong_stream_is_found(monkeypatch):
    monkeypatch.setattr(selfcheck, "output_of", lambda word, n: np.uint64(n))
    assert failed(selfcheck.random_numbers()) == ["random stream"]


def test_a_leak_is_found(monkeypatch, call):
    def leak(experiment, games):
        raise LeakError("knows hidden cards")

    monkeypatch.setattr(selfcheck, "audit", leak)
    monkeypatch.setattr(selfcheck, "promises", lambda: iter(()))
    said = call("selfcheck")
    assert said.status == 1
    assert "FAILED" in said.out
    assert "knows hidden cards" in said.out


@pytest.mark.parametrize(("hits", "sound"), [(500, True), (428, False), (572, False)])
def test_rates(hits, sound):
    """Half of a thousand, and more than 4.5 standard deviations beside it."""
    assert selfcheck._rate("x", hits, 1000, 0.5).sound is sound
    assert selfcheck._at_most("x", hits, 1000, 0.5).sound is (hits < 572)
