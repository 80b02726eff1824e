"""State of one result, and the programs of its ways out. Both clients share it."""

from __future__ import annotations

import datetime
import os
import time
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast

from .amounts import rows_text, size_text
from .effects import Program, call
from .errors import NotSupported, SluiceError, TargetFailed, UsageError
from .events import Completion, Progress, Row
from .files import SavedFile, save_kept
from .frames import TableBuilder, import_arrow, read_parquet
from .memory_file import MemoryFile
from .reading import OnProgress, cancel_query
from .receipts import Receipt
from .requests import QUERY_ID, Connection, Request, cancel_on_host, cancel_statement_on_host, json_content
from .resuming import ResumeOptions
from .row_stream import Proof, RowStream
from .statements import Statement
from .transfers import transfer
from .types import Column

T = TypeVar("T")


@dataclass
class EngineFacts:
    """What was learned about the engine of a connection."""

    writes_parquet: bool = True


class ResultCore:
    """One result: of a statement that runs when a way out is chosen, or a kept one.

    Args:
        connection: hosts
        facts: what was learned about the engine
        source: statement, or the id of a query whose result is kept
        on_progress: called while the query runs
        resume: attempts to continue a kept result after a cut
    """

    def __init__(
        self,
        connection: Connection,
        facts: EngineFacts,
        source: Statement | str,
        on_progress: OnProgress | None = None,
        resume: ResumeOptions | None = None,
    ) -> None:
        self._connection = connection
        self._facts = facts
        self.statement = source if isinstance(source, Statement) else None
        self._kept_id = source if isinstance(source, str) else None
        self.on_progress = on_progress
        self._resume = resume or ResumeOptions()
        self._rows: RowStream | None = None
        self._taken = False
        self._file_columns: tuple[Column, ...] | None = None
        self.state: Literal["new", "running", "complete", "failed", "closed"] = "new"
        self.count = 0
        self.error: SluiceError | None = None
        self.receipt: Receipt | None = None
        self.proof: Proof | None = None
        self.table: Any = None
        self._received: MemoryFile | None = None
        self._started_id: str | None = None
        self._started_at = 0.0
        self._is_cancel_requested = False

    @classmethod
    def of_kept(
        cls,
        connection: Connection,
        facts: EngineFacts,
        query_id: object,
        on_progress: OnProgress | None,
        resume: ResumeOptions,
    ) -> ResultCore:
        """Returns the kept result of a query.

        Raises:
            UsageError: if the id does not have the form of one
        """
        if not isinstance(query_id, str) or not QUERY_ID.fullmatch(query_id):
            raise UsageError("query_id must be the id of a query, such as result.query_id.")
        return cls(connection, facts, query_id, on_progress, resume)

    @property
    def query_id(self) -> str | None:
        """Id of the query; None before it has one."""
        if self._kept_id is not None:
            return self._kept_id
        if self.receipt is not None:
            return self.receipt.query_id
        return self._started_id

    @property
    def completion(self) -> Completion | None:
        """The last event of the host; None before it, and for a dataframe that came as a file."""
        return self._rows.completion if self._rows is not None and self.state == "complete" else None

    @property
    def limited(self) -> bool | None:
        """Whether the statement had more rows than `limit`; None before the end."""
        if self.completion is not None:
            return self.completion.limited
        return None if self.receipt is None else self.receipt.limited

    @property
    def kept_until(self) -> datetime.datetime | None:
        """Time until which the result is kept; None before its end, and if it is not."""
        until = None if self.completion is None else self.completion.kept_until
        return None if until is None else datetime.datetime.fromtimestamp(until / 1000, datetime.timezone.utc)

    @property
    def cancels_when_forgotten(self) -> bool:
        """Whether the query ends with this object: this process runs it, and does not only follow it."""
        return self.state == "running" and self._kept_id is None and (self._rows is None or self._rows.is_of_this_process)

    def cancel(self) -> None:
        """Cancels the query on the server, unless it is over or did not start. Blocks, and any thread may call it."""
        if self.state != "running":
            return
        self._is_cancel_requested = True
        query_id = self.query_id
        if query_id is not None:
            cancel_on_host(self._connection, query_id)
        elif self.statement is not None and not self.statement.parameters:
            # With parameters, a query of the same statement may be another one.
            cancel_statement_on_host(self._connection, self.statement.sql, self._started_at)

    def _start(self) -> None:
        self.state, self._started_at = "running", time.time()

    def _note_id(self, query_id: str) -> Program[None]:
        """Notes the id of the query, and cancels it if that was requested before."""
        self._started_id = query_id
        if self._is_cancel_requested:
            yield cancel_query(self._connection, query_id)

    def _note(self, progress: Progress) -> None:
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
                if error.query_id is None:
                    error.query_id = self.query_id
                self.error = error
            raise

    def open_rows(self) -> Program[tuple[Column, ...]]:
        """Runs the statement, and returns its columns as soon as they are known."""
        return (yield from self._guard(self._open_rows()))

    def _open_rows(self) -> Program[tuple[Column, ...]]:
        if self._rows is None:
            self._require_new()
            self._start()
            if self._kept_id is not None:
                origin: dict[str, Any] | str = self._kept_id
            else:
                statement = cast("Statement", self.statement)
                origin = statement.body(size=statement.limit)
            self._rows = RowStream(self._connection, origin, self._note, self._resume, self._note_id)
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
            raise self.error.with_traceback(None)
        if self.state in ("failed", "closed"):
            raise UsageError("Reading this result was ended before its last row. Run the query again.")

    def next_batch(self) -> Program[list[Row] | None]:
        """Returns the next rows; None after the last one, when they are proved to be all."""
        return (yield from self._guard(self._next_batch()))

    def _next_batch(self) -> Program[list[Row] | None]:
        if self.state == "complete":
            return None
        self.require_open()
        if self._rows is not None and not self._rows.is_of_this_process:
            raise UsageError("The process that ran this query reads its rows. Run the query again in this process.")
        yield from self._open_rows()
        rows = cast("RowStream", self._rows)
        batch = yield from rows.next_batch()
        if batch is None:
            self.state = "complete"
            self.receipt, self.proof = rows.receipt, rows.proof
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
        try:
            return (yield from self._fetch_any_table())
        except MemoryError as cause:
            raise TargetFailed(
                "The dataframe does not fit into memory. Select fewer columns or rows, read rows in a loop, or download a file."
            ) from cause

    def _fetch_any_table(self) -> Program[Any]:
        if self.state == "new" and self._comes_as_file():
            try:
                return (yield from self._fetch_parquet())
            except NotSupported as error:
                # Rows have the same values. A column without a name is rejected too, which says nothing about the engine.
                self._facts.writes_parquet = "has no name" in error.message
                self.state, self._started_id = "new", None
        self._taken = True
        columns = yield from self._open_rows()
        builder = TableBuilder(columns)
        try:
            while (batch := (yield from self._next_batch())) is not None:
                if builder.add(batch):
                    yield from call(builder.flush)
            return (yield from call(builder.finish))
        except BaseException:
            # The task may be cancelled while a thread makes the table; then nothing else ends the query.
            yield from cast("RowStream", self._rows).close()
            raise

    def _comes_as_file(self) -> bool:
        """Returns whether the engine writes the result as Parquet, which has no limit and is not kept."""
        statement = self.statement
        return statement is not None and self._facts.writes_parquet and statement.limit is None and statement.keep is None

    def _fetch_parquet(self) -> Program[Any]:
        self._start()
        headers, content = json_content(cast("Statement", self.statement).body())
        path = "/query/download/parquet"
        request = Request("stream", "POST", path, "statement", headers, content, self._connection.unlimited())
        with MemoryFile() as file:
            self._received = file
            moved = yield from transfer(self._connection, request, file, self._note, on_start=self._note_id)
            receipt = cast("Receipt", moved.receipt)
            self.receipt, self.proof = receipt, "receipt"
            # An event loop must not wait for it.
            table, self._file_columns = yield from call(lambda: read_parquet(file, receipt.rows, receipt.query_id))
        self.count = receipt.rows
        self.state = "complete"
        return table

    def download(self, path: str | os.PathLike[str], kind: str | None, on_progress: OnProgress | None) -> Program[SavedFile]:
        """Downloads the kept result into a file.

        Raises:
            UsageError: if the result is not kept, or not yet complete
            SluiceError: as `save_kept`
        """
        return save_kept(self._connection, self._require_kept(), path, kind, self._resume, on_progress)

    def _require_kept(self) -> str:
        query_id = self.query_id
        if query_id is None or (self._kept_id is None and self.kept_until is None):
            raise UsageError(
                "Only a kept result can be downloaded. Pass keep= and read the result first, or use client.download(sql, path)."
            )
        return query_id

    def close(self) -> Program[None]:
        """Cancels the query, unless it is over."""
        if self._rows is not None and self.state == "running":
            self.state = "closed"
            yield from self._rows.close()
        elif self.state == "new":
            self.state = "closed"

    def columns(self) -> tuple[Column, ...] | None:
        """Returns the columns if they are known."""
        return self._file_columns if self._rows is None else self._rows.columns

    def describe(self) -> str:
        """Returns the state in words, with the error of a result that failed."""
        return f"{self.outcome()}: {self.error}" if self.state == "failed" else self.outcome()

    def outcome(self) -> str:
        """Returns the state in words, without an error."""
        if self.state == "new":
            return "Not run yet; read it with to_pandas() or a loop"
        if self.state == "complete":
            return self._describe_complete()
        arrived = self._describe_received()
        if self.state == "running":
            return f"Running, {arrived} so far"
        if self.state == "closed":
            return f"{'Cancelled' if self._kept_id is None else 'Left'} after {arrived}"
        return f"{'Cut' if getattr(self.error, 'code', '') == 'incomplete_result' else 'Failed'} after {arrived}"

    def _describe_received(self) -> str:
        """Returns what has arrived. The rows of a file are not known before its end."""
        if self._rows is None and self._received is not None and self._received.size > 0:
            return size_text(self._received.size)
        return rows_text(self.count)

    def _describe_complete(self) -> str:
        rows = rows_text(self.count)
        not_kept = None if self.completion is None else self.completion.not_kept
        kept = "" if not_kept is None else f"; not kept: {not_kept.rstrip('.')}"
        if not self.limited:
            return f"Complete, {rows}{kept}"
        whose = "the" if self.statement is None else "your"
        return f"Cut at {whose} limit: {rows}; the statement has more{kept}"

    def summary(self) -> dict[str, Any]:
        """Returns the facts that a dataframe of pandas carries in `attrs`, as values that JSON can express."""
        return {"state": "limited" if self.limited else "complete", "rows": self.count, "query_id": self.query_id}
