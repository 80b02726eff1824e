"""`%%sluice` for notebooks."""

from __future__ import annotations

import contextvars
import keyword
import re
import shlex
import threading
import time
from html import escape
from types import TracebackType
from typing import Any

from . import connect
from .amounts import size_text
from .client import Client
from .errors import SluiceError, UsageError
from .events import Progress
from .notebook_completion import add_completion
from .result import Result

USAGE = (
    "%%sluice [NAME] [--limit ROWS] [--keep DURATION] [--time-zone ZONE] [--catalog NAME] [--schema NAME] [--polars | --arrow]"
)
HELP = f"""Runs the statement of the cell, and stores its dataframe in the variable NAME. Without one, the cell shows it.

    {USAGE}

Each $name in the statement is the variable of the notebook.

--limit ROWS      at most this many rows
--keep DURATION   keeps the result on the server: 30m, 24h, 7d
--time-zone ZONE  IANA name of the time zone of the session
--catalog NAME    catalog of names that have none
--schema NAME     schema of names that have none
--polars          a dataframe of polars instead of pandas
--arrow           a table of pyarrow instead of pandas
--pandas          a dataframe of pandas, as without an option

Example:

    origin = "SFO"

    %%sluice df --limit 1000
    SELECT * FROM flights WHERE origin = $origin
"""  # noqa: S608 (a text for people)
"""What `%%sluice?` shows."""
REDRAW_SECONDS = 1.0
"""Time between two redraws of the line. A thread makes them, because the engine may be silent meanwhile."""
CLIENT_NAME = "sluice"
_PARAMETER = re.compile(
    r"""'(?:[^']|'')*' | "(?:[^"]|"")*" | --[^\n]* | /\*.*?\*/ | (\$\w*\$).*?\1 | \$([a-z_][a-z0-9_]*)""",
    re.DOTALL | re.VERBOSE,
)
OPTIONS = {
    "--limit": "limit",
    "--keep": "keep",
    "--time-zone": "time_zone",
    "--catalog": "catalog",
    "--schema": "schema",
}


def parameter_names(sql: str) -> list[str]:
    """Returns the names of the parameters of a statement. `$name` in strings, quoted names and comments is none."""
    return list(dict.fromkeys(found[2] for found in _PARAMETER.finditer(sql) if found[2] is not None))


def parse_line(line: str) -> tuple[str | None, str, dict[str, Any]]:
    """Reads the line of the magic: the name of the variable, the kind of dataframe, and options of the query.

    Raises:
        UsageError: for words that it does not have
    """
    name: str | None = None
    kind: str | None = None
    options: dict[str, Any] = {}
    words = iter(_split(line))
    for word in words:
        if word in OPTIONS:
            value = next(words, None)
            if value is None:
                raise UsageError(f"{word} needs a value. Usage: {USAGE}")
            options[OPTIONS[word]] = value
        elif word in ("--polars", "--arrow", "--pandas"):
            if kind not in (None, word[2:]):
                raise UsageError(f"--{kind} and {word} exclude each other. Usage: {USAGE}")
            kind = word[2:]
        elif name is None and word.isidentifier() and not keyword.iskeyword(word):
            name = word
        else:
            raise UsageError(f"{word} is not understood. Usage: {USAGE}")
    if "limit" in options:
        if not str(options["limit"]).isdecimal():
            raise UsageError(f"--limit needs a whole number. Usage: {USAGE}")
        options["limit"] = int(options["limit"])
    return name, kind or "pandas", options


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as cause:
        raise UsageError(f"The line of the cell has a quote without its end. Usage: {USAGE}") from cause


def parameters_of(sql: str, names: dict[str, Any]) -> dict[str, Any]:
    """Returns the values of the parameters of a statement.

    Raises:
        UsageError: if the notebook has no variable for one
    """
    found = parameter_names(sql)
    missing = [each for each in found if each not in names]
    if missing:
        raise UsageError(f"The notebook has no variable {missing[0]} for ${missing[0]}. Set it in a cell before.")
    return {each: names[each] for each in found}


class _Line:
    """A line that a notebook shows as HTML, and a terminal as text."""

    def __init__(self, text: str, bar: str = "") -> None:
        self._text = text
        self._bar = bar

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return f"<div>{self._bar}{escape(self._text)}</div>"


