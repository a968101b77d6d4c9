"""How well the players of the memory duel remember, in plain Python: the models of MD-8."""

import math
import re
from dataclasses import dataclass

SPEC = re.compile(r"(\w+)\((.*)\)")
#: The parameters of each model in their order, with their defaults in order and in any order.
MODELS: dict[str, dict[str, tuple[float, float]]] = {
    "iid": {"p": (0.9, 0.9)},
    "logistic": {"k": (4.65, 4.67), "s": (0.535, 0.572), "lapse": (0.027, 0.0)},
    "capacity": {"k": (4.5, 4.65), "sd": (1.23, 1.07)},
    "persistent": {"p": (0.95, 0.95)},
}


@dataclass(frozen=True)
class Memory:
    """A recall model of one seat."""

    name: str
    values: dict[str, float]

    @classmethod
    def read(cls, spec: str, order: str = "in-order") -> "Memory":
        """Read a spec such as `iid(0.9)` or `logistic(k=5,s=1)`; raise ValueError for any other."""
        match = SPEC.fullmatch(spec if "(" in spec else f"{spec}()")
        if not match or match[1] not in MODELS:
            raise ValueError(f"{spec!r} is no recall model")
        parameters = MODELS[match[1]]
        values = {name: both[order == "any-order"] for name, both in parameters.items()}
        for place, piece in enumerate(text for text in match[2].split(",") if text):
            name, equals, number = piece.partition("=")
            if not equals:
                name, number = list(parameters)[place], piece
            if name not in parameters:
                raise ValueError(f"{match[1]} has no parameter {name!r}")
            values[name] = float(number)
        return cls(match[1], values)

    @property
    def is_persistent(self) -> bool:
        """Tell whether cards are lost one by one (MD-8)."""
        return self.name == "persistent"

    def chance(self, n: int) -> float:
        """Return the probability of reciting n cards, for models that draw it at the call."""
        v = self.values
        if self.name == "iid":
            return float(v["p"] ** n)
        if self.name == "logistic":
            weight = (n - v["k"]) / v["s"]
            if weight > 700:  # beyond what a float's exponent holds
                return 0.0
            return (1 - v["lapse"]) / (1 + math.exp(weight))
        return 0.5 * math.erfc((n - v["k"]) / (v["sd"] * math.sqrt(2)))

    def can_end(self, n: int) -> set[bool]:
        """Return the ways in which a recital of n cards can end."""
        if self.is_persistent:
            sure = self.values["p"]
        else:
            sure = self.chance(n)
        return {True} if sure >= 1 else {False} if sure <= 0 else {True, False}
