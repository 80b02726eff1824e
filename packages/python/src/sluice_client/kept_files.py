"""Files of kept results, which continue after a cut and are compared with the length and SHA-256 that the host tells.

Each response for such a file, or for a part of it, has the `Repr-Digest` of the whole (RFC 9530) and a strong `ETag`.
"""

from __future__ import annotations

import base64
import re
import time
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast

import httpx

from .effects import Close, Program, Reply, read
from .errors import IncompleteResult, ResponseError, SluiceError
from .events import Progress
from .reading import Ids, OnProgress, transfer_failure
from .receipts import BodyCheck, RowCounter
from .requests import Connection, Request, exchange, path_of
from .resuming import ResumeOptions, Resumer, may_resume

STRONG_ETAG = re.compile(r'"[^"]*"')
SHA256_DIGEST = re.compile(r"(?:^|[\s,])sha-256=:([A-Za-z0-9+/]{43}=):")
CONTENT_RANGE = re.compile(r"bytes (\d{1,15})-(\d{1,15})/(\d{1,15})")
LENGTH = re.compile(r"\d{1,15}")
PROGRESS_SECONDS = 1.0
"""Shortest time between two reports of progress."""
ADVICE = "Download it again."
BAD_REQUEST = 400
BEYOND_LIMIT = "resource_limit"
"""Code with which the host says that it cannot make a file of this size."""


class Sink(Protocol):
    """Destination of a transfer."""

    def write(self, piece: bytes, /) -> object:
        """Adds bytes."""
        ...


class ReceivedFile:
    """Bytes of a file across the connections that they arrive on: they are hashed, counted and written once, in order."""

    def __init__(self, sink: Sink, media_type: str, ids: Ids, on_progress: OnProgress | None = None) -> None:
        self._sink = sink
        self._on_progress = on_progress
        self._reported_bytes = 0
        self._reported_at: float | None = None
        self._counter = RowCounter(media_type)
        self.check = BodyCheck()
        self.media_type = media_type
        self.ids = ids

    @property
    def query_id(self) -> str:
        """Id of the query that the file is of."""
        return cast("str", self.ids["query_id"])

    @property
    def rows(self) -> int | None:
        """Rows so far; None for formats whose rows cannot be counted."""
        return self._counter.rows

    def receive(self, reply: Reply, skip: int = 0) -> Program[None]:
        """Reads a body to its end.

        Args:
            reply: response
            skip: number of its first bytes that have arrived before

        Raises:
            IncompleteResult: if the connection is cut
        """
        while True:
            try:
                piece = yield from read(reply)
            except httpx.HTTPError as cause:
                raise transfer_failure(cause, self.ids) from cause
            if piece is None:
                self._report()
                return
            fresh, skip = piece[skip:], max(0, skip - len(piece))
            if fresh:
                self._add(fresh)

    def _add(self, piece: bytes) -> None:
        self.check.add(piece)
        self._counter.add(piece)
        self._sink.write(piece)
        if self._reported_at is None or time.monotonic() - self._reported_at >= PROGRESS_SECONDS:
            self._report()

    def _report(self) -> None:
        """Reports the progress, unless it is the same as before."""
        if self._on_progress is None or self._reported_bytes == self.check.bytes:
            return
        self._reported_bytes, self._reported_at = self.check.bytes, time.monotonic()
        self._on_progress(Progress("RUNNING", self.rows or 0, self.check.bytes, None, None))


@dataclass(frozen=True)
class FilePart:
    """Response with the bytes of a file from `start` on, and the facts of the whole file."""

    reply: Reply
    start: int
    length: int | None
    """None if a proxy has removed it. A response for a part of the file always has it."""
    sha256: str
    etag: str | None
    """None if there is none that is strong: nothing then proves that another part is of the same file."""


def media_type_of(reply: Reply) -> str:
    """Returns the media type of a response, without its parameters."""
    return (reply.header("content-type") or "").split(";")[0].strip()


def _place_of(reply: Reply) -> tuple[int, int | None] | None:
    """Returns the first byte of a response and the length of the whole file; None if its place in the file is not known."""
    if reply.status == 206:
        found = CONTENT_RANGE.fullmatch(reply.header("content-range") or "")
        return None if found is None else (int(found[1]), int(found[3]))
    # The length of a body with a content coding is not that of the file.
    length = "" if reply.header("content-encoding") is not None else (reply.header("content-length") or "")
    return 0, int(length) if LENGTH.fullmatch(length) else None


