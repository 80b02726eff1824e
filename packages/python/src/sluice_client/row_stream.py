"""Rows of one result as they arrive: of a statement that runs, or of a kept result. A program of effects."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Literal, cast

import httpx

from .effects import Close, Program, Reply, read
from .errors import QueryEnded, QueryFailed, ResponseError, SluiceError
from .events import Completion, EventReader, Progress, Row
from .kept_files import compare_with_kept
from .reading import (
    Ids,
    OnProgress,
    OnStart,
    cancel_query,
    events_request,
    require_ids,
    require_kept_receipt,
    require_receipt,
    transfer_failure,
)
from .receipts import BodyCheck, Receipt
from .requests import Connection, Request, exchange, json_content
from .resuming import ResumeOptions, Resumer, may_resume
from .types import Column

EVENT_STREAM = "text/event-stream"

Proof = Literal["receipt", "digest", "rows"]
"""What proves that a result is whole: the receipt with its hash, the hash of the kept result, or the number of rows."""


class RowStream:
    """Rows of one result in batches. They are proved to be all before their end is reported.

    The rows of a result that is or will be kept continue on another connection when theirs is cut.

    Args:
        connection: hosts
        origin: body of `POST /query`, or the id of a query whose result is kept
        on_progress: called while the query runs
        resume: attempts to continue
        on_start: runs when the id of the query is known
    """

    def __init__(
        self,
        connection: Connection,
        origin: Mapping[str, Any] | str,
        on_progress: OnProgress | None = None,
        resume: ResumeOptions | None = None,
        on_start: OnStart | None = None,
    ) -> None:
        self._connection = connection
        self._origin = origin
        self._on_start = on_start
        self._follows = isinstance(origin, str)
        self._is_kept = isinstance(origin, str) or "keep" in origin
        self._on_progress = on_progress
        self._resumer = Resumer(resume or ResumeOptions(), connection.retry_delay_max)
        self._was_cut = False
        self._is_over = True
        self._process = os.getpid()
        self._reply: Reply | None = None
        self._reader: EventReader | None = None
        self._pending: list[Row] = []
        self._reported: Progress | None = None
        self.ids: Ids = {}
        self.receipt: Receipt | None = None
        self.proof: Proof | None = None

    @property
    def columns(self) -> tuple[Column, ...] | None:
        """Columns of the result; None before `open`."""
        return None if self._reader is None else self._reader.columns

    @property
    def completion(self) -> Completion | None:
        """The last event of the host; None before it."""
        return None if self._reader is None else self._reader.completion

    @property
    def is_of_this_process(self) -> bool:
        """Whether this process began the stream, and not the one that it was forked from."""
        return self._process == os.getpid()

    def open(self) -> Program[None]:
        """Begins the rows and waits for their columns. Does nothing the second time."""
        if self._reader is not None:
            return
        yield from self._connect(self._first_request())
        self._reader = EventReader(self._is_kept, **self.ids)
        try:
            if self._on_start is not None:
                yield from self._on_start(cast("str", self.ids["query_id"]))
            while self._reader.columns is None:
                self._pending += (yield from self._read_batch()) or []
        except BaseException as error:
            yield from self._abandon(error)
            raise

    def next_batch(self) -> Program[list[Row] | None]:
        """Returns the next rows; None after the last one, when they are proved to be all.

        Raises:
            IncompleteResult, QueryFailed, QueryEnded, PrecisionError: if they are not
        """
        yield from self.open()
        if self._pending:
            batch, self._pending = self._pending, []
            return batch
        if self._is_over:
            return None
        try:
            return (yield from self._read_batch())
        except BaseException as error:
            yield from self._abandon(error)
            raise

    def close(self) -> Program[None]:
        """Ends reading. Cancels the query that this stream began, unless it is over."""
        yield from self._abandon(None)

    def _first_request(self) -> Request:
        if isinstance(self._origin, str):
            return events_request(self._connection, self._origin, 0, progress=True)
        headers, content = json_content({**self._origin, "progress": True})
        return Request("stream", "POST", "/query", "statement", headers, content, self._connection.event_limits())

    def _connect(self, request: Request) -> Program[None]:
        reply = yield from exchange(self._connection, request)
        self.ids = yield from require_ids(reply)
        if not (reply.header("content-type") or "").startswith(EVENT_STREAM):
            yield Close(reply)
            message = "The stream host did not return a stream of rows. Check its address and the proxies on the way."
            raise ResponseError("unexpected_response", message, status=reply.status, **self._fields)
        self._reply = reply
        self._is_over = False

    def _read_batch(self) -> Program[list[Row] | None]:
        """Returns the next rows, from further connections if this one is cut and the result is kept."""
        while True:
            try:
                return (yield from self._read_here())
            except SluiceError as error:
                if not self._is_kept:
                    raise
                failure = error
            yield from self._reconnect(failure)

    def _reconnect(self, failure: SluiceError) -> Program[None]:
        """Opens the stream again behind the rows that have arrived.

        Raises:
            SluiceError: the failure if that is not possible
        """
        reader, last = cast("EventReader", self._reader), failure
        yield from self._close_reply()
        while (yield from self._resumer.next(last, reader.rows)):
            query_id = cast("str", self.ids["query_id"])
            try:
                yield from self._connect(events_request(self._connection, query_id, reader.rows, progress=True))
            except SluiceError as error:
                last = error
                continue
            self._was_cut = True
            reader.continue_with(**self.ids)
            return
        raise self._resumer.explain(failure, last, "Run the query again, or read client.result(query_id) if it was kept.")

    def _read_here(self) -> Program[list[Row] | None]:
        """Reads until there are rows, columns or the end."""
        reader, reply = cast("EventReader", self._reader), cast("Reply", self._reply)
        before = reader.columns
        while True:
            try:
                piece = yield from read(reply)
            except httpx.HTTPError as cause:
                raise transfer_failure(cause, self.ids) from cause
            if piece is None:
                reader.finish()
                yield from self._finish(reader)
                return None
            rows = reader.feed(piece)
            if reader.progress is not self._reported and reader.progress is not None:
                self._reported = reader.progress
                if self._on_progress is not None:
                    self._on_progress(reader.progress)
            if rows or reader.columns is not before:
                return rows

    def _finish(self, reader: EventReader) -> Program[None]:
        """Proves that the rows are all."""
        self._is_over = True
        yield from self._close_reply()
        if self._follows or self._was_cut:
            yield from self._prove_kept(reader)
            return
        receipt = yield from require_receipt(self._connection, self.ids)
        reader.check.compare(receipt, cast("str", self.ids["query_id"]), reader.rows, request_id=self.ids["request_id"])
        self.receipt, self.proof = receipt, "receipt"

    def _prove_kept(self, reader: EventReader) -> Program[None]:
        """Compares the rows with those of the kept result. The receipt has no hash, and only its account may read it."""
        has_digest = yield from compare_with_kept(self._connection, cast("BodyCheck", reader.lines), self.ids)
        self.receipt = yield from require_kept_receipt(self._connection, self.ids, reader.rows, may_be_shared=self._follows)
        self.proof = "digest" if has_digest else "rows"

    def _close_reply(self) -> Program[None]:
        reply, self._reply = self._reply, None
        if reply is not None:
            yield Close(reply)

    def _abandon(self, error: BaseException | None) -> Program[None]:
        """Closes the connection, and cancels a query of this stream that may still run. A forked process leaves both alone."""
        self._pending = []
        if not self.is_of_this_process:
            return
        yield from self._close_reply()
        is_over, self._is_over = self._is_over, True
        if is_over or self._follows or self.completion is not None or isinstance(error, (QueryFailed, QueryEnded)):
            return
        # A host goes on with a kept query for a minute, so that its result can be read after a cut.
        if not (self._is_kept and isinstance(error, SluiceError) and may_resume(error)):
            yield cancel_query(self._connection, cast("str", self.ids["query_id"]))

    @property
    def _fields(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self.ids)