def progress_line(progress: Progress | None, seconds: float) -> _Line:
    """Returns the line of a query that runs.

    Args:
        progress: what is known; None before its first report
        seconds: time since the query began
    """
    if progress is None:
        return _Line(f"Waiting for the engine, {seconds:.0f} s")
    done, total = progress.splits_done, progress.splits_total
    bar, part = "", ""
    if done is not None and total:
        bar = f'<progress value="{done}" max="{total}"></progress> '
        part = f", {done:,} of {total:,} parts of the engine's work"
    counts = (f"{progress.rows:,} rows, " if progress.rows else "") + size_text(progress.bytes)
    return _Line(f"{progress.state.capitalize()}: {counts}{part}, {seconds:.0f} s", bar)


class ProgressLine:
    """One line of output that shows the progress of a query with its seconds, and at last its state.

    Args:
        is_live: whether the line can be replaced. A terminal gets its last state only
    """

    def __init__(self, is_live: bool) -> None:
        from IPython.display import display  # pyright: ignore[reportUnknownVariableType, reportMissingImports]

        self._display: Any = display
        self._is_live = is_live
        self._begun = time.monotonic()
        self._progress: Progress | None = None
        self._handle: Any = None
        self._ended = threading.Event()
        # The context has the cell that the output belongs to.
        self._thread = threading.Thread(target=contextvars.copy_context().run, args=(self._redraw,), daemon=True)

    def note(self, progress: Progress) -> None:
        """Notes counts and the progress of the engine, which the next redraw shows."""
        self._progress = progress

    def show(self, text: str) -> None:
        """Shows the last state."""
        self._end()
        if self._handle is None:
            self._display(_Line(text))
        else:
            self._handle.update(_Line(text))

    def _end(self) -> None:
        self._ended.set()
        if self._handle is not None:
            self._thread.join()

    def _redraw(self) -> None:
        while not self._ended.wait(REDRAW_SECONDS):
            self._handle.update(progress_line(self._progress, time.monotonic() - self._begun))

    def __enter__(self) -> ProgressLine:
        if self._is_live:
            self._handle = self._display(_Line("Waiting for the engine"), display_id=True)
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._end()


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


def _in_words(error: BaseException, text: str) -> BaseException:
    """Returns an error that IPython shows as a text, without the frames of this package, which say nothing about the cell."""
    setattr(error, "_render_traceback_", lambda: text.split("\n"))  # noqa: B010 (the class does not have it)
    return error


def run_cell(names: dict[str, Any], line: str, sql: str, is_live: bool = True) -> Any:
    """Runs a cell, and returns its dataframe if the line names no variable.

    Args:
        names: variables of the notebook
        line: words behind `%%sluice`
        sql: the rest of the cell
        is_live: whether a line of output can be replaced
    """
    try:
        name, kind, options = parse_line(line)
        parameters = parameters_of(sql, names)
        client = find_client(names)
        progress = ProgressLine(is_live)
        result = client.query(sql, parameters, on_progress=progress.note, **options)
        with progress:
            frame = _fetch(result, kind, progress)
    except SluiceError as error:
        raise _in_words(error, f"{type(error).__name__}: {error}")  # noqa: B904 (it is the same error)
    if name is None:
        return frame
    names[name] = frame
    return None


def _fetch(result: Result, kind: str, progress: ProgressLine) -> Any:
    try:
        frame = {"pandas": result.to_pandas, "polars": result.to_polars, "arrow": result.to_arrow}[kind]()
    except KeyboardInterrupt as error:
        text = f"Interrupted: the query was cancelled on the server. {result_state(result)}."
        progress.show(text)
        raise _in_words(error, text)  # noqa: B904 (it is the same error)
    except SluiceError as error:
        # The error itself is shown below the line.
        state = result_state(result).removesuffix(f": {error}")
        progress.show("Not run." if state.startswith("Not run") else f"{state}.")
        raise
    progress.show(result_state(result))
    return frame


def load(shell: Any) -> None:
    """Registers the magic and its completion."""
    is_live = getattr(shell, "kernel", None) is not None

    def sluice(line: str, cell: str) -> Any:
        return run_cell(shell.user_ns, line, cell, is_live)

    sluice.__doc__ = HELP
    shell.register_magic_function(sluice, magic_kind="cell", magic_name="sluice")
    add_completion(shell)
