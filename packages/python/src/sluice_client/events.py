"""Reads the events of `POST /query`. No input and output: bytes go in, rows come out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from .errors import IncompleteResult, failure_of, location_of
from .receipts import BodyCheck
from .types import Column, RowReader

ROW_START = b'data: {"type":"row","data":'
ROW_END = b"}\n\n"
BETWEEN_ROWS = ROW_END + ROW_START

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Progress:
    """Progress of a running query. Without splits, its engine does not report them."""

    state: str
    rows: int
    bytes: int
    splits_done: int | None
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
    """State of one stream of events.

    Args:
        ids: `query_id` and `request_id`, for errors
    """

    def __init__(self, **ids: str | None) -> None:
        self.ids = ids
        self.check = BodyCheck()
        self.columns: tuple[Column, ...] | None = None
        self.rows = 0
        self.progress: Progress | None = None
        self.completion: Completion | None = None
        self._reader: RowReader | None = None
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
        return self._read_block(text[:end])

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

    def _read_block(self, block: bytes) -> list[Row]:
        if self._reader is not None and block.startswith(ROW_START) and block.endswith(ROW_END):
            # JSON has no line feed, so the separator cannot be a part of a value, and the braces of another event between two
            # rows would not balance.
            rows = self._parse(b"[" + block[len(ROW_START) : -len(ROW_END)].replace(BETWEEN_ROWS, b",") + b"]", None)
            if rows is not None:
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
        if self._reader is None or self.completion is not None:
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
                raise failure_of(event["code"], event["error"], location=location_of(event.get("location")), **self.ids)
            elif kind == "complete":
                self._complete(event)
        except (KeyError, TypeError, AttributeError, ValueError) as cause:
            raise self.malformed(f"An event of the result ({kind}) is not valid") from cause

    def _read_columns(self, columns: list[Any]) -> None:
        if self.columns is not None:
            raise self.malformed("The result has two lists of columns")
        self.columns = tuple(Column(str(column["name"]), str(column["type"])) for column in columns)
        self._reader = RowReader(self.columns)

    def _complete(self, event: Any) -> None:
        if self.columns is None:
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
