"""The result of one statement, or a kept result, for plain code."""

from __future__ import annotations

import contextlib
import datetime
import os
import sys
from collections.abc import Iterator
from html import escape
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import frames
from .effects import SyncIO
from .events import Row
from .files import SavedFile
from .reading import OnProgress
from .receipts import Receipt
from .requests import Connection
from .result_core import ResultCore
from .row_stream import Proof
from .types import Column


class Result:
    """Result of one statement, which runs when it is first read.

    Choose one way out: rows (`rows()`, a loop, `fetchmany`, `fetchall`), or a dataframe (`to_pandas()`, `to_polars()`,
    `to_arrow()`), which may be made in any number. Each raises IncompleteResult unless the receipt of the host proves that
    the result is whole.
    """

    def __init__(self, io: SyncIO, connection: Connection, core: ResultCore) -> None:
        self._io = io
        self._connection = connection
        self._core = core
        self._iterator: Iterator[Row] | None = None

    @property
    def query_id(self) -> str | None:
        """Id of the query; None before it runs."""
        return self._core.query_id

    @property
    def columns(self) -> tuple[Column, ...]:
        """Names and types of the columns. Runs the statement if it did not run yet."""
        return self._core.columns() or self._io.run(self._core.open_rows())

    @property
    def receipt(self) -> Receipt | None:
        """What the host says about the whole result; None before its end, and for a result that another account shares."""
        return self._core.receipt

    @property
    def limited(self) -> bool | None:
        """Whether the statement has more rows than `limit`; None before the end."""
        return self._core.limited

    @property
    def proof(self) -> Proof | None:
        """What proved that the result is whole: `receipt`, `digest` of a kept result, or `rows`; None before its end."""
        return self._core.proof

    @property
    def kept_until(self) -> datetime.datetime | None:
        """Time until which the result is kept on the server; None before its end, and if it is not kept."""
        return self._core.kept_until

    def rows(self) -> Iterator[Row]:
        """Yields the rows as they arrive, as tuples. Leaving the loop cancels the query.

        Raises:
            IncompleteResult: after the last row that arrived, if it is not the last of the result
            QueryFailed, QueryEnded: if the engine rejects the statement, or the query ends early
            PrecisionError: if a type of Python cannot hold a value
        """
        self._core.take_rows()
        return self._iterate()

    def _iterate(self) -> Iterator[Row]:
        try:
            while (batch := self._io.run(self._core.next_batch())) is not None:
                yield from batch
        finally:
            self.close()

    def __iter__(self) -> Iterator[Row]:
        return self.rows()

    def _shared_rows(self) -> Iterator[Row]:
        if self._iterator is None:
            self._iterator = self.rows()
        return self._iterator

    def fetchmany(self, size: int = 1000) -> list[Row]:
        """Returns the next rows, at most `size`; an empty list after the last one, when all are proved to have arrived."""
        rows: list[Row] = []
        source = self._shared_rows()
        while len(rows) < size and (row := next(source, None)) is not None:
            rows.append(row)
        self._core.require_open()
        return rows

    def fetchall(self) -> list[Row]:
        """Returns all further rows, which are proved to be all."""
        rows = list(self._shared_rows())
        self._core.require_open()
        return rows

    def to_arrow(self) -> Any:
        """Returns a table of pyarrow, made of a Parquet file whose SHA-256 equals the receipt."""
        return self._io.run(self._core.fetch_table())

    def to_pandas(self, dtype_backend: str = "pyarrow") -> Any:
        """Returns a dataframe of pandas. Its `attrs["sluice"]` has `state` (`complete` or `limited`), `rows` and `query_id`.

        Args:
            dtype_backend: `pyarrow`, or `numpy_nullable` for the nullable types of pandas itself
        """
        return frames.to_pandas(self.to_arrow(), dtype_backend, self._core.summary())

    def to_polars(self) -> Any:
        """Returns a dataframe of polars."""
        return frames.to_polars(self.to_arrow())

    def download(
        self,
        path: str | os.PathLike[str],
        format: str | None = None,  # noqa: A002
        *,
        on_progress: OnProgress | None = None,
    ) -> SavedFile:
        """Downloads a kept result into a file, which gets its name when length and SHA-256 equal those of the host.

        Args:
            path: path of the file. Another file of this name is replaced
            format: `csv`, `json`, `ndjson`, `xlsx` or `parquet`. Default: the end of the name
            on_progress: called as bytes arrive

        Raises:
            UsageError: if the result is not kept, or not yet complete
        """
        return self._io.run(self._core.download(path, format, on_progress))

    def cancel(self) -> None:
        """Cancels the query on the server. Does nothing if it is over. Another thread may call it.

        A dataframe has no id of its query until the first row. Until then the query is found by its statement, and if several
        queries with the same statement run, it is cancelled at its first row.
        """
        self._core.cancel()

    def close(self) -> None:
        """Ends reading, and cancels the query unless it is over."""
        self._io.run(self._core.close())

    def __del__(self) -> None:
        if self._core.state == "running" and not sys.is_finalizing():
            with contextlib.suppress(Exception):
                self.close()

    if not TYPE_CHECKING:  # a type checker reports unknown names itself

        def __getattr__(self, name: str) -> Any:
            advice = "For a dataframe, call to_pandas(), to_polars() or to_arrow() first."
            if name == "fetchone":
                advice = "Call fetchmany(1), or read the rows in a loop."
            raise AttributeError(f"A Result has no {name}. {advice}")

    def __enter__(self) -> Result:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Result: {self._core.describe()}>"

    def _repr_html_(self) -> str:
        return f"<div>{escape(self._core.describe())}</div>"
