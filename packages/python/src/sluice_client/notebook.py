"""`%%sluice` for notebooks."""

from __future__ import annotations

import re
import shlex
import time
from html import escape
from typing import Any

from . import connect
from .client import Client, Result
from .errors import SluiceError, UsageError
from .events import Progress

USAGE = "%%sluice [NAME] [--limit ROWS] [--keep DURATION] [--time-zone ZONE] [--polars | --arrow]"
REDRAW_SECONDS = 0.2
CLIENT_NAME = "sluice"
_PARAMETER = re.compile(
    r"""'(?:[^']|'')*' | "(?:[^"]|"")*" | --[^\n]* | /\*.*?\*/ | (\$\w*\$).*?\1 | \$([a-z_][a-z0-9_]*)""",
    re.DOTALL | re.VERBOSE,
)
OPTIONS = {"--limit": "limit", "--keep": "keep", "--time-zone": "time_zone"}


def parameter_names(sql: str) -> list[str]:
    """Returns the names of the parameters of a statement. `$name` in strings, quoted names and comments is none."""
    return list(dict.fromkeys(found[2] for found in _PARAMETER.finditer(sql) if found[2] is not None))


def parse_line(line: str) -> tuple[str | None, str, dict[str, Any]]:
    """Reads the line of the magic: the name of the variable, the kind of dataframe, and options of the query.

    Raises:
        UsageError: for words that it does not have
    """
    name: str | None = None
    kind = "pandas"
    options: dict[str, Any] = {}
    words = iter(shlex.split(line))
    for word in words:
        if word in OPTIONS:
            value = next(words, None)
            if value is None:
                raise UsageError(f"{word} needs a value. Usage: {USAGE}")
            options[OPTIONS[word]] = value
        elif word in ("--polars", "--arrow", "--pandas"):
            kind = word[2:]
        elif name is None and word.isidentifier():
            name = word
        else:
            raise UsageError(f"{word} is not understood. Usage: {USAGE}")
    if "limit" in options:
        if not str(options["limit"]).isdigit():
            raise UsageError(f"--limit needs a whole number. Usage: {USAGE}")
        options["limit"] = int(options["limit"])
    return name, kind, options


class ProgressLine:
    """One line of output that shows the progress of a query, and at last its state."""

    def __init__(self) -> None:
        from IPython.display import HTML, display  # pyright: ignore[reportUnknownVariableType, reportMissingImports]

        self._html: Any = HTML
        self._handle: Any = display(HTML("<div>Waiting for the engine</div>"), display_id=True)
        self._drawn = time.monotonic()

    def note(self, progress: Progress) -> None:
        """Shows counts, at most five times a second."""
        if time.monotonic() - self._drawn < REDRAW_SECONDS:
            return
        self._drawn = time.monotonic()
        done, total = progress.splits_done, progress.splits_total
        bar = f'<progress value="{done}" max="{total}"></progress> ' if done is not None and total else ""
        self.show(f"{bar}{progress.state.capitalize()}: {progress.rows:,} rows, {progress.bytes:,} bytes", raw=True)

    def show(self, text: str, raw: bool = False) -> None:
        """Replaces the line."""
        if self._handle is not None:
            self._handle.update(self._html(f"<div>{text if raw else escape(text)}</div>"))


def find_client(names: dict[str, Any]) -> Client:
    """Returns the client of the notebook: the variable `sluice`, else a new connection that it gets."""
    found = names.get(CLIENT_NAME)
    if isinstance(found, Client):
        return found
    client = connect()
    names.setdefault(CLIENT_NAME, client)
    return client


def result_state(result: Result) -> str:
    """Returns the state of a result in words."""
    return repr(result)[len("<Result: ") : -1]


def run_cell(names: dict[str, Any], line: str, sql: str) -> Any:
    """Runs a cell, and returns its dataframe if the line names no variable."""
    name, kind, options = parse_line(line)
    parameters = {each: names[each] for each in parameter_names(sql) if each in names}
    progress = ProgressLine()
    result: Result = find_client(names).query(sql, parameters, on_progress=progress.note, **options)
    try:
        frame = {"pandas": result.to_pandas, "polars": result.to_polars, "arrow": result.to_arrow}[kind]()
    except KeyboardInterrupt:
        progress.show(f"Interrupted: the query was cancelled on the server. {result_state(result)}.")
        raise
    except SluiceError:
        progress.show(result_state(result))
        raise
    progress.show(result_state(result))
    if name is None:
        return frame
    names[name] = frame
    return None


def load(shell: Any) -> None:
    """Registers the magic."""

    def sluice(line: str, cell: str) -> Any:
        """Runs the statement of the cell, and stores its dataframe in the variable that the line names."""
        return run_cell(shell.user_ns, line, cell)

    shell.register_magic_function(sluice, magic_kind="cell", magic_name="sluice")
