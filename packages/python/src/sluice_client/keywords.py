"""Keyword arguments that a function does not have, with the place where they belong."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Collection
from typing import Any, TypeVar, cast

from .errors import UnknownOption

QUERY_OPTIONS = ("limit", "keep", "time_zone", "catalog", "schema", "on_progress", "resume_attempts", "on_resume")
ELSEWHERE = {
    "dtype_backend": "Pass it to to_pandas(): query(...).to_pandas(dtype_backend=...)",
    "format": "Files are written by download(sql, path, format=...)",
    "path": "Files are written by download(sql, path)",
    "params": "Pass the mapping as the second argument: query(sql, {...})",
    "size": "Pass limit= for at most this many rows, or read with fetchmany(size)",
    "timeout": "Pass it to connect(timeout=...)",
    "idle_timeout": "Pass it to connect(idle_timeout=...)",
}
"""Options of other functions that may be taken for options of `query`."""

F = TypeVar("F", bound=Callable[..., Any])


def require_parameters(sql: str, names: Collection[str]) -> None:
    """Returns if each keyword argument of `query` can be a parameter of its statement.

    A name that the statement does not have is a parameter that the host rejects, unless it resembles an option.

    Raises:
        UnknownOption: naming one that is meant as an option
    """
    for name in names:
        if re.search(rf"\${re.escape(name)}\b", sql):
            continue
        if name in ELSEWHERE:
            raise UnknownOption(f"query() has no option {name}=. {ELSEWHERE[name]}.")
        meant = _similar(name, QUERY_OPTIONS)
        if meant is not None:
            raise UnknownOption(f"query() has no option {name}=, and the statement has no ${name}. Did you mean {meant}=?")


def _similar(name: str, options: Collection[str]) -> str | None:
    import difflib  # it takes a part of the time of the import of the package

    found = difflib.get_close_matches(name, options, 1, 0.75)
    return found[0] if found else None


def explain_unknown(function: F) -> F:
    """Wraps a download, so that an unknown keyword argument is explained."""
    known = inspect.signature(function).parameters

    def check(names: Collection[str]) -> None:
        for name in names:
            if name not in known:
                raise UnknownOption(f"download() has no option {name}=. {_download_advice(name, known)}")

    @functools.wraps(function)
    def explained(*arguments: Any, **named: Any) -> Any:
        check(named)
        return function(*arguments, **named)

    @functools.wraps(function)
    async def explained_async(*arguments: Any, **named: Any) -> Any:
        check(named)
        return await function(*arguments, **named)

    return cast("F", explained_async if inspect.iscoroutinefunction(function) else explained)


def _download_advice(name: str, known: Collection[str]) -> str:
    if name == "limit":
        return "Write LIMIT into the statement."
    meant = _similar(name, known)
    if meant is not None:
        return f"Did you mean {meant}=?"
    return f'A parameter is passed in a mapping: parameters={{"{name}": ...}}.'
