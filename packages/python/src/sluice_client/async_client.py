"""The asynchronous client, with the names of the synchronous one. It may be used by several event loops."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable, Mapping
from types import TracebackType
from typing import Any

from . import operations
from .async_result import AsyncResult
from .effects import AsyncIO
from .files import SavedFile, save
from .keywords import explain_unknown
from .operations import Entry, Pages
from .reading import OnProgress
from .receipts import Receipt
from .requests import Connection
from .result_core import EngineFacts, ResultCore
from .resuming import RESUME_ATTEMPTS, OnResume, ResumeOptions
from .sessions import end_session_with
from .sources import Source
from .statements import Statement


class AsyncListing:
    """Entries of a list. Each page is requested when the loop reaches it."""

    def __init__(self, io: AsyncIO, pages: Pages) -> None:
        self._io = io
        self._pages = pages

    async def __aiter__(self) -> AsyncIterator[Entry]:
        while (page := await self._io.run(self._pages.next_page())) is not None:
            for entry in page:
                yield entry

    def __repr__(self) -> str:
        return "<AsyncListing: an async loop reads its entries>"


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
        self._end_session = end_session_with(self._io, connection)

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
        catalog: str | None = None,
        schema: str | None = None,
        on_progress: OnProgress | None = None,
        resume_attempts: int = RESUME_ATTEMPTS,
        on_resume: OnResume | None = None,
        **named: Any,
    ) -> AsyncResult:
        """Returns the result of a statement, which runs when the result is first read. See `Client.query`."""
        options: dict[str, Any] = {"limit": limit, "keep": keep, "time_zone": time_zone, "catalog": catalog, "schema": schema}
        statement = Statement.check(sql, parameters, named, **options)
        resume = ResumeOptions.check(resume_attempts, on_resume)
        return AsyncResult(self._io, self._connection, ResultCore(self._connection, self._facts, statement, on_progress, resume))

    def result(
        self,
        query_id: str,
        *,
        on_progress: OnProgress | None = None,
        resume_attempts: int = RESUME_ATTEMPTS,
        on_resume: OnResume | None = None,
    ) -> AsyncResult:
        """Returns a kept result, with the ways out of a query. See `Client.result`.

        Raises:
            UsageError: if it does not have the form of an id
        """
        resume = ResumeOptions.check(resume_attempts, on_resume)
        core = ResultCore.of_kept(self._connection, self._facts, query_id, on_progress, resume)
        return AsyncResult(self._io, self._connection, core)

    @explain_unknown
    async def download(
        self,
        source: Source,
        path: str | os.PathLike[str],
        format: str | None = None,  # noqa: A002
        *,
        parameters: Mapping[str, Any] | None = None,
        keep: str | None = None,
        time_zone: str | None = None,
        catalog: str | None = None,
        schema: str | None = None,
        on_progress: OnProgress | None = None,
        resume_attempts: int = RESUME_ATTEMPTS,
        on_resume: OnResume | None = None,
    ) -> SavedFile:
        """Downloads into a file, which gets its name when its SHA-256 equals that of the host. See `Client.download`."""
        options = {"parameters": parameters, "keep": keep, "time_zone": time_zone, "catalog": catalog, "schema": schema}
        resume = ResumeOptions.check(resume_attempts, on_resume)
        return await self._io.run(save(self._connection, source, path, format, options, resume, on_progress))

    def history(self, **filters: Any) -> AsyncListing:
        """Returns your queries and downloads, newest first. See `Client.history`."""
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
        self._end_session()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncClient of {self.tenant} at {self._connection.stream_url}>"
