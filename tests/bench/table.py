"""The table that the measurements of the page are printed as."""

import os
import platform
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple


class Row(NamedTuple):
    """One measurement. Every target is the most that is allowed; None where nothing is promised."""

    what: str
    target: float | None
    measured: float
    unit: str


def verdict(row: Row) -> str:
    """Whether the target was met, or by how much it was missed.

    >>> verdict(Row("boot", 0.35, 0.42, "of stock"))
    'missed by 20 %'
    """
    if row.target is None:
        return ""
    if row.measured <= row.target:
        return "met"
    if row.target == 0:
        return f"missed by {row.measured:g}"
    return f"missed by {row.measured / row.target - 1:.0%}".replace("%", " %")


def print_table(rows: Iterable[Row]) -> None:
    """Prints one line for each measurement."""
    print(f"{'what':<76}{'target':>8}{'measured':>10}  {'unit':<12}")
    for row in rows:
        target = "" if row.target is None else f"{row.target:g}"
        print(f"{row.what:<76}{target:>8}{row.measured:>10.2f}  {row.unit:<12}{verdict(row)}".rstrip())


def print_machine(chromium_version: str) -> None:
    """Prints what it was measured on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"{os.cpu_count()} cores, {python}, Chromium {chromium_version}, {date.today().isoformat()}")
