"""Amounts of rows and bytes in words."""

from __future__ import annotations

UNITS = ("bytes", "kB", "MB", "GB")


def rows_text(rows: int) -> str:
    """Returns a number of rows for people."""
    return f"{rows:,} row{'' if rows == 1 else 's'}"


def size_text(size: int) -> str:
    """Returns a number of bytes for people."""
    amount, unit = float(size), 0
    while amount >= 1000 and unit < len(UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{size:,} bytes" if unit == 0 else f"{amount:,.1f} {UNITS[unit]}"
