"""Downloads into files, which get their names when they are proved whole."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from .effects import Program
from .errors import TargetFailed, UsageError
from .parameters import encode_parameters
from .reading import OnProgress
from .receipts import Receipt
from .requests import Connection, Request, json_content, path_of, read_json
from .resuming import ResumeOptions
from .sources import Item, Source, dataframe_advice
from .statements import Statement
from .transfers import ResultForm, Transfer, transfer, transfer_kept

FORMATS = ("csv", "json", "ndjson", "xlsx", "parquet")
ENGINE_FORMAT = "parquet"
"""Format that an engine writes itself."""
ARCHIVED_FORMATS = ("csv", "json", "ndjson")
"""Formats in which an item with several queries is a ZIP archive. As `xlsx` it is one workbook."""
ARCHIVE_SUFFIX = ".zip"
PART_NAME_CHARACTERS_MAX = 60
"""Characters of a name that the name of its unfinished file begins with. With four bytes each, 255 bytes hold it."""
STATEMENT_OPTIONS = ("keep", "time_zone", "catalog", "schema")
"""Options that items and datamaps do not have: who published them has chosen them."""


@dataclass(frozen=True)
class SavedFile:
    """A file that was downloaded, and what proves that it is whole."""

    path: Path
    query_id: str
    rows: int | None
    """None for a result that another account shares, in a format whose rows cannot be counted."""
    bytes: int
    sha256: str
    """SHA-256 of the file in lower-case hex."""
    proof: Literal["receipt", "digest"]
    """What has this SHA-256: the receipt, or the file of the kept result on the host."""
    receipt: Receipt | None
    """Receipt of the query; None for a result that another account shares."""


class PartFile:
    """A file that is written beside its target, and replaces it when it is complete.

    Each has a name of its own, so that two downloads to one path never write into the same file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f"{path.name[:PART_NAME_CHARACTERS_MAX]}.{secrets.token_hex(4)}.part")
        try:
            self._refuse_folder()
            self._file = self._part.open("xb")
        except OSError as cause:
            raise self._failed(cause) from cause

    def _refuse_folder(self) -> None:
        # `Path.is_dir` of Python 3.14 returns False for a name that no file can have.
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISDIR(self._path.stat().st_mode):
                raise TargetFailed(f"{self._path} is a folder. Name a file in it.")

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
    formats = ", ".join(FORMATS)
    if given is not None:
        raise UsageError(f"format= must be one of {formats}, and not {given}.")
    if path.suffix.lower() == ARCHIVE_SUFFIX:
        raise UsageError(f"Only an item with several queries is a ZIP archive. Name the file with one of {formats}.")
    raise UsageError(f"Pass format= with one of {formats}: the name {path.name} does not end in one of them.")


def _item_format(connection: Connection, item: Item, path: Path, given: str | None) -> Program[str]:
    """Returns the format of an item, whose number of queries decides whether its file is a ZIP archive.

    Raises:
        UsageError: if there is no such format, or the name of the file is that of another format
        SluiceError: if the item cannot be read
    """
    is_archive_name = path.suffix.lower() == ARCHIVE_SUFFIX
    kind = format_of(path, given or ("csv" if is_archive_name else None))
    if kind == ENGINE_FORMAT:
        raise UsageError(f"An item has no Parquet, and its datamap has: {dataframe_advice(item)}.")
    if not is_archive_name and kind not in ARCHIVED_FORMATS:
        return kind
    entry = yield from read_json(connection, Request("stream", "GET", path_of("/marketplace/{id}", {"id": item.id})))
    queries = len(cast("dict[str, Any]", entry).get("queries") or ())
    if is_archive_name and (queries == 1 or kind not in ARCHIVED_FORMATS):
        what = "has one query" if queries == 1 else "is one workbook as xlsx"
        raise UsageError(f"The item {item.id} {what}, so it is not a ZIP archive. Name the file {path.stem}.{kind}.")
    if not is_archive_name and queries > 1:
        raise UsageError(
            f"The item {item.id} has {queries} queries, so it is a ZIP archive of {kind} files. "
            f'Name the file {path.stem}{ARCHIVE_SUFFIX}, with format="{kind}".'
        )
    return kind


