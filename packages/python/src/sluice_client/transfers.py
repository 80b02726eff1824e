"""Streams of rows and transfers of files, with the comparison that proves them whole. Programs of effects."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

import httpx

from .effects import Cancel, Close, Program, Reply, read
from .errors import IncompleteResult, QueryEnded, QueryFailed, ResponseError, SluiceError, failure_of
from .events import Completion, EventReader, Progress, Row
from .receipts import BodyCheck, Receipt, RowCounter
from .requests import Connection, Request, cancel_on_host, exchange, json_content, path_of, query_id_of, read_json
from .types import Column, RowReader

OnProgress = Callable[[Progress], None]


def read_receipt(connection: Connection, query_id: str) -> Program[Receipt]:
    """Returns the receipt of a query.

    Raises:
        SluiceError: if it cannot be read
    """
    body = yield from read_json(connection, Request("stream", "GET", path_of("/query/{id}", {"id": query_id})))
    try:
        return Receipt.parse(body)
    except ValueError as cause:
        raise ResponseError("unexpected_response", f"{cause} Check the proxies on the way.", query_id=query_id) from cause


def _require_receipt(connection: Connection, ids: dict[str, str | None]) -> Program[Receipt]:
    """Reads the receipt of a body that has ended. Without it, nothing proves that the body is whole."""
    query_id = cast("str", ids["query_id"])
    try:
        return (yield from read_receipt(connection, query_id))
    except SluiceError as cause:
        if cause.status == 401:
            raise
        message = f"All bytes seem to have arrived, but the receipt that proves it could not be read: {cause.message}"
        raise IncompleteResult("receipt", message, **ids) from cause


def _transfer_failure(cause: httpx.HTTPError, ids: dict[str, str | None]) -> IncompleteResult:
    if isinstance(cause, httpx.TimeoutException):
        return IncompleteResult(
            "stalled", "The result is incomplete: no byte arrived within the idle time-out. Run the query again.", **ids
        )
    what = f"the connection ended early ({cause or type(cause).__name__})"
    return IncompleteResult("cut", f"The result is incomplete: {what}. Run the query again.", **ids)


def _require_ids(reply: Reply) -> Program[dict[str, str | None]]:
    query_id = query_id_of(reply)
    if query_id is None:
        yield Close(reply)
        message = (
            "The response has no X-Query-Id, so it cannot be compared with a receipt. Check the address of the stream host "
            "and the proxies on the way."
        )
        raise ResponseError("unexpected_response", message, status=reply.status)
    return {"query_id": query_id, "request_id": reply.header("x-request-id")}


def _cancel(connection: Connection, query_id: str) -> Cancel:
    return Cancel(lambda: cancel_on_host(connection, query_id))


class RowSource(Protocol):
    """Rows of one result in batches."""

    @property
    def columns(self) -> tuple[Column, ...] | None:
        """Columns; None before `open`."""
        ...

    def open(self) -> Program[None]:
        """Waits for the columns."""
        ...

    def next_batch(self) -> Program[list[Row] | None]:
        """Returns the next rows; None after the last one."""
        ...

    def close(self) -> Program[None]:
        """Ends reading."""
        ...


class RowStream:
    """One run of `POST /query`. The receipt is compared before the end of the rows is reported."""

    def __init__(self, connection: Connection, body: dict[str, Any], on_progress: OnProgress | None = None) -> None:
        self._connection = connection
        self._body = body
        self._on_progress = on_progress
        self._reply: Reply | None = None
        self._reader: EventReader | None = None
        self._pending: list[Row] = []
        self._reported: Progress | None = None
        self.ids: dict[str, str | None] = {}
        self.receipt: Receipt | None = None

    @property
    def columns(self) -> tuple[Column, ...] | None:
        """Columns of the result; None before `open`."""
        return None if self._reader is None else self._reader.columns

    @property
    def rows(self) -> int:
        """Rows that have arrived."""
        return 0 if self._reader is None else self._reader.rows

    @property
    def completion(self) -> Completion | None:
        """The last event of the host; None before it."""
        return None if self._reader is None else self._reader.completion

    def open(self) -> Program[None]:
        """Runs the statement and waits for its columns. Does nothing the second time."""
        if self._reader is not None:
            return
        headers, content = json_content({**self._body, "progress": True})
        limits = self._connection.limits(max(self._connection.timeout, self._connection.idle_timeout))
        request = Request("stream", "POST", "/query", "statement", headers, content, limits)
        reply = yield from exchange(self._connection, request)
        self.ids = yield from _require_ids(reply)
        if not (reply.header("content-type") or "").startswith("text/event-stream"):
            yield Close(reply)
            message = "The stream host did not return a stream of rows. Check its address and the proxies on the way."
            raise ResponseError("unexpected_response", message, status=reply.status, **cast("dict[str, Any]", self.ids))
        self._reply = reply
        self._reader = EventReader(**self.ids)
        try:
            while self._reader.columns is None:
                self._pending += (yield from self._read_batch()) or []
        except BaseException as error:
            yield from self._abandon(error)
            raise

    def next_batch(self) -> Program[list[Row] | None]:
        """Returns the next rows; None after the last one, when the receipt has proved that they are all.

        Raises:
            IncompleteResult, QueryFailed, QueryEnded, PrecisionError: if they are not
        """
        yield from self.open()
        if self._pending:
            batch, self._pending = self._pending, []
            return batch
        if self._reply is None:
            return None
        try:
            return (yield from self._read_batch())
        except BaseException as error:
            yield from self._abandon(error)
            raise

    def close(self) -> Program[None]:
        """Cancels the query, unless it is over."""
        if self._reply is not None:
            yield from self._abandon(None)

    def _read_batch(self) -> Program[list[Row] | None]:
        """Reads until there are rows, columns or the end."""
        reader, reply = cast("EventReader", self._reader), cast("Reply", self._reply)
        before = reader.columns
        while True:
            try:
                piece = yield from read(reply)
            except httpx.HTTPError as cause:
                raise _transfer_failure(cause, self.ids) from cause
            if piece is None:
                return (yield from self._finish())
            rows = reader.feed(piece)
            if reader.progress is not self._reported and reader.progress is not None:
                self._reported = reader.progress
                if self._on_progress is not None:
                    self._on_progress(reader.progress)
            if rows or reader.columns is not before:
                return rows

    def _finish(self) -> Program[list[Row] | None]:
        reader = cast("EventReader", self._reader)
        reader.finish()
        yield Close(cast("Reply", self._reply))
        self._reply = None
        receipt = yield from _require_receipt(self._connection, self.ids)
        request_id = self.ids["request_id"]
        reader.check.compare(receipt, cast("str", self.ids["query_id"]), reader.rows, request_id=request_id)
        self.receipt = receipt
        return None

    def _abandon(self, error: BaseException | None) -> Program[None]:
        """Closes the connection, and cancels a query that may still run."""
        reply, self._reply = self._reply, None
        self._pending = []
        if reply is None:
            return
        yield Close(reply)
        if not isinstance(error, (QueryFailed, QueryEnded)) and self.completion is None:
            yield _cancel(self._connection, cast("str", self.ids["query_id"]))


class KeptRows:
    """Rows of a kept result, page by page. The count of rows that the host has proves that they are all."""

    PAGE_ROWS = 10_000

    def __init__(self, connection: Connection, query_id: str) -> None:
        self._connection = connection
        self.query_id = query_id
        self.columns: tuple[Column, ...] | None = None
        self.rows = 0
        self.total = 0
        self.limited = False
        self.expires_ts = 0
        self._reader: RowReader | None = None
        self._pending: list[Row] = []

    def open(self) -> Program[None]:
        """Reads the first page."""
        if self.columns is None:
            self._pending = yield from self._read_page()

    def next_batch(self) -> Program[list[Row] | None]:
        """Returns the next rows; None after the last one."""
        yield from self.open()
        if not self._pending and self.rows < self.total:
            self._pending = yield from self._read_page()
            if not self._pending:
                raise IncompleteResult(
                    "row_count",
                    f"The kept result ended after {self.rows:,} of {self.total:,} rows. Read it again.",
                    query_id=self.query_id,
                )
        batch, self._pending = self._pending, []
        return batch or None

    def close(self) -> Program[None]:
        """Does nothing: no request is open between two pages."""
        yield from ()

    def _read_page(self) -> Program[list[Row]]:
        path = path_of("/query/{id}/rows", {"id": self.query_id}, {"from": self.rows, "size": self.PAGE_ROWS})
        reply = yield from exchange(self._connection, Request("stream", "GET", path))
        pieces: list[bytes] = []
        try:
            while (piece := (yield from read(reply))) is not None:
                pieces.append(piece)
        except httpx.HTTPError as cause:
            raise _transfer_failure(cause, {"query_id": self.query_id}) from cause
        finally:
            yield Close(reply)
        return self._parse_page(b"".join(pieces))

    def _parse_page(self, body: bytes) -> list[Row]:
        try:
            text = body.decode()
            if self._reader is None:
                page = json.loads(text, parse_int=str, parse_float=str)
                columns = page["metadata"]["columns"]
                self.columns = tuple(Column(str(column["name"]), str(column["type"])) for column in columns)
                self._reader = RowReader(self.columns)
            page = self._reader.decode(text)
            self.total = int(page["rows"])
            self.limited = page["limited"] is True
            self.expires_ts = int(page["expires_ts"])
            rows = self._reader.tuples(page["data"])
        except (KeyError, TypeError, ValueError) as cause:
            message = "A page of the kept result is not valid. Check the proxies on the way, and read it again."
            raise IncompleteResult("malformed", message, query_id=self.query_id) from cause
        self.rows += len(rows)
        return rows


class Sink(Protocol):
    """Destination of a transfer."""

    def write(self, piece: bytes, /) -> object:
        """Adds bytes."""
        ...


@dataclass(frozen=True)
class Transfer:
    """A file that has arrived and equals its receipt."""

    receipt: Receipt
    media_type: str


def transfer(connection: Connection, request: Request, sink: Sink, on_progress: OnProgress | None = None) -> Program[Transfer]:
    """Runs a download into a sink, and compares it with its receipt.

    Raises:
        SluiceError: if the bytes in the sink are not proved to be the whole file
    """
    reply = yield from exchange(connection, request)
    ids = yield from _require_ids(reply)
    media_type = (reply.header("content-type") or "").split(";")[0].strip()
    try:
        check, counter = BodyCheck(), RowCounter(media_type)
        yield from _receive(reply, sink, check, counter, on_progress, ids)
        yield Close(reply)
        receipt = yield from _require_receipt(connection, ids)
        check.compare(receipt, cast("str", ids["query_id"]), counter.rows, request_id=ids["request_id"])
        return Transfer(receipt, media_type)
    except BaseException as error:
        yield Close(reply)
        if isinstance(error, IncompleteResult) and error.reason == "cut":
            raise (yield from _explain(connection, error, ids)) from error
        if not isinstance(error, (QueryFailed, QueryEnded, IncompleteResult)):
            yield _cancel(connection, cast("str", ids["query_id"]))
        raise


def _receive(
    reply: Reply,
    sink: Sink,
    check: BodyCheck,
    counter: RowCounter,
    on_progress: OnProgress | None,
    ids: dict[str, str | None],
) -> Program[None]:
    while True:
        try:
            piece = yield from read(reply)
        except httpx.HTTPError as cause:
            raise _transfer_failure(cause, ids) from cause
        if piece is None:
            return
        check.add(piece)
        counter.add(piece)
        sink.write(piece)
        if on_progress is not None:
            on_progress(Progress("RUNNING", counter.rows or 0, check.bytes, None, None))


def _explain(connection: Connection, error: IncompleteResult, ids: dict[str, str | None]) -> Program[SluiceError]:
    """Returns the error that explains a cut. If the receipt has one, such as a failed statement, that caused the cut."""
    try:
        receipt = yield from read_receipt(connection, cast("str", ids["query_id"]))
    except SluiceError:
        return error
    if receipt.state == "RUNNING":
        yield _cancel(connection, receipt.query_id)
    if receipt.state not in ("FAILED", "CANCELLED") or receipt.error is None:
        return error
    return failure_of(*receipt.error, **cast("dict[str, Any]", ids))
