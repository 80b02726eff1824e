"""Lists and small operations of both hosts. Programs of effects, which both clients run."""

from __future__ import annotations

import datetime
import numbers
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from .effects import Program
from .errors import ResponseError, SluiceError, UsageError
from .reading import read_receipt
from .receipts import Receipt
from .requests import Connection, Request, json_content, path_of, read_json

Entry = dict[str, Any]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
PAGE_ENTRIES = 100
SEARCH_REACH = 10_000
IMPORT_OBJECTS_MAX = 50
EMPTY_PAGES_MAX = 1_000


class Pages:
    """Entries of a list, page by page."""

    def __init__(self, connection: Connection, request: Callable[[Any], Request], first: Any = None) -> None:
        self._connection = connection
        self._request = request
        self._next = first
        self._ended = False
        self._empty = 0

    def next_page(self) -> Program[list[Entry] | None]:
        """Returns the entries of the next page; None behind the last one."""
        if self._ended:
            return None
        body = yield from read_json(self._connection, self._request(self._next))
        try:
            entries = cast("list[Entry]", list(body["data"]))
        except (KeyError, TypeError) as cause:
            raise ResponseError("unexpected_response", "The list that a host returned has no entries.") from cause
        self._advance(body, entries)
        return entries

    def _advance(self, body: Any, entries: list[Entry]) -> None:
        if isinstance(self._next, int):
            self._next += PAGE_ENTRIES
            self._ended = len(entries) < PAGE_ENTRIES or self._next >= SEARCH_REACH
            return
        before, self._next = self._next, body.get("next_page_token")
        self._ended = self._next is None
        self._empty = 0 if entries else self._empty + 1
        if (self._next is not None and self._next == before) or self._empty > EMPTY_PAGES_MAX:
            raise ResponseError("unexpected_response", "The list that a host returns has no end.")


def list_pages(connection: Connection, host: str, path: str, query: Mapping[str, Any]) -> Pages:
    """Returns a list with page tokens."""

    def request(token: str | None) -> Request:
        return Request(cast("Any", host), "GET", path_of(path, None, {**query, "page_token": token}))

    return Pages(connection, request)


def catalogs(connection: Connection) -> Pages:
    """Returns the catalogs that the caller may see."""
    return list_pages(connection, "api", "/catalog", {})


def schemas(connection: Connection, catalog: str) -> Pages:
    """Returns the schemas of a catalog."""
    return list_pages(connection, "api", path_of("/catalog/{catalog}", {"catalog": catalog}), {})


def tables(connection: Connection, catalog: str, schema: str) -> Pages:
    """Returns the tables and views of a schema."""
    path = path_of("/catalog/{catalog}/{schema}", {"catalog": catalog, "schema": schema})
    return list_pages(connection, "api", path, {})


def table(connection: Connection, catalog: str, schema: str, name: str) -> Program[Any]:
    """Returns a table or view with its columns."""
    names = {"catalog": catalog, "schema": schema, "table": name}
    return read_json(connection, Request("api", "GET", path_of("/catalog/{catalog}/{schema}/{table}", names)))


def search_datamaps(connection: Connection, words: str | None, search: Mapping[str, Any]) -> Pages:
    """Returns datamaps, or other objects with `advance_options`."""

    def request(first: int) -> Request:
        body = {**search, **({} if words is None else {"q": words}), "from": first, "size": PAGE_ENTRIES}
        headers, content = json_content(body)
        return Request("api", "POST", "/datamap/search", "safe", headers, content)

    return Pages(connection, request, 0)


def search_marketplace(connection: Connection, words: str | None) -> Pages:
    """Returns items of the marketplace."""

    def request(first: int) -> Request:
        return Request("stream", "GET", path_of("/marketplace", None, {"q": words, "from": first, "size": PAGE_ENTRIES}))

    return Pages(connection, request, 0)


def get_datamap(connection: Connection, datamap_id: str) -> Program[Any]:
    """Returns a datamap."""
    return read_json(connection, Request("api", "GET", path_of("/datamap/{id}", {"id": datamap_id})))


def get_item(connection: Connection, item_id: str) -> Program[Any]:
    """Returns an item of the marketplace."""
    return read_json(connection, Request("stream", "GET", path_of("/marketplace/{id}", {"id": item_id})))


def history(connection: Connection, filters: Mapping[str, Any]) -> Pages:
    """Returns the caller's queries and downloads, newest first.

    Raises:
        UsageError: if a time is neither a datetime with a time zone nor epoch milliseconds
    """
    times = {name: _milliseconds(name, filters[name]) for name in ("since", "until") if filters.get(name) is not None}
    return list_pages(connection, "stream", "/query/history", {**filters, **times})


def _milliseconds(name: str, value: object) -> int:
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return (value - EPOCH) // datetime.timedelta(milliseconds=1)
    if not isinstance(value, bool) and isinstance(value, numbers.Integral):  # those of numpy too
        return int(value)
    raise UsageError(
        f"{name} must be a datetime with a time zone, such as datetime.datetime.now(datetime.timezone.utc), or epoch "
        f"milliseconds, and not {value!r}."
    )


def receipt(connection: Connection, query_id: str) -> Program[Receipt]:
    """Returns the receipt of a query."""
    return read_receipt(connection, query_id)


def me(connection: Connection) -> Program[Any]:
    """Returns the caller and its permissions."""
    return read_json(connection, Request("api", "GET", "/me"))


def apply_metadata(connection: Connection, objects: Iterable[Mapping[str, Any]], dry_run: bool) -> Program[list[Entry]]:
    """Imports descriptions, tags and fields, in requests of at most 50 objects, and returns one result per object.

    Raises:
        SluiceError: if a whole request is rejected; the objects before it are applied
    """
    waiting = list(objects)
    results: list[Entry] = []
    for first in range(0, len(waiting), IMPORT_OBJECTS_MAX):
        body = {
            "metadata_objects": [dict(each) for each in waiting[first : first + IMPORT_OBJECTS_MAX]],
            "dry_run": dry_run,
        }
        headers, content = json_content(body)
        # The key makes it safe to send the same request again: it is applied once.
        headers["idempotency-key"] = str(uuid.uuid4())
        request = Request("api", "POST", "/metadata/import", "safe", headers, content)
        try:
            answer = yield from read_json(connection, request)
        except SluiceError as error:
            answer = _rejected_objects(error)
        results += cast("list[Entry]", answer["metadata_results"])
    return results


def _rejected_objects(error: SluiceError) -> Any:
    """Returns the results in a 403 or 404, which mean that all objects of a request failed."""
    body = error.body
    if body is None or "metadata_results" not in body:
        raise error
    return body
