"""Parts of every transfer: its ids, its failures and its receipt. Programs of effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import httpx

from .effects import Cancel, Close, Program, Reply, Sleep
from .errors import IncompleteResult, ResponseError, SluiceError
from .events import Progress
from .receipts import Receipt
from .requests import Connection, Request, cancel_on_host, path_of, query_id_of, read_json

OnProgress = Callable[[Progress], None]
OnStart = Callable[[str], Program[None]]
"""Program that runs when the id of a query is known."""
Ids = dict[str, str | None]
"""`query_id` and `request_id` of a response, for errors."""

RECEIPT_READS = 6
"""Number of times that a receipt is read until its query has ended: a kept result can be read shortly before."""
FIRST_READ_SECONDS = 0.05
NOT_FOUND = 404


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


def require_receipt(connection: Connection, ids: Ids) -> Program[Receipt]:
    """Reads the receipt of a body that has ended. Without it, nothing proves that the body is whole."""
    query_id = cast("str", ids["query_id"])
    try:
        return (yield from read_receipt(connection, query_id))
    except SluiceError as cause:
        if cause.status == 401:
            raise
        message = f"All bytes seem to have arrived, but the receipt that proves it could not be read: {cause.message}"
        fields = cast("dict[str, Any]", ids)
        raise IncompleteResult("receipt", message, status=cause.status, **fields) from cause


def require_kept_receipt(
    connection: Connection, ids: Ids, rows: int | None, *, may_be_shared: bool = False
) -> Program[Receipt | None]:
    """Reads the receipt of a query whose kept result has arrived. It has no hash if its connection was cut.

    Args:
        connection: hosts
        ids: ids of the query
        rows: number of rows that arrived; None if it is not known
        may_be_shared: whether the result may be that of another account, whose receipt is not found. Then returns None

    Raises:
        IncompleteResult: if the receipt is not FINISHED, or has other rows
        QueryFailed, QueryEnded: if it says why the query failed
    """
    reads = 1
    while True:
        try:
            receipt = yield from require_receipt(connection, ids)
        except IncompleteResult as error:
            if may_be_shared and error.status == NOT_FOUND:
                return None
            raise
        if receipt.state != "RUNNING" or reads == RECEIPT_READS:
            break
        yield Sleep(FIRST_READ_SECONDS * 2**reads)
        reads += 1
    receipt.require_finished(cast("str", ids["query_id"]), rows, request_id=ids["request_id"])
    return receipt


def transfer_failure(cause: httpx.HTTPError, ids: Ids) -> IncompleteResult:
    """Returns the error for a body that broke off."""
    fields = cast("dict[str, Any]", ids)
    if isinstance(cause, httpx.TimeoutException):
        what = "The result is incomplete: no byte arrived within the idle time-out. Run the query again."
        return IncompleteResult("stalled", what, **fields)
    what = f"the connection ended early ({cause or type(cause).__name__})"
    return IncompleteResult("cut", f"The result is incomplete: {what}. Run the query again.", **fields)


def require_ids(reply: Reply) -> Program[Ids]:
    """Returns the ids of a response.

    Raises:
        ResponseError: if it has no id of a query
    """
    query_id = query_id_of(reply)
    if query_id is None:
        yield Close(reply)
        message = (
            "The response has no X-Query-Id, so it cannot be compared with a receipt. Check the address of the stream host "
            "and the proxies on the way."
        )
        raise ResponseError("unexpected_response", message, status=reply.status)
    return {"query_id": query_id, "request_id": reply.header("x-request-id")}


def cancel_query(connection: Connection, query_id: str) -> Cancel:
    """Returns the effect that cancels a query."""
    return Cancel(lambda: cancel_on_host(connection, query_id))


def events_request(connection: Connection, query_id: str, after: int, *, progress: bool) -> Request:
    """Returns the request for the events of a query whose result is or will be kept.

    Args:
        connection: hosts
        query_id: id of the query
        after: number of rows that have arrived
        progress: whether the host reports the progress of a running query
    """
    path = path_of("/query/{id}/events", {"id": query_id}, {"progress": True} if progress else None)
    headers = {"accept": "text/event-stream", "last-event-id": str(after)}
    # It is silent while the query waits for a worker.
    return Request("stream", "GET", path, "safe", headers, timeout=connection.event_limits())
