"""The receipt of a query, and the comparison of what arrived with it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from .errors import IncompleteResult, failure_of


@dataclass(frozen=True)
class Receipt:
    """What the host says about a query and the body that it sent. Times are epoch milliseconds."""

    query_id: str
    state: str
    rows: int
    bytes: int
    sha256: str | None
    limited: bool
    started_ts: int
    ended_ts: int | None
    error: tuple[str, str] | None
    """Code and message of a failure."""

    @classmethod
    def parse(cls, body: Any) -> Receipt:
        """Reads a receipt.

        Raises:
            ValueError: if it is not one
        """
        try:
            error = body["error"]
            receipt = cls(
                query_id=body["query_id"],
                state=body["state"],
                rows=body["rows"],
                bytes=body["bytes"],
                sha256=body["sha256"],
                limited=body["limited"],
                started_ts=body["started_ts"],
                ended_ts=body["ended_ts"],
                error=None if error is None else (error["code"], error["message"]),
            )
        except (KeyError, TypeError) as cause:
            raise ValueError(f"It is not a receipt: {cause}.") from cause
        counts = (receipt.rows, receipt.bytes)
        if not all(isinstance(count, int) and not isinstance(count, bool) for count in counts):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError("It is not a receipt: rows and bytes must be whole numbers.")
        return receipt

    def require_finished(self, query_id: str, rows: int | None, **fields: Any) -> None:
        """Returns if the query is complete, with this number of rows.

        Args:
            query_id: id of the query that was read
            rows: number of rows that arrived; None if the format does not show it
            fields: further fields of the error

        Raises:
            IncompleteResult: if it is not
            QueryFailed, QueryEnded: if the receipt says why the query failed
        """

        def incomplete(reason: str, what: str) -> IncompleteResult:
            return IncompleteResult(reason, f"The result is not complete: {what}. Run it again.", query_id=query_id, **fields)

        if self.query_id.lower() != query_id.lower():
            raise incomplete("receipt", f"the receipt is that of another query, {self.query_id}")
        if self.state in ("FAILED", "CANCELLED") and self.error is not None:
            raise failure_of(*self.error, query_id=query_id, **fields)
        if self.state != "FINISHED":
            raise incomplete("state", f"the transfer has ended, and the receipt says that the query is {self.state}")
        if rows is not None and rows != self.rows:
            raise incomplete("row_count", f"{rows:,} rows arrived, and the receipt has {self.rows:,}")


class BodyCheck:
    """Counts and hashes a body while it arrives."""

    def __init__(self) -> None:
        self.bytes = 0
        self._hash = hashlib.sha256()

    def add(self, chunk: bytes) -> None:
        """Adds the next bytes of the body, uncompressed."""
        self.bytes += len(chunk)
        self._hash.update(chunk)

    @property
    def sha256(self) -> str:
        """SHA-256 of all bytes so far in lower-case hex."""
        return self._hash.hexdigest()

    def compare(self, receipt: Receipt, query_id: str, rows: int | None, **fields: Any) -> None:
        """Returns if the receipt proves that exactly these bytes and rows are the whole result.

        Args:
            receipt: what the host says
            query_id: id of the query whose body arrived
            rows: number of rows that arrived; None if the format does not show it
            fields: further fields of the error

        Raises:
            IncompleteResult: if it does not
            QueryFailed, QueryEnded: if the receipt says why the query failed
        """
        receipt.require_finished(query_id, None, **fields)
        if receipt.bytes != self.bytes or receipt.sha256 != self.sha256:
            what = f"{self.bytes:,} bytes arrived, and the receipt has {receipt.bytes:,} bytes or another SHA-256"
            raise IncompleteResult("hash", f"The result is not complete: {what}. Run it again.", query_id=query_id, **fields)
        receipt.require_finished(query_id, rows, **fields)


class RowCounter:
    """Counts the rows of a CSV or NDJSON file while it arrives."""

    def __init__(self, media_type: str) -> None:
        self._lines = 0
        self._quoted = False
        self._kind = {"text/csv": "csv", "application/x-ndjson": "ndjson"}.get(media_type)

    def add(self, chunk: bytes) -> None:
        """Adds the next bytes of the file."""
        if self._kind == "csv" and (self._quoted or b'"' in chunk):
            # A doubled quote ends and begins a quoted field, so every second part is outside of quotes.
            for index, part in enumerate(chunk.split(b'"')):
                if index > 0:
                    self._quoted = not self._quoted
                if not self._quoted:
                    self._lines += part.count(b"\n")
        elif self._kind is not None:
            self._lines += chunk.count(b"\n")

    @property
    def rows(self) -> int | None:
        """Rows so far; None for formats whose rows cannot be counted."""
        if self._kind is None:
            return None
        return max(0, self._lines - 1) if self._kind == "csv" else self._lines
