"""State of one result, and the programs of its ways out. Both clients share it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, cast

from .effects import Program
from .errors import NotSupported, SluiceError, UsageError
from .events import Progress, Row
from .frames import TableBuilder, import_arrow, read_parquet
from .parameters import encode_parameters
from .receipts import Receipt
from .requests import Connection, Request, json_content
from .spool import Spool
from .transfers import KeptRows, OnProgress, RowSource, RowStream, transfer
from .types import Column

T = TypeVar("T")
DURATION = re.compile(r"[1-9]\d{0,4}[smhd]")


@dataclass
class EngineFacts:
    """What was learned about the engine of a connection."""

    writes_parquet: bool = True


@dataclass(frozen=True)
class Statement:
    """A statement with its parameters and options, as requests take them."""

    sql: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    limit: int | None = None
    keep: str | None = None
    time_zone: str | None = None

    @classmethod
    def check(
        cls,
        sql: object,
        parameters: Mapping[str, Any] | None,
        named: Mapping[str, Any],
        *,
        limit: int | None = None,
        keep: str | None = None,
        time_zone: str | None = None,
    ) -> Statement:
        """Returns a statement whose values can be sent.

        Raises:
            UsageError: naming what cannot
        """
        if not isinstance(sql, str) or not sql.strip():
            raise UsageError("The statement must be a string that is not blank.")
        both = sorted(set(parameters or {}) & set(named))
        if both:
            raise UsageError(f"The parameter {both[0]} is given twice. Pass it once.")
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError("limit must be a whole number of rows, at least 1.")
        if keep is not None and not DURATION.fullmatch(keep):
            raise UsageError("keep must be a duration such as 30m, 24h or 7d.")
        values = encode_parameters({**(parameters or {}), **named})
        return cls(sql, values, limit, keep, time_zone)

    def body(self, **more: Any) -> dict[str, Any]:
        """Returns the body of a request."""
        fields = {"keep": self.keep, "time_zone": self.time_zone, "parameters": dict(self.parameters) or None, **more}
        return {"sql": self.sql, **{name: value for name, value in fields.items() if value is not None}}


class ResultCore:
    """One result: of a statement that runs when a way out is chosen, or a kept one."""

    def __init__(
        self, connection: Connection, facts: EngineFacts, source: Statement | str, on_progress: OnProgress | None = None
    ) -> None:
        self._connection = connection
        self._facts = facts
        self.statement = source if isinstance(source, Statement) else None
        self._kept_id = source if isinstance(source, str) else None
        self.on_progress = on_progress
        self._rows: RowSource | None = None
        self._taken = False
        self.state: Literal["new", "running", "complete", "failed", "closed"] = "new"
        self.count = 0
        self.error: SluiceError | None = None
        self.receipt: Receipt | None = None
        self.table: Any = None
        self.progress: Progress | None = None

    @property
    def query_id(self) -> str | None:
        """Id of the query; None before it has one."""
        if self._kept_id is not None:
            return self._kept_id
        if self.receipt is not None:
            return self.receipt.query_id
        return self._rows.ids.get("query_id") if isinstance(self._rows, RowStream) else None

    @property
    def limited(self) -> bool | None:
        """Whether the statement had more rows than `limit`; None before the end."""
        if isinstance(self._rows, KeptRows) and self.state == "complete":
            return self._rows.limited
        return None if self.receipt is None else self.receipt.limited

    def _note(self, progress: Progress) -> None:
        self.progress = progress
        if self.on_progress is not None:
            self.on_progress(progress)

    def _guard(self, program: Program[T]) -> Program[T]:
        """Runs a way out, and keeps how it ended."""
        try:
            return (yield from program)
        except UsageError:
            raise
        except BaseException as error:
            self.state = "closed" if not isinstance(error, Exception) else "failed"
            if isinstance(error, SluiceError):
                error.sql = None if self.statement is None else self.statement.sql
                self.error = error
            raise

    def open_rows(self) -> Program[tuple[Column, ...]]:
        """Runs the statement, and returns its columns as soon as they are known."""
        return (yield from self._guard(self._open_rows()))

    def _open_rows(self) -> Program[tuple[Column, ...]]:
        if self._rows is None:
            self._require_new()
            self.state = "running"
            if self._kept_id is not None:
                self._rows = KeptRows(self._connection, self._kept_id)
            else:
                statement = cast("Statement", self.statement)
                self._rows = RowStream(self._connection, statement.body(size=statement.limit), self._note)
        yield from self._rows.open()
        return cast("tuple[Column, ...]", self._rows.columns)

    def _require_new(self) -> None:
        if self.state != "new":
            raise UsageError("This result was read already. Run the query again, or pass keep= and read client.result(query_id).")

    def take_rows(self) -> None:
        """Begins to read rows, which is possible once.

        Raises:
            UsageError: the second time
        """
        if self._taken or (self.state != "new" and self._rows is None):
            raise UsageError(
                "The rows of this result were read already. Run the query again, or pass keep= and read client.result(query_id)."
            )
        self._taken = True

    def require_open(self) -> None:
        """Returns unless the result has ended early, so that its end is never taken for the last row.

        Raises:
            SluiceError: the one that ended it
        """
        if self.state == "failed" and self.error is not None:
            raise self.error
        if self.state in ("failed", "closed"):
            raise UsageError("Reading this result was ended before its last row. Run the query again.")

    def next_batch(self) -> Program[list[Row] | None]:
        """Returns the next rows; None after the last one, when they are proved to be all."""
        return (yield from self._guard(self._next_batch()))

    def _next_batch(self) -> Program[list[Row] | None]:
        if self.state == "complete":
            return None
        self.require_open()
        yield from self._open_rows()
        rows = cast("RowSource", self._rows)
        batch = yield from rows.next_batch()
        if batch is None:
            self.state = "complete"
            if isinstance(rows, RowStream):
                self.receipt = rows.receipt
        else:
            self.count += len(batch)
        return batch

    def fetch_table(self) -> Program[Any]:
        """Returns the whole result as a table of pyarrow. Further calls return the same table."""
        if self.table is None:
            import_arrow()
            if self._taken:
                raise UsageError("Rows of this result were read already. Run the query again for a dataframe.")
            self.table = yield from self._guard(self._fetch_table())
        return self.table

    def _fetch_table(self) -> Program[Any]:
        by_file = self.state == "new" and self._kept_id is None and self._facts.writes_parquet
        if by_file and cast("Statement", self.statement).limit is None:
            try:
                return (yield from self._fetch_parquet())
            except NotSupported as error:
                # Rows have the same values. A column without a name is rejected too, which says nothing about the engine.
                self._facts.writes_parquet = "has no name" in error.message
                self.state = "new"
        self._taken = True
        columns = yield from self._open_rows()
        builder = TableBuilder(columns)
        while (batch := (yield from self._next_batch())) is not None:
            builder.add(batch)
        return builder.finish()

    def _fetch_parquet(self) -> Program[Any]:
        self.state = "running"
        headers, content = json_content(cast("Statement", self.statement).body())
        path = "/query/download/parquet"
        request = Request("stream", "POST", path, "statement", headers, content, self._connection.unlimited())
        with Spool() as spool:
            moved = yield from transfer(self._connection, request, spool, self._note)
            self.receipt = moved.receipt
            table = read_parquet(spool, moved.receipt.rows, moved.receipt.query_id)
        self.count = moved.receipt.rows
        self.state = "complete"
        return table

    def close(self) -> Program[None]:
        """Cancels the query, unless it is over."""
        if self._rows is not None and self.state == "running":
            self.state = "closed"
            yield from self._rows.close()
        elif self.state == "new":
            self.state = "closed"

    def columns(self) -> tuple[Column, ...] | None:
        """Returns the columns if they are known."""
        return None if self._rows is None else self._rows.columns

    def describe(self) -> str:
        """Returns the state in words."""
        rows = f"{self.count:,} row{'' if self.count == 1 else 's'}"
        if self.state == "new":
            return "Not run yet"
        if self.state == "running":
            return f"Running, {rows} so far"
        if self.state == "complete":
            return f"Complete, {rows}{'; the statement has more than the limit' if self.limited else ''}"
        if self.state == "closed":
            return f"Cancelled after {rows}"
        word = "Cut" if getattr(self.error, "code", "") == "incomplete_result" else "Failed"
        return f"{word} after {rows}: {self.error}"
