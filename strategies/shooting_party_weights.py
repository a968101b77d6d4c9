"""The weights of the learned player of the Shooting Party: real numbers to whole ones, and files.

Play uses whole numbers only, so that no rounding of a processor decides an action and a game is the
same on every machine, as in the networks of chess programs (NNUE, Nasu 2018):

    first layer    sums of rows, 16 bits, one unit is 1 / FIRST
    activation     limited to 0 … CLIP
    second layer   products of 16 bits added up in 32, weights in units of 1 / SECOND
    output         64 bits, weights in units of 1 / OUTPUT

`quantise` proves for the weights at hand that no sum can leave its range.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from strategies.shooting_party_features import GROUPS, ROWS

CLIP = 4  # of the activations, as in training
FIRST, SECOND, OUTPUT = 256, 1024, 1024
#: From a sum of the second layer (units of 1 / (FIRST * SECOND)) to an activation (1 / FIRST).
SHIFT = 10
TOP = CLIP * FIRST

NAMES = ("first_rows", "second_weights", "second_bias", "out_weights", "out_bias")


class Weights(NamedTuple):
    """A quantised network: the layers, and what is known of its training."""

    first_rows: np.ndarray[Any, Any]  # int16 (ROWS, width)
    second_weights: np.ndarray[Any, Any]  # int16 (narrow, width)
    second_bias: np.ndarray[Any, Any]  # int32 (narrow,)
    out_weights: np.ndarray[Any, Any]  # int32 (narrow,)
    out_bias: np.ndarray[Any, Any]  # int64 (1,)
    provenance: dict[str, Any]


def _whole(values: Any, unit: int, dtype: Any) -> np.ndarray[Any, Any]:
    scaled = np.rint(np.asarray(values, np.float64) * unit)
    limits = np.iinfo(dtype)
    if scaled.min() < limits.min or scaled.max() > limits.max:
        raise ValueError(
            f"a weight of {np.abs(values).max():.3g} does not fit {np.dtype(dtype)} in units of "
            f"1/{unit}"
        )
    return scaled.astype(dtype)


def quantise(network: tuple[np.ndarray[Any, Any], ...], provenance: dict[str, Any]) -> Weights:
    """Whole-number weights from a trained network; ValueError when a sum could overflow."""
    first_rows, second_weights, second_bias, out_weights, out_bias = network
    weights = Weights(
        _whole(first_rows, FIRST, np.int16),
        _whole(second_weights, SECOND, np.int16),
        _whole(second_bias, FIRST * SECOND, np.int32),
        _whole(out_weights, OUTPUT, np.int32),
        _whole(out_bias, FIRST * OUTPUT, np.int64),
        provenance,
    )
    check_ranges(weights)
    return weights


def real_numbers(weights: Weights) -> tuple[np.ndarray[Any, Any], ...]:
    """The network that quantised weights stand for, to train it further."""
    units = (FIRST, SECOND, FIRST * SECOND, OUTPUT, FIRST * OUTPUT)
    arrays = (getattr(weights, name) for name in NAMES)
    return tuple((a / unit).astype(np.float32) for a, unit in zip(arrays, units, strict=True))


def check_ranges(weights: Weights) -> None:
    """Raise ValueError if any position could make a sum overflow."""
    rows = weights.first_rows.astype(np.int64)
    high = sum(count * rows[a:b].max(axis=0) for a, b, count in GROUPS)
    low = sum(count * rows[a:b].min(axis=0) for a, b, count in GROUPS)
    second = np.abs(weights.second_weights.astype(np.int64)).sum(axis=1) * TOP
    second += np.abs(weights.second_bias.astype(np.int64))
    if high.max() > 32767 or low.min() < -32768:
        raise ValueError("a sum of the first layer could leave 16 bits")
    if second.max() >= 2**31:
        raise ValueError("a sum of the second layer could leave 32 bits")


def save(path: Path, weights: Weights) -> None:
    """Write a weights file: the arrays, and the provenance as text. The same bytes every time."""
    arrays = {name: getattr(weights, name) for name in NAMES}
    text = json.dumps(weights.provenance, indent=1, sort_keys=True)
    with open(path, "wb") as file:
        np.savez_compressed(file, provenance=np.array(text), **arrays)


def load(path: Path) -> Weights:
    """Read and check a weights file."""
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: np.ascontiguousarray(file[name]) for name in NAMES}
        provenance = json.loads(str(file["provenance"]))
    weights = Weights(**arrays, provenance=provenance)
    width = weights.first_rows.shape[1]
    narrow = len(weights.out_weights)
    if weights.first_rows.shape != (ROWS, width) or weights.second_weights.shape != (narrow, width):
        raise ValueError(f"{path.name} is not for the {ROWS} rows of this version's features")
    check_ranges(weights)
    return weights
