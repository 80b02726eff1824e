"""Reads the events of `POST /query` and `GET /query/{id}/events`. No input and output: bytes go in, rows come out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from .errors import IncompleteResult, failure_of, location_of
from .receipts import BodyCheck
from .types import Column, RowReader

ROW_DATA = b'{"type":"row","data":'
ROW_START = b"data: " + ROW_DATA
ROW_END = b"}\n\n"
BETWEEN_ROWS = ROW_END + ROW_START
ID_START, LATER_ID = b"id: ", b"\nid: "
ROW_ID = re.compile(rb"^id: (\d{1,15})\n", re.MULTILINE)
"""Number of a row in a stream that continues another one. JSON has no line feed, so no value has such a line."""
NOT_KEPT = "NOT_FOUND"
"""Code of the event of a query that has ended without its client and whose result was not kept. No statement fails with it."""

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Progress:
    """Progress of a running query or download."""

    state: str
    """State that the engine reports, such as `QUEUED` or `RUNNING`."""
    rows: int
    """Rows so far. 0 in a file whose rows cannot be counted while it arrives: Parquet, JSON and Excel."""
    bytes: int
    """Bytes so far."""
    splits_done: int | None
    """Finished parts of the work of the engine; None if it does not report them."""
    splits_total: int | None


@dataclass(frozen=True)
class Completion:
    """The last event of a complete result."""

    limited: bool
    kept_until: int | None
    """Time until which the result is kept, in epoch milliseconds."""
    not_kept: str | None
    """Why it is not kept, although that was requested."""


class EventReader:
    """State of the events of one result, across the connections that they arrive on.

    Args:
        hashes_lines: whether the rows are hashed as the lines of an NDJSON file, whose SHA-256 proves a kept result
        ids: `query_id` and `request_id`, for errors
    """

    def __init__(self, hashes_lines: bool = False, **ids: str | None) -> None:
        self.ids = ids
        self.check = BodyCheck()
        self.lines = BodyCheck() if hashes_lines else None
        self.columns: tuple[Column, ...] | None = None
        self.rows = 0
        self.progress: Progress | None = None
        self.completion: Completion | None = None
        self._reader: RowReader | None = None
        self._has_columns = False
        self._rest = b""

    def continue_with(self, **ids: str | None) -> None:
        """Prepares for another connection. It begins with the columns, and goes on behind the rows that have arrived."""
        self.ids = ids
        self._has_columns = False
        self._rest = b""

    def feed(self, chunk: bytes) -> list[Row]:
        """Adds bytes and returns the rows that they complete.

        Raises:
            QueryFailed, QueryEnded: if the host reports a failure
            IncompleteResult: if the events are not valid or not in their order
            PrecisionError: if a type of Python cannot hold a value
        """
        self.check.add(chunk)
        if self.completion is not None:
            raise self.malformed("Bytes follow the last event")
        end = chunk.rfind(b"\n\n")
        if end < 0 and not (chunk[:1] == b"\n" and self._rest[-1:] == b"\n"):
            self._rest += chunk
            return []
        text = self._rest + chunk
        end = text.rfind(b"\n\n") + 2
        self._rest = text[end:]
        return self._read_block(self._without_ids(text[:end]))

    def finish(self) -> None:
        """Ends the stream.

        Raises:
            IncompleteResult: if the last event is missing
        """
        if self.completion is None or self._rest:
            raise IncompleteResult("cut", "The result is incomplete: the stream ended early. Run the query again.", **self.ids)

    def malformed(self, what: str) -> IncompleteResult:
        """Returns the error for bytes that are not what a host sends."""
        return IncompleteResult("malformed", f"{what}. Check the proxies on the way, and run the query again.", **self.ids)

    def _without_ids(self, block: bytes) -> bytes:
        """Removes the numbers of rows, which begin at 1, after their comparison with the rows that have arrived."""
        found = ROW_ID.search(block) if block.startswith(ID_START) or LATER_ID in block else None
        if found is None:
            return block
        if int(found[1]) != self.rows + 1:
            raise self.malformed(f"The result goes on with row {int(found[1]):,} after {self.rows:,} rows")
        return ROW_ID.sub(b"", block)

    def _read_block(self, block: bytes) -> list[Row]:
        if self._has_columns and block.startswith(ROW_START) and block.endswith(ROW_END):
            # JSON has no line feed, so the separator cannot be a part of a value, and the braces of another event between two
            # rows would not balance.
            data = block[len(ROW_START) : -len(ROW_END)]
            rows = self._parse(b"[" + data.replace(BETWEEN_ROWS, b",") + b"]", None)
            if rows is not None:
                if self.lines is not None:
                    self.lines.add(data.replace(BETWEEN_ROWS, b"\n") + b"\n")
                return self._take(rows)
        return self._read_events(block)

    def _read_events(self, block: bytes) -> list[Row]:
        taken: list[Row] = []
        waiting: list[Any] = []
        for data in _data_of(block):
            event = self._parse(data, "An event of the result is not JSON")
            members = cast("dict[str, Any]", event) if isinstance(event, dict) else {}
            kind = members.get("type")
            if kind == "row":
                waiting.append(members.get("data"))
                if self.lines is not None:
                    self.lines.add(data[len(ROW_DATA) : -1] + b"\n")
                continue
            taken += self._take(waiting)
            waiting = []
            self._apply(kind, members)
        return taken + self._take(waiting)

    def _parse(self, data: bytes, problem: str | None) -> Any:
        try:
            text = data.decode()
            return json.loads(text) if self._reader is None else self._reader.decode(text)
        except ValueError as cause:
            if problem is None:
                return None
            raise self.malformed(problem) from cause

    def _take(self, rows: list[Any]) -> list[Row]:
        if not rows:
            return []
        if self._reader is None or not self._has_columns or self.completion is not None:
            raise self.malformed("The events of the result are not in their order")
        try:
            taken = self._reader.tuples(rows)
        except (KeyError, TypeError, ValueError, IndexError) as cause:
            raise self.malformed(f"A row of the result is not valid ({type(cause).__name__}: {cause})") from cause
        self.rows += len(taken)
        return taken

    def _apply(self, kind: object, event: Any) -> None:
        if self.completion is not None:
            raise self.malformed("An event follows the last one")
        try:
            if kind == "metadata":
                self._read_columns(event["columns"])
            elif kind == "progress":
                counts = [event[name] for name in ("rows", "bytes", "splits_done", "splits_total")]
                rows, size, done, total = (None if count is None else int(count) for count in counts)
                self.progress = Progress(str(event["state"]), rows or 0, size or 0, done, total)
            elif kind == "error":
                self._fail(event)
            elif kind == "complete":
                self._complete(event)
        except (KeyError, TypeError, AttributeError, ValueError) as cause:
            raise self.malformed(f"An event of the result ({kind}) is not valid") from cause

    def _fail(self, event: Any) -> None:
        if event["code"] == NOT_KEPT:
            raise IncompleteResult("cut", str(event["error"]), **self.ids)
        raise failure_of(event["code"], event["error"], location=location_of(event.get("location")), **self.ids)

    def _read_columns(self, columns: list[Any]) -> None:
        if self._has_columns:
            raise self.malformed("The result has two lists of columns")
        found = tuple(Column(str(column["name"]), str(column["type"])) for column in columns)
        if self.columns is None:
            self.columns = found
            self._reader = RowReader(found)
        elif found != self.columns:
            raise self.malformed("The continued result has other columns")
        self._has_columns = True

    def _complete(self, event: Any) -> None:
        if not self._has_columns:
            raise self.malformed("The result ends before its columns")
        ended = event.get("query_id")
        if ended is not None and ended != self.ids.get("query_id"):
            raise self.malformed("The result ends with the id of another query")
        if int(event["rows"]) != self.rows:
            raise IncompleteResult(
                "row_count",
                f"The result is incomplete: {self.rows:,} rows arrived, and the host sent {int(event['rows']):,}. Run it again.",
                **self.ids,
            )
        kept_until = event.get("kept_until")
        self.completion = Completion(
            limited=event.get("limited") is True,
            kept_until=None if kept_until is None else int(kept_until),
            not_kept=event.get("not_kept"),
        )


def _data_of(block: bytes) -> Iterator[bytes]:
    """Yields the data of each event (WHATWG HTML, "Server-sent events"). Comments have none."""
    for event in block.split(b"\n\n"):
        lines = [line[5:].lstrip() for line in event.split(b"\n") if line.startswith(b"data:")]
        if lines:
            yield b"\n".join(lines)