def request_part(
    connection: Connection,
    query_id: str,
    kind: str,
    *,
    start: int = 0,
    etag: str | None = None,
    method: Literal["GET", "HEAD"] = "GET",
) -> Program[FilePart]:
    """Requests a file of a kept result from its last received byte on: a range that begins behind its end would be an error.

    Args:
        connection: hosts
        query_id: id of the query
        kind: format of the file
        start: number of bytes that have arrived
        etag: tag of the file that they are of. The host sends the whole file if it has another one
        method: HEAD for the facts of the file without its bytes

    Raises:
        SluiceError: if the response is not a part whose place and digest are known
    """
    headers: dict[str, str] = {}
    if start > 0:
        headers["range"] = f"bytes={start - 1}-"
        if etag is not None:
            headers["if-range"] = etag
    path = path_of("/query/{id}/download/{format}", {"id": query_id, "format": kind})
    request = Request("stream", method, path, "safe", headers, timeout=connection.unlimited())
    reply = yield from exchange(connection, request)
    digest = SHA256_DIGEST.search(reply.header("repr-digest") or "")
    place = _place_of(reply)
    if digest is None or place is None:
        yield Close(reply)
        missing = "Repr-Digest" if digest is None else "Content-Range"
        message = (
            f"The response has no valid {missing}, so the file cannot be verified. Check the address of the stream host and "
            "the proxies on the way."
        )
        raise ResponseError("unexpected_response", message, status=reply.status, query_id=query_id)
    tag = reply.header("etag") or ""
    sha256 = base64.b64decode(digest[1]).hex()
    return FilePart(reply, place[0], place[1], sha256, tag if STRONG_ETAG.fullmatch(tag) else None)


class ResultTransfer:
    """Download of a file of a kept result, which may use several connections."""

    def __init__(self, connection: Connection, kind: str, file: ReceivedFile, resume: ResumeOptions) -> None:
        self._connection = connection
        self._kind = kind
        self._file = file
        self._resumer = Resumer(resume, connection.retry_delay_max)

    def receive(self, first: FilePart) -> Program[None]:
        """Receives the rest of a file, and compares all of its bytes with the length and SHA-256 of the host.

        Raises:
            IncompleteResult: if they differ, or the rest does not arrive
        """
        part, check = first, self._file.check
        while True:
            failure: SluiceError | None = None
            try:
                yield from self._receive_part(part)
            except SluiceError as error:
                failure = error
            finally:
                yield Close(part.reply)
            # If all bytes are there, only the end of the connection is missing.
            if failure is None or (may_resume(failure) and check.bytes == part.length):
                break
            part = yield from self.continue_after(failure, part)
        if part.length not in (None, check.bytes) or check.sha256 != part.sha256:
            raise self._differs(f"{check.bytes:,} bytes arrived, and the host has another length or another SHA-256")

    def continue_after(self, failure: SluiceError, known: FilePart | None) -> Program[FilePart]:
        """Requests the rest of the file after a cut.

        Args:
            failure: the cut
            known: facts of the file that the received bytes are of; None if they are those of the direct download of the query

        Raises:
            SluiceError: the failure if that is not possible; IncompleteResult if the file is another one now
        """
        last, file = failure, self._file
        while (yield from self._resumer.next(last, file.check.bytes)):
            etag = None if known is None else known.etag
            try:
                part = yield from request_part(self._connection, file.query_id, self._kind, start=file.check.bytes, etag=etag)
            except SluiceError as error:
                last = error
                continue
            if known is None or part.sha256 == known.sha256:
                return part
            yield Close(part.reply)
            raise self._differs("the host now has another file than when the download began")
        raise self._resumer.explain(failure, last, ADVICE)

    def _receive_part(self, part: FilePart) -> Program[None]:
        check = self._file.check
        yield from self._file.receive(part.reply, max(0, check.bytes - part.start))
        is_whole = check.sha256 == part.sha256 if part.length is None else check.bytes >= part.length
        if not is_whole:
            of = "" if part.length is None else f" of {part.length:,}"
            what = f"the response ended after {check.bytes:,}{of} bytes"
            raise IncompleteResult("cut", f"The download is not complete: {what}. {ADVICE}", **self._fields)

    @property
    def _fields(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self._file.ids)

    def _differs(self, what: str) -> IncompleteResult:
        return IncompleteResult("hash", f"The download is not complete: {what}. {ADVICE}", **self._fields)


def _request_facts(connection: Connection, query_id: str) -> Program[FilePart]:
    """Requests the facts of the NDJSON file of a kept result. A rejected HEAD has no body that says why, so GET follows it."""
    try:
        return (yield from request_part(connection, query_id, "ndjson", method="HEAD"))
    except SluiceError as error:
        if error.status != BAD_REQUEST:
            raise
    return (yield from request_part(connection, query_id, "ndjson"))


def compare_with_kept(connection: Connection, check: BodyCheck, ids: Ids) -> Program[bool]:
    """Compares rows, written as NDJSON, with the length and SHA-256 of that file of their kept result.

    Args:
        connection: hosts
        check: bytes of the rows
        ids: ids of the query

    Returns:
        whether the host can make the file, which may exceed a limit

    Raises:
        IncompleteResult: if they differ, or the host does not tell them
    """
    fields = cast("dict[str, Any]", ids)
    try:
        part = yield from _request_facts(connection, cast("str", ids["query_id"]))
    except SluiceError as cause:
        if cause.status == BAD_REQUEST and cause.code == BEYOND_LIMIT:
            return False
        message = f"All rows seem to have arrived, but the SHA-256 that proves it could not be read: {cause.message}"
        raise IncompleteResult("receipt", message, **fields) from cause
    yield Close(part.reply)
    if check.sha256 != part.sha256 or part.length not in (None, check.bytes):
        message = "The rows that arrived are not those of the kept result: the host has another SHA-256. Read it again."
        raise IncompleteResult("hash", message, **fields)
    return True