def _statement_of(sql: str, options: Mapping[str, Any]) -> Statement:
    session = {name: options.get(name) for name in STATEMENT_OPTIONS}
    return Statement.check(sql, options.get("parameters"), {}, **session)


def download_request(connection: Connection, source: Source, kind: str, options: Mapping[str, Any]) -> Request:
    """Returns the request of a download."""
    if isinstance(source, str):
        statement = _statement_of(source, options)
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
    resume: ResumeOptions,
    on_progress: OnProgress | None,
) -> Program[SavedFile]:
    """Downloads into a file, which gets its name when it is proved whole.

    Args:
        connection: hosts
        source: statement, item or datamap
        path: path of the file
        kind: format; None for that of the name. The files in a ZIP archive are CSV by default
        options: `parameters`, and for a statement those of STATEMENT_OPTIONS
        resume: attempts to continue a statement with `keep` after a cut
        on_progress: called as bytes arrive

    Raises:
        TargetFailed: if the file cannot be written
        SluiceError: if the download fails; then no file of this name was made or changed
    """
    target = Path(path)
    is_kept = options.get("keep") is not None
    surplus = [name for name in STATEMENT_OPTIONS if options.get(name) is not None]
    if surplus and not isinstance(source, str):
        raise UsageError(f"{surplus[0]}= is an option of a statement. Leave it out for an item or a datamap.")
    if isinstance(source, Item):
        found = yield from _item_format(connection, source, target, kind)
    else:
        found = format_of(target, kind)
    form = ResultForm(found, resume)
    if isinstance(source, str) and is_kept and form.kind == ENGINE_FORMAT:
        statement = _statement_of(source, options)
        return (yield from _save(target, lambda file: _transfer_engine_file(connection, statement, form, file, on_progress)))
    request, kept = download_request(connection, source, form.kind, options), form if is_kept else None
    return (yield from _save(target, lambda file: transfer(connection, request, file, on_progress, kept)))


class _Nowhere:
    def write(self, piece: bytes) -> None:
        """Drops bytes, after they were counted and hashed."""


def _transfer_engine_file(
    connection: Connection, statement: Statement, kept: ResultForm, file: PartFile, on_progress: OnProgress | None
) -> Program[Transfer]:
    """Runs a statement whose result is kept, and downloads a file that the engine writes.

    Such a file cannot be kept while it is sent, so it is made of the kept rows.
    """
    headers, content = json_content(statement.body())
    request = Request("stream", "POST", "/query", "statement", headers, content, connection.event_limits())
    rows = yield from transfer(connection, request, _Nowhere())
    return (yield from transfer_kept(connection, rows.query_id, kept, file, on_progress))


def save_kept(
    connection: Connection,
    query_id: str,
    path: str | os.PathLike[str],
    kind: str | None,
    resume: ResumeOptions,
    on_progress: OnProgress | None,
) -> Program[SavedFile]:
    """Downloads a kept result into a file, which gets its name when it is proved whole.

    Raises:
        TargetFailed: if the file cannot be written
        SluiceError: if the download fails; then no file of this name was made or changed
    """
    target = Path(path)
    kept = ResultForm(format_of(target, kind), resume)
    return (yield from _save(target, lambda file: transfer_kept(connection, query_id, kept, file, on_progress)))


def _save(target: Path, move: Callable[[PartFile], Program[Transfer]]) -> Program[SavedFile]:
    file = PartFile(target)
    moved: Transfer | None = None
    try:
        moved = yield from move(file)
        file.commit()
    except BaseException as error:
        file.abort()
        if isinstance(error, TargetFailed) and moved is not None:
            error.query_id = moved.query_id
        raise
    return SavedFile(target, moved.query_id, moved.rows, moved.bytes, moved.sha256, moved.proof, moved.receipt)
