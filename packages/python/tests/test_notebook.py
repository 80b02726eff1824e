"""`%%sluice` in a real kernel of Jupyter."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from conftest import ANALYST, Product
from sluice_client import Client, UsageError
from sluice_client.amounts import size_text
from sluice_client.events import Progress
from sluice_client.notebook import HELP, parameter_names, parse_line, progress_line
from sluice_client.notebook_completion import OPTIONS, complete
from test_client import ENDLESS, state_of


def set_login(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    login = {"SLUICE_EMAIL": ANALYST["email"], "SLUICE_PASSWORD": ANALYST["password"]}
    for name, value in {**product.environment, **login, "IPYTHONDIR": os.environ["XDG_CONFIG_HOME"]}.items():
        monkeypatch.setenv(name, value)


def run_cells(product: Product, monkeypatch: pytest.MonkeyPatch, *cells: str) -> list[Any]:
    set_login(product, monkeypatch)
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
    assert "Cut at your limit: 1,000 rows; the statement has more" in texts(outputs[1])
    assert texts(outputs[2]) == "1000 {'SFO'}\n"
    assert "42" in texts(outputs[3])
    assert "polars" in texts(outputs[5])


def test_ipython_sql(product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    outputs = run_cells(
        product,
        monkeypatch,
        "%load_ext sql\n%config SqlMagic.style = '_DEPRECATED_DEFAULT'\n"
        "from sqlalchemy.dialects import registry\n"
        "registry.register('sluice', 'sluice_client.sqlalchemy', 'SluiceDialect')\nstate = 'HI'",
        "%sql sluice://",
        "found = %sql SELECT iata, city FROM airports WHERE state = :state ORDER BY iata LIMIT 2\nprint(list(found))",
        "%%sql\nSELECT count(*) AS n\nFROM airports",
        "print(found.DataFrame().shape)",
    )
    assert "[('HDH', 'Mokuleia'), ('HI01', 'Hanalei')]" in texts(outputs[2])
    assert "3376" in texts(outputs[3])
    assert texts(outputs[4]) == "(2, 2)\n"


def test_error_has_the_place(product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CellExecutionError) as raised:
        run_cells(product, monkeypatch, "%load_ext sluice_client", "%%sluice df\nSELECT 1,\n  nope FROM flights")
    assert "LINE 2:   nope FROM flights\n          ^" in str(raised.value)


def test_line() -> None:
    assert parse_line("") == (None, "pandas", {})
    assert parse_line("df --limit 5 --keep 1h --arrow") == ("df", "arrow", {"limit": 5, "keep": "1h"})
    assert parse_line("--catalog demo --schema vega") == (None, "pandas", {"catalog": "demo", "schema": "vega"})
    for line in ("a b", "--limit", "--limit x", "--unknown", "for", "--polars --arrow"):
        with pytest.raises(UsageError, match="Usage"):
            parse_line(line)


def test_parameter_names() -> None:
    assert parameter_names("SELECT $a, '$b', \"$c\", $a -- $d\n, $e /* $f */, $$ $g $$") == ["a", "e"]


@contextlib.contextmanager
def started_kernel(product: Product, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    """Starts a kernel and connects to it, as JupyterLab does."""
    set_login(product, monkeypatch)
    manager, kernel = start_new_kernel(startup_timeout=120)
    try:
        yield manager, kernel
    finally:
        kernel.stop_channels()
        manager.shutdown_kernel(now=True)


def test_interrupt_stops_the_engine(product: Product, client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with started_kernel(product, monkeypatch) as (manager, kernel):
        kernel.execute_interactive("%load_ext sluice_client", timeout=60, output_hook=print)
        for options in ("df", "df --limit 10"):
            before = {each["query_id"] for each in client.history(state="RUNNING")}
            kernel.execute(f"%%sluice {options}\n{ENDLESS}")
            query_id = new_query(client, before)
            begun = time.monotonic()
            manager.interrupt_kernel()
            reply = kernel.get_shell_msg(timeout=60)["content"]
            assert state_of(client, query_id) == "CANCELLED"
            assert time.monotonic() - begun < 2
            assert reply["status"] == "error"
            assert "Interrupted: the query was cancelled on the server" in "".join(reply["traceback"])
        assert "42" in run_in(kernel, "%%sluice\nSELECT 42 AS answer")


PERSON = "from sluice_client.connecting import is_person_there\nprint(is_person_there())"


def test_person_in_a_notebook(product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert texts(run_cells(product, monkeypatch, PERSON)[0]) == "False\n"
    with started_kernel(product, monkeypatch) as (_, kernel):
        assert "True" in run_in(kernel, PERSON)


def new_query(client: Client, before: set[str]) -> str:
    for _ in range(200):
        found = [each["query_id"] for each in client.history(state="RUNNING") if each["query_id"] not in before]
        if found:
            return str(found[0])
        time.sleep(0.05)
    raise AssertionError("The query of the notebook did not start.")


def run_in(kernel: Any, code: str) -> str:
    printed: list[str] = []
    kernel.execute_interactive(code, timeout=60, output_hook=lambda message: printed.append(str(message["content"])))
    return "".join(printed)


def test_completion(product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with started_kernel(product, monkeypatch) as (_, kernel):
        run_in(
            kernel, "%load_ext sluice_client\n%reload_ext sluice_client\nimport math\norigin = 'SFO'\nore = [1]\norder = print"
        )

        def complete(code: str) -> tuple[list[str], int]:
            reply = kernel.complete(code, reply=True, timeout=60)["content"]
            return reply["matches"], reply["cursor_start"]

        assert complete("%%sluice df\nSELECT * FROM flights WHERE origin = $or") == (["ore", "origin"], 50)
        assert complete("%%sluice df\nSELECT $origi") == (["origin"], 20)
        assert complete("%%sluice df --li") == (["--limit"], 12)
        assert "math" in complete("mat")[0]
        assert complete("%%sluice\nSELECT $nothing")[0] == []


def test_words_of_an_error(product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with started_kernel(product, monkeypatch) as (_, kernel):
        kernel.execute_interactive("%load_ext sluice_client", timeout=60, output_hook=print)
        for cell, words in (
            ("%%sluice\nSELECT 1,\n  nope FROM flights", "LINE 2:   nope FROM flights\\n          ^"),
            ("%%sluice\nSELECT $absent", "no variable absent for $absent"),
            ("%%sluice df --nothing\nSELECT 1", "Usage: %%sluice"),
        ):
            printed = run_in(kernel, cell)
            assert words in printed
            assert "site-packages" not in printed
            assert "notebook.py" not in printed
        assert "Waiting for the engine" not in run_in(kernel, "%%sluice --limit 0\nSELECT 1")
        # The line below the cell leaves the sentence to the error, whose message has it as text and as traceback.
        printed = run_in(kernel, "%%sluice\nSELECT 1 FROM flihgts")
        assert "Failed after 0 rows." in printed
        assert printed.count("flihgts does not exist") == 2
        assert "Did you mean" in printed


def test_complete() -> None:
    names = {"origin": "SFO", "Other": 1, "frame": object(), "_1": 1, "n": [1] * 5000, "typed": {"type": "date", "value": "x"}}
    assert complete("%%sluice\nSELECT $", names) == ("", ["_1", "n", "origin"])
    assert complete("%%sluice\nSELECT $o", names) == ("o", ["origin"])
    assert complete("%%sluice\nSELECT o", names) is None
    assert complete("SELECT $o", names) is None
    assert complete("%%sluice --", names) == (
        "--",
        ["--arrow", "--catalog", "--keep", "--limit", "--pandas", "--polars", "--schema", "--time-zone"],
    )


def test_seconds_while_the_engine_is_silent(product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with started_kernel(product, monkeypatch) as (manager, kernel):
        kernel.execute_interactive("%load_ext sluice_client", timeout=60, output_hook=print)
        kernel.execute(f"%%sluice df\n{ENDLESS}")
        shown = ""
        deadline = time.monotonic() + 60
        while not re.search(r"Waiting for the engine, ([2-9]|\d\d+) s", shown):
            assert time.monotonic() < deadline, shown
            shown = str(kernel.get_iopub_msg(timeout=60)["content"])
        manager.interrupt_kernel()
        assert kernel.get_shell_msg(timeout=60)["content"]["status"] == "error"


def test_progress_line() -> None:
    assert repr(progress_line(None, 3.2)) == "Waiting for the engine, 3 s"
    assert repr(progress_line(Progress("RUNNING", 0, 1_300_000, None, None), 1)) == "Running: 1.3 MB, 1 s"
    line = progress_line(Progress("RUNNING", 7, 90, 1, 4), 61)
    assert repr(line) == "Running: 7 rows, 90 bytes, 1 of 4 parts of the engine's work, 61 s"
    assert '<progress value="1" max="4">' in line._repr_html_()


def test_help_lists_every_option() -> None:
    assert all(option in HELP for option in OPTIONS)


def test_sizes() -> None:
    assert [size_text(size) for size in (7, 1_500, 2_000_000, 5 * 10**12)] == ["7 bytes", "1.5 kB", "2.0 MB", "5,000.0 GB"]
