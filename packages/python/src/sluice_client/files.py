"""Downloads into files, which get their names when they are proved whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .effects import Program
from .errors import TargetFailed, UsageError
from .parameters import encode_parameters
from .receipts import Receipt
from .requests import Connection, Request, json_content, path_of
from .result_core import Statement
from .transfers import OnProgress, transfer

FORMATS = ("csv", "json", "ndjson", "xlsx", "parquet")


@dataclass(frozen=True)
class Item:
    """An item of the marketplace, by its id."""

    id: str


@dataclass(frozen=True)
class Datamap:
    """A published datamap, by its id."""

    id: str


Source = str | Item | Datamap
"""What is downloaded: a statement, an item or a datamap."""


class PartFile:
    """A file that is written beside its target, and replaces it when it is complete."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        if path.is_dir():
            raise TargetFailed(f"{path} is a folder. Name a file in it.")
        try:
            self._file = self._part.open("wb")
        except OSError as cause:
            raise self._failed(cause) from cause

    def write(self, piece: bytes) -> None:
        """Adds bytes."""
        try:
            self._file.write(piece)
        except OSError as cause:
            raise self._failed(cause) from cause

    def commit(self) -> None:
        """Gives the file its name."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            os.replace(self._part, self._path)
        except OSError as cause:
            raise self._failed(cause) from cause

    def abort(self) -> None:
        """Removes what was written."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._part.unlink()

    def _failed(self, cause: OSError) -> TargetFailed:
        return TargetFailed(f"{self._path} cannot be written ({cause.strerror}). Check its folder and the free space.")


def format_of(path: Path, given: str | None) -> str:
    """Returns the format of a file, by its name unless one is given.

    Raises:
        UsageError: if there is no such format
    """
    found = given or path.suffix[1:].lower()
    if found in FORMATS:
        return found
    raise UsageError(f"Pass format= with one of {', '.join(FORMATS)}: the name {path.name} does not end in one of them.")


def download_request(connection: Connection, source: Source, kind: str, options: Mapping[str, Any]) -> Request:
    """Returns the request of a download."""
    if isinstance(source, str):
        keep, time_zone = options.get("keep"), options.get("time_zone")
        statement = Statement.check(source, options.get("parameters"), {}, keep=keep, time_zone=time_zone)
        headers, content = json_content(statement.body())
        path = path_of("/query/download/{format}", {"format": kind})
        return Request("stream", "POST", path, "statement", headers, content, connection.unlimited())
    parameters = encode_parameters(options.get("parameters") or {})
    if isinstance(source, Item):
        headers, content = json_content({"parameters": parameters} if parameters else {})
        path = path_of("/marketplace/download", None, {"id": source.id, "format": kind})
        return Request("stream", "POST", path, "statement", headers, content, connection.unlimited())
    query = {f"p.{name}": _link_value(name, value) for name, value in parameters.items()}
    path = path_of("/datamap/{id}/download/{format}", {"id": source.id, "format": kind}, query)
    return Request("stream", "GET", path, "statement", timeout=connection.unlimited())


def _link_value(name: str, value: Any) -> Any:
    """Returns the text of a parameter in an address, where the datamap declares the types."""
    if isinstance(value, Mapping):
        return value["value"]  # pyright: ignore[reportUnknownVariableType]
    if value is None:
        raise UsageError(f"The parameter {name} is None, which an address cannot send. Leave it out.")
    return value


def save(
    connection: Connection,
    source: Source,
    path: str | os.PathLike[str],
    kind: str | None,
    options: Mapping[str, Any],
    on_progress: OnProgress | None,
) -> Program[Receipt]:
    """Downloads into a file, which gets its name when it equals its receipt.

    Raises:
        TargetFailed: if the file cannot be written
        SluiceError: if the download fails; then no file of this name was made or changed
    """
    target = Path(path)
    request = download_request(connection, source, format_of(target, kind), options)
    file = PartFile(target)
    try:
        moved = yield from transfer(connection, request, file, on_progress)
        file.commit()
    except BaseException:
        file.abort()
        raise
    return moved.receipt
