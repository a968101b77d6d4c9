"""Tables as CSV files: full precision, and no cell that a spreadsheet takes for a formula."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from reports.outcomes import OutcomeTable
from sim.store import write_atomically

if TYPE_CHECKING:
    import pandas as pd

#: Spreadsheets run cells that begin so (OWASP, CSV injection).
FORMULA = re.compile("[=+\\-@\t\r\n＝＋－＠]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\Z", re.ASCII | re.IGNORECASE)


def harmless(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would run it; numbers stay."""
    return f"'{text}" if FORMULA.match(text) and not NUMBER.match(text) else text


def csv_text(table: pd.DataFrame | OutcomeTable) -> str:
    """A table as CSV: quoted as in RFC 4180, lines end with a line feed, nothing for no value."""
    import pandas as pd

    frame = table.to_frame() if isinstance(table, OutcomeTable) else table
    safe = frame.rename(columns=lambda name: harmless(str(name)))
    for place in range(safe.shape[1]):
        column = safe.iloc[:, place]
        if column.dtype.kind not in "biufc":
            cells = [harmless(cell) if isinstance(cell, str) else cell for cell in column]
            safe.isetitem(place, pd.array(cells, dtype=object))
    text: str = safe.to_csv(index=False, lineterminator="\n")
    return text


def write_csv(table: pd.DataFrame | OutcomeTable, path: Path) -> None:
    """Write a table as a CSV file, atomically. Raises StorageError."""
    write_atomically(path, csv_text(table).encode())
