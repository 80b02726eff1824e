"""The result of one statement, or a kept result, for programs with `asyncio`."""

from __future__ import annotations

import asyncio
import datetime
import os
import sys
from collections.abc import AsyncIterator
from functools import partial
from types import TracebackType
from typing import Any

from . import frames
from .effects import AsyncIO, run_apart
from .events import Row
from .files import SavedFile
from .reading import OnProgress
from .receipts import Receipt
from .requests import Connection, cancel_on_host
from .result_core import ResultCore
from .row_stream import Proof
from .types import Column


class AsyncResult:
    """Result of one statement, which runs when it is first read. See `Result`."""

    def __init__(self, io: AsyncIO, connection: Connection, core: ResultCore) -> None:
        self._io = io
        self._connection = connection
        self._core = core
        self._iterator: AsyncIterator[Row] | None = None

    @property
    def query_id(self) -> str | None:
        """Id of the query; None before it runs."""
        return self._core.query_id

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

    async def columns(self) -> tuple[Column, ...]:
        """Returns names and types of the columns. Runs the statement if it did not run yet."""
        known = self._core.columns()
        return await self._io.run(self._core.open_rows()) if known is None else known

    def rows(self) -> AsyncIterator[Row]:
        """Yields the rows as they arrive, as tuples. Leaving the loop with `aclose` or an exception cancels the query."""
        self._core.take_rows()
        return self._iterate()

    async def _iterate(self) -> AsyncIterator[Row]:
        try:
            while (batch := await self._io.run(self._core.next_batch())) is not None:
                for row in batch:
                    yield row
        finally:
            await self.close()

    def __aiter__(self) -> AsyncIterator[Row]:
        return self.rows()

    def _shared_rows(self) -> AsyncIterator[Row]:
        if self._iterator is None:
            self._iterator = self.rows()
        return self._iterator

    async def fetchmany(self, size: int = 1000) -> list[Row]:
        """Returns the next rows, at most `size`; an empty list after the last one."""
        rows: list[Row] = []
        source = self._shared_rows()
        while len(rows) < size and (row := await anext(source, None)) is not None:
            rows.append(row)
        self._core.require_open()
        return rows

    async def fetchall(self) -> list[Row]:
        """Returns all further rows, which are proved to be all."""
        rows = [row async for row in self._shared_rows()]
        self._core.require_open()
        return rows

    async def to_arrow(self) -> Any:
        """Returns a table of pyarrow, made of a Parquet file whose SHA-256 equals the receipt."""
        return await self._io.run(self._core.fetch_table())

    async def to_pandas(self, dtype_backend: str = "pyarrow") -> Any:
        """Returns a dataframe of pandas. See `Result.to_pandas`."""
        return await asyncio.to_thread(frames.to_pandas, await self.to_arrow(), dtype_backend, self._core.summary())

    async def to_polars(self) -> Any:
        """Returns a dataframe of polars."""
        return await asyncio.to_thread(frames.to_polars, await self.to_arrow())

    async def download(
        self,
        path: str | os.PathLike[str],
        format: str | None = None,  # noqa: A002
        *,
        on_progress: OnProgress | None = None,
    ) -> SavedFile:
        """Downloads a kept result into a file, which gets its name when length and SHA-256 equal those of the host.

        Raises:
            UsageError: if the result is not kept, or not yet complete
        """
        return await self._io.run(self._core.download(path, format, on_progress))

    async def cancel(self) -> None:
        """Cancels the query on the server. Does nothing if it is over. See `Result.cancel`."""
        await asyncio.shield(asyncio.to_thread(self._core.cancel))

    async def close(self) -> None:
        """Ends reading, and cancels the query unless it is over."""
        await self._io.run(self._core.close())

    def __del__(self) -> None:
        query_id = self.query_id
        if self._core.cancels_when_forgotten and query_id is not None and not sys.is_finalizing():
            # The event loop may have ended, so a thread cancels the query.
            run_apart(partial(cancel_on_host, self._connection, query_id), "sluice-cancel")

    async def __aenter__(self) -> AsyncResult:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncResult: {self._core.describe()}>"
