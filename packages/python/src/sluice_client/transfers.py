"""Downloads of files, with the comparison that proves them whole. Programs of effects."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any, Literal, cast

import httpx

from .effects import Close, Program, Reply, read
from .errors import IncompleteResult, QueryEnded, QueryFailed, SluiceError, failure_of
from .kept_files import ReceivedFile, ResultTransfer, Sink, media_type_of, request_part
from .reading import (
    Ids,
    OnProgress,
    OnStart,
    cancel_query,
    events_request,
    read_receipt,
    require_ids,
    require_kept_receipt,
    require_receipt,
)
from .receipts import Receipt
from .requests import Connection, Request, exchange
from .resuming import ResumeOptions, may_resume

BEHIND_ALL_ROWS = 999_999_999
"""Position behind the rows of every result: a stream from there on has only its first and its last event."""
CLIENT_LEFT = "The client closed the connection."
"""Error of a receipt that follows from a cut, and does not explain it."""


@dataclass(frozen=True)
class ResultForm:
    """A format in which the rest of a download can be read from the kept result of its query."""

    kind: str
    resume: ResumeOptions


@dataclass(frozen=True)
class Transfer:
    """A file that has arrived, and what proves that it is whole."""

    query_id: str
    media_type: str
    bytes: int
    sha256: str
    rows: int | None
    """None for a kept result of another account, in a format whose rows cannot be counted."""
    proof: Literal["receipt", "digest"]
    receipt: Receipt | None
    """None for a kept result of another account."""


def _proved(file: ReceivedFile, receipt: Receipt | None, proof: Literal["receipt", "digest"]) -> Transfer:
    rows = file.rows if receipt is None else receipt.rows
    return Transfer(file.query_id, file.media_type, file.check.bytes, file.check.sha256, rows, proof, receipt)


def transfer(
    connection: Connection,
    request: Request,
    sink: Sink,
    on_progress: OnProgress | None = None,
    kept: ResultForm | None = None,
    on_start: OnStart | None = None,
) -> Program[Transfer]:
    """Runs a download into a sink, and compares it with its receipt.

    Args:
        connection: hosts
        request: the download
        sink: destination
        on_progress: called as bytes arrive
        kept: form in which its kept result has the same bytes, for the rest after a cut. None: it is not kept
        on_start: runs when the id of the query is known

    Raises:
        SluiceError: if the bytes in the sink are not proved to be the whole file
    """
    reply = yield from exchange(connection, request)
    file = ReceivedFile(sink, media_type_of(reply), (yield from require_ids(reply)), on_progress)
    try:
        if on_start is not None:
            yield from on_start(file.query_id)
        return (yield from _receive_whole(connection, reply, file, kept))
    except BaseException as error:
        yield Close(reply)
        if isinstance(error, SluiceError) and error.query_id is None:
            error.query_id = file.query_id
        if isinstance(error, IncompleteResult) and error.reason == "cut":
            raise (yield from _explain(connection, error, file.ids)) from error
        if not isinstance(error, (QueryFailed, QueryEnded, IncompleteResult)):
            yield cancel_query(connection, file.query_id)
        raise


def transfer_kept(
    connection: Connection,
    query_id: str,
    kept: ResultForm,
    sink: Sink,
    on_progress: OnProgress | None = None,
) -> Program[Transfer]:
    """Downloads a kept result into a sink, and compares it with the length and SHA-256 of the host.

    Raises:
        SluiceError: if the bytes in the sink are not proved to be the whole file
    """
    part = yield from request_part(connection, query_id, kept.kind)
    ids: Ids = {"query_id": query_id, "request_id": part.reply.header("x-request-id")}
    file = ReceivedFile(sink, media_type_of(part.reply), ids, on_progress)
    try:
        yield from ResultTransfer(connection, kept.kind, file, kept.resume).receive(part)
    except BaseException:
        yield Close(part.reply)
        raise
    receipt = yield from require_kept_receipt(connection, ids, file.rows, may_be_shared=True)
    return _proved(file, receipt, "digest")


def _receive_whole(connection: Connection, reply: Reply, file: ReceivedFile, kept: ResultForm | None) -> Program[Transfer]:
    try:
        return _proved(file, (yield from _receive_direct(connection, reply, file, kept is not None)), "receipt")
    except SluiceError as error:
        if kept is None or not may_resume(error) or kept.resume.attempts == 0:
            raise
        failure = error
    finally:
        yield Close(reply)
    yield from _await_end(connection, file.ids)
    rest = ResultTransfer(connection, kept.kind, file, kept.resume)
    yield from rest.receive((yield from rest.continue_after(failure, None)))
    receipt = yield from require_kept_receipt(connection, file.ids, file.rows)
    # The host had sent all bytes, and has their hash, if they were lost behind it.
    is_same = receipt is not None and (receipt.sha256, receipt.bytes) == (file.check.sha256, file.check.bytes)
    return _proved(file, receipt, "receipt" if is_same else "digest")


def _receive_direct(connection: Connection, reply: Reply, file: ReceivedFile, is_kept: bool) -> Program[Receipt]:
    """Receives the bytes of a download, and returns the receipt that proves them."""
    yield from file.receive(reply)
    receipt = yield from require_receipt(connection, file.ids)
    if is_kept and receipt.state not in ("FAILED", "CANCELLED"):
        # The receipt of a query that goes on, or went on, without its client has no hash.
        is_cut = receipt.state != "FINISHED" or file.check.bytes < receipt.bytes or receipt.sha256 is None
        if is_cut and receipt.query_id.lower() == file.query_id.lower():
            what = f"{file.check.bytes:,} of {receipt.bytes:,} bytes arrived"
            raise IncompleteResult("cut", f"The download is not complete: {what}. Run it again.", **_fields(file.ids))
    file.check.compare(receipt, file.query_id, file.rows, request_id=file.ids["request_id"])
    return receipt


def _await_end(connection: Connection, ids: Ids) -> Program[None]:
    """Waits until a query whose connection was cut has ended, because its result can be read as a file only then.

    The host goes on with the query while this waits. Whether the result is kept is known from the request for the file.

    Raises:
        QueryFailed, QueryEnded: if the query has failed
    """
    query_id = cast("str", ids["query_id"])
    with contextlib.suppress(SluiceError, httpx.HTTPError):
        reply = yield from exchange(connection, events_request(connection, query_id, BEHIND_ALL_ROWS, progress=False))
        try:
            while (yield from read(reply)) is not None:
                pass
        finally:
            yield Close(reply)
    try:
        receipt = yield from read_receipt(connection, query_id)
    except SluiceError:
        return
    if receipt.state in ("FAILED", "CANCELLED") and receipt.error is not None:
        raise failure_of(*receipt.error, **_fields(ids))


def _explain(connection: Connection, error: IncompleteResult, ids: Ids) -> Program[SluiceError]:
    """Returns the error that explains a cut. If the receipt has one, such as a failed statement, that caused the cut."""
    try:
        receipt = yield from read_receipt(connection, cast("str", ids["query_id"]))
    except SluiceError:
        return error
    if receipt.state == "RUNNING":
        yield cancel_query(connection, receipt.query_id)
    if receipt.state not in ("FAILED", "CANCELLED") or receipt.error is None or receipt.error[1] == CLIENT_LEFT:
        return error
    return failure_of(*receipt.error, **_fields(ids))


def _fields(ids: Ids) -> dict[str, Any]:
    return cast("dict[str, Any]", ids)
