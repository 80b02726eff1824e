"""`%%sluice` in a real kernel of Jupyter."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from conftest import ANALYST, Product
from sluice_client import UsageError
from sluice_client.notebook import parameter_names, parse_line


def run_cells(product: Product, monkeypatch: pytest.MonkeyPatch, *cells: str) -> list[Any]:
    for name, value in {
        **product.environment,
        "SLUICE_EMAIL": ANALYST["email"],
        "SLUICE_PASSWORD": ANALYST["password"],
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("IPYTHONDIR", os.environ["XDG_CONFIG_HOME"])
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=120).execute()
    return [cell.outputs for cell in notebook.cells]


def texts(outputs: list[Any]) -> str:
    found = [output.get("text", "") + "".join(output.get("data", {}).values()) for output in outputs]
    return "\n".join(found)


def test_cell(product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    outputs = run_cells(
        product,
        monkeypatch,
        "%load_ext sluice_client\norigin = 'SFO'",
        "%%sluice df --limit 1000\nSELECT * FROM flights WHERE origin = $origin",
        "print(len(df), set(df['origin']))",
        "%%sluice\nSELECT 42 AS answer",
        "%%sluice frame --polars\nSELECT 1 AS one",
        "print(type(frame).__module__)",
    )
    assert "Complete, 1,000 rows; the statement has more than the limit" in texts(outputs[1])
    assert texts(outputs[2]) == "1000 {'SFO'}\n"
    assert "42" in texts(outputs[3])
    assert "polars" in texts(outputs[5])


def test_error_has_the_place(product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CellExecutionError) as raised:
        run_cells(product, monkeypatch, "%load_ext sluice_client", "%%sluice df\nSELECT 1,\n  nope FROM flights")
    assert "  nope FROM flights\n  ^" in str(raised.value)


def test_line() -> None:
    assert parse_line("") == (None, "pandas", {})
    assert parse_line("df --limit 5 --keep 1h --arrow") == ("df", "arrow", {"limit": 5, "keep": "1h"})
    for line in ("a b", "--limit", "--limit x", "--unknown"):
        with pytest.raises(UsageError, match="Usage"):
            parse_line(line)


def test_parameter_names() -> None:
    assert parameter_names("SELECT $a, '$b', \"$c\", $a -- $d\n, $e /* $f */, $$ $g $$") == ["a", "e"]
