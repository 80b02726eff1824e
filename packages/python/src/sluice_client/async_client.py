"""The asynchronous client, with the names of the synchronous one. It may be used by several event loops."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterable, Mapping
from types import TracebackType
from typing import Any

from . import frames, operations
from .effects import AsyncIO
from .events import Row
from .files import Source, save
from .operations import Entry, Pages
from .receipts import Receipt
from .requests import Connection, cancel_on_host
from .result_core import EngineFacts, ResultCore, Statement
from .transfers import OnProgress
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
        """What the host says about the whole result; None before its end, and for kept results."""
        return self._core.receipt

    @property
    def limited(self) -> bool | None:
        """Whether the statement has more rows than `limit`; None before the end."""
        return self._core.limited

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
        """Returns a dataframe of pandas."""
        return await asyncio.to_thread(frames.to_pandas, await self.to_arrow(), dtype_backend)

    async def to_polars(self) -> Any:
        """Returns a dataframe of polars."""
        return await asyncio.to_thread(frames.to_polars, await self.to_arrow())

    async def cancel(self) -> None:
        """Cancels the query on the server. Does nothing if it is over."""
        query_id = self.query_id
        if query_id is not None and self._core.state == "running":
            await asyncio.shield(asyncio.to_thread(cancel_on_host, self._connection, query_id))

    async def close(self) -> None:
        """Ends reading, and cancels the query unless it is over."""
        await self._io.run(self._core.close())

    def __del__(self) -> None:
        query_id = self.query_id
        if self._core.state == "running" and query_id is not None and not sys.is_finalizing():
            # The event loop may have ended, so a thread cancels the query.
            threading.Thread(target=cancel_on_host, args=(self._connection, query_id), name="sluice-cancel").start()

    async def __aenter__(self) -> AsyncResult:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncResult: {self._core.describe()}>"


class AsyncListing:
    """Entries of a list. Each page is requested when the loop reaches it."""

    def __init__(self, io: AsyncIO, pages: Pages) -> None:
        self._io = io
        self._pages = pages

    async def __aiter__(self) -> AsyncIterator[Entry]:
        while (page := await self._io.run(self._pages.next_page())) is not None:
            for entry in page:
                yield entry


class AsyncCatalog:
    """The catalog as the engine has it, with descriptions."""

    def __init__(self, io: AsyncIO, connection: Connection) -> None:
        self._io = io
        self._connection = connection

    def catalogs(self) -> AsyncListing:
        """Returns the catalogs that you may see."""
        return AsyncListing(self._io, operations.catalogs(self._connection))

    def schemas(self, catalog: str) -> AsyncListing:
        """Returns the schemas of a catalog."""
        return AsyncListing(self._io, operations.schemas(self._connection, catalog))

    def tables(self, catalog: str, schema: str) -> AsyncListing:
        """Returns the tables and views of a schema."""
        return AsyncListing(self._io, operations.tables(self._connection, catalog, schema))

    async def table(self, catalog: str, schema: str, name: str) -> Entry:
        """Returns a table or view with its columns."""
        return await self._io.run(operations.table(self._connection, catalog, schema, name))


class AsyncDatamaps:
    """Published datamaps."""

    def __init__(self, io: AsyncIO, connection: Connection) -> None:
        self._io = io
        self._connection = connection

    def search(self, words: str | None = None, **search: Any) -> AsyncListing:
        """Returns datamaps, or tables and views with `advance_options`; at most 10,000."""
        return AsyncListing(self._io, operations.search_datamaps(self._connection, words, search))

    async def get(self, datamap_id: str) -> Entry:
        """Returns a datamap."""
        return await self._io.run(operations.get_datamap(self._connection, datamap_id))


class AsyncMarketplace:
    """Items of the marketplace."""

    def __init__(self, io: AsyncIO, connection: Connection) -> None:
        self._io = io
        self._connection = connection

    def search(self, words: str | None = None) -> AsyncListing:
        """Returns items whose title, description or tags have all these words; at most 10,000."""
        return AsyncListing(self._io, operations.search_marketplace(self._connection, words))

    async def get(self, item_id: str) -> Entry:
        """Returns an item."""
        return await self._io.run(operations.get_item(self._connection, item_id))


class AsyncMetadata:
    """Descriptions, tags and fields of tables, views and datamaps."""

    def __init__(self, io: AsyncIO, connection: Connection) -> None:
        self._io = io
        self._connection = connection

    async def apply(self, objects: Iterable[Mapping[str, Any]], *, dry_run: bool = False) -> list[Entry]:
        """Imports any number of objects, and returns one result per object, in order."""
        return await self._io.run(operations.apply_metadata(self._connection, objects, dry_run))


class AsyncClient:
    """Connection to the hosts of one tenant, as one account. `connect_async` makes it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._io = AsyncIO(connection.http)
        self._facts = EngineFacts()
        self.catalog = AsyncCatalog(self._io, connection)
        self.datamaps = AsyncDatamaps(self._io, connection)
        self.marketplace = AsyncMarketplace(self._io, connection)
        self.metadata = AsyncMetadata(self._io, connection)

    @property
    def tenant(self) -> str:
        """Name of the tenant."""
        return self._connection.tenant

    def query(
        self,
        sql: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        limit: int | None = None,
        keep: str | None = None,
        time_zone: str | None = None,
        on_progress: OnProgress | None = None,
        **named: Any,
    ) -> AsyncResult:
        """Returns the result of a statement, which runs when the result is first read. See `Client.query`."""
        statement = Statement.check(sql, parameters, named, limit=limit, keep=keep, time_zone=time_zone)
        return AsyncResult(self._io, self._connection, ResultCore(self._connection, self._facts, statement, on_progress))

    def result(self, query_id: str) -> AsyncResult:
        """Returns a kept result, by the id of its query. Its rows are counted, and not compared with a hash."""
        return AsyncResult(self._io, self._connection, ResultCore(self._connection, self._facts, query_id))

    async def download(
        self,
        source: Source,
        path: str | os.PathLike[str],
        format: str | None = None,  # noqa: A002
        *,
        parameters: Mapping[str, Any] | None = None,
        keep: str | None = None,
        time_zone: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> Receipt:
        """Downloads into a file, which gets its name when its SHA-256 equals the receipt. See `Client.download`."""
        options = {"parameters": parameters, "keep": keep, "time_zone": time_zone}
        return await self._io.run(save(self._connection, source, path, format, options, on_progress))

    def history(self, **filters: Any) -> AsyncListing:
        """Returns your queries and downloads, newest first. Filters: `state`, `kind`, `since`, `until`, `q`."""
        return AsyncListing(self._io, operations.history(self._connection, filters))

    async def receipt(self, query_id: str) -> Receipt:
        """Returns the receipt of a query or download."""
        return await self._io.run(operations.receipt(self._connection, query_id))

    async def me(self) -> Entry:
        """Returns who you are, with your permissions."""
        return await self._io.run(operations.me(self._connection))

    async def close(self) -> None:
        """Closes the connections, and ends the session if this process opened it with a password or a client secret."""
        await self._io.close()
        threading.Thread(target=self._connection.tokens.close, name="sluice-close").start()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncClient of {self.tenant} at {self._connection.stream_url}>"
