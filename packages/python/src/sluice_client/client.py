"""The synchronous client. It may be used by several threads, and after a fork."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any

from . import operations
from .effects import HttpOptions, SyncIO
from .files import SavedFile, save
from .keywords import explain_unknown
from .operations import Entry, Pages
from .reading import OnProgress
from .receipts import Receipt
from .requests import Connection
from .result import Result
from .result_core import EngineFacts, ResultCore
from .resuming import RESUME_ATTEMPTS, OnResume, ResumeOptions
from .sessions import end_session_with
from .sources import Source
from .statements import Statement


class Listing:
    """Entries of a list. Each page is requested when the loop reaches it."""

    def __init__(self, io: SyncIO, pages: Pages) -> None:
        self._io = io
        self._pages = pages

    def __iter__(self) -> Iterator[Entry]:
        while (page := self._io.run(self._pages.next_page())) is not None:
            yield from page

    def __repr__(self) -> str:
        return "<Listing: list() or a loop reads its entries>"


class Catalog:
    """The catalog as the engine has it, with descriptions."""

    def __init__(self, io: SyncIO, connection: Connection) -> None:
        self._io = io
        self._connection = connection

    def catalogs(self) -> Listing:
        """Returns the catalogs that you may see."""
        return Listing(self._io, operations.catalogs(self._connection))

    def schemas(self, catalog: str) -> Listing:
        """Returns the schemas of a catalog."""
        return Listing(self._io, operations.schemas(self._connection, catalog))

    def tables(self, catalog: str, schema: str) -> Listing:
        """Returns the tables and views of a schema."""
        return Listing(self._io, operations.tables(self._connection, catalog, schema))

    def table(self, catalog: str, schema: str, name: str) -> Entry:
        """Returns a table or view with its columns."""
        return self._io.run(operations.table(self._connection, catalog, schema, name))


class Datamaps:
    """Published datamaps."""

    def __init__(self, io: SyncIO, connection: Connection) -> None:
        self._io = io
        self._connection = connection

    def search(self, words: str | None = None, **search: Any) -> Listing:
        """Returns datamaps, or tables and views with `advance_options`; at most 10,000."""
        return Listing(self._io, operations.search_datamaps(self._connection, words, search))

    def get(self, datamap_id: str) -> Entry:
        """Returns a datamap."""
        return self._io.run(operations.get_datamap(self._connection, datamap_id))


class Marketplace:
    """Items of the marketplace."""

    def __init__(self, io: SyncIO, connection: Connection) -> None:
        self._io = io
        self._connection = connection

    def search(self, words: str | None = None) -> Listing:
        """Returns items whose title, description or tags have all these words; at most 10,000."""
        return Listing(self._io, operations.search_marketplace(self._connection, words))

    def get(self, item_id: str) -> Entry:
        """Returns an item."""
        return self._io.run(operations.get_item(self._connection, item_id))


class Metadata:
    """Descriptions, tags and fields of tables, views and datamaps."""

    def __init__(self, io: SyncIO, connection: Connection) -> None:
        self._io = io
        self._connection = connection

    def apply(self, objects: Iterable[Mapping[str, Any]], *, dry_run: bool = False) -> list[Entry]:
        """Imports any number of objects, and returns one result per object, in order.

        Args:
            objects: as `POST /metadata/import` takes them, such as `{"type": "TABLE", "id": "demo.vega.flights", "tags": []}`
            dry_run: computes the changes and applies none
        """
        return self._io.run(operations.apply_metadata(self._connection, objects, dry_run))


class Client:
    """Connection to the hosts of one tenant, as one account. `connect` makes it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._io = SyncIO(connection.http)
        self._facts = EngineFacts()
        self.catalog = Catalog(self._io, connection)
        self.datamaps = Datamaps(self._io, connection)
        self.marketplace = Marketplace(self._io, connection)
        self.metadata = Metadata(self._io, connection)
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
    ) -> Result:
        """Returns the result of a statement, which runs when the result is first read.

        Args:
            sql: one read-only statement
            parameters: values of its `$name`s. They may be keyword arguments instead
            limit: maximum number of rows; `result.limited` says whether there were more
            keep: keeps the result on the server for this long after its end: `30m`, `24h`, `7d`
            time_zone: IANA name of the time zone of the session. Default: UTC
            catalog: catalog of names that have none. Default: that of the engine
            schema: schema of names that have none. Default: that of the engine in its default catalog
            on_progress: called while the query runs, about once a second
            resume_attempts: maximum number of attempts to continue a kept result after its connection was cut
            on_resume: called before each of them
            named: further parameters

        Raises:
            UsageError: if a value cannot be sent; also a TypeError for a misspelt option
        """
        options: dict[str, Any] = {"limit": limit, "keep": keep, "time_zone": time_zone, "catalog": catalog, "schema": schema}
        statement = Statement.check(sql, parameters, named, **options)
        resume = ResumeOptions.check(resume_attempts, on_resume)
        return Result(self._io, self._connection, ResultCore(self._connection, self._facts, statement, on_progress, resume))

    def result(
        self,
        query_id: str,
        *,
        on_progress: OnProgress | None = None,
        resume_attempts: int = RESUME_ATTEMPTS,
        on_resume: OnResume | None = None,
    ) -> Result:
        """Returns a kept result, with the ways out of a query. Leaving it early does not cancel a query that still runs.

        Args:
            query_id: id of the query, which ran or runs with `keep`
            on_progress: called while the query runs, about once a second
            resume_attempts: maximum number of attempts to continue after a cut
            on_resume: called before each of them

        Raises:
            UsageError: if it does not have the form of an id
        """
        resume = ResumeOptions.check(resume_attempts, on_resume)
        core = ResultCore.of_kept(self._connection, self._facts, query_id, on_progress, resume)
        return Result(self._io, self._connection, core)

    @explain_unknown
    def download(
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
        """Downloads into a file, which gets its name when its SHA-256 equals that of the host.

        Args:
            source: a statement, or `Item("id")` or `Datamap("id")`
            path: path of the file. Another file of this name is replaced
            format: `csv`, `json`, `ndjson`, `xlsx` or `parquet`. Default: the end of the name. An item has no Parquet; with
                several queries, it is a ZIP archive of files of this format (default: `csv`), or one workbook
            parameters: values of the parameters of the statement, item or datamap
            keep: keeps the result of a statement on the server for this long
            time_zone: IANA name of the time zone of the session of a statement
            catalog: catalog of names of a statement that have none. Default: that of the engine
            schema: schema of names of a statement that have none. Default: that of the engine in its default catalog
            on_progress: called as bytes arrive
            resume_attempts: maximum number of attempts to continue the file of a statement with `keep` after a cut
            on_resume: called before each of them

        Raises:
            UsageError: if an argument is wrong, such as an option of a statement for an item or a datamap
            TargetFailed: if the file cannot be written
            SluiceError: if the download fails; then no file of this name was made or changed
        """
        options = {"parameters": parameters, "keep": keep, "time_zone": time_zone, "catalog": catalog, "schema": schema}
        resume = ResumeOptions.check(resume_attempts, on_resume)
        return self._io.run(save(self._connection, source, path, format, options, resume, on_progress))

    def history(self, **filters: Any) -> Listing:
        """Returns your queries and downloads, newest first. Their times are epoch milliseconds.

        Args:
            filters: `state`, `kind`, `q`, and `since` (inclusive) and `until` (exclusive), which are datetimes with a time zone
                or epoch milliseconds

        Raises:
            UsageError: if a time is neither
        """
        return Listing(self._io, operations.history(self._connection, filters))

    def receipt(self, query_id: str) -> Receipt:
        """Returns the receipt of a query or download."""
        return self._io.run(operations.receipt(self._connection, query_id))

    def me(self) -> Entry:
        """Returns who you are, with your permissions."""
        return self._io.run(operations.me(self._connection))

    def close(self) -> None:
        """Closes the connections, and ends the session if this process opened it with a password or a client secret."""
        self._end_session()
        self._io.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Client of {self.tenant} at {self._connection.stream_url}>"


def http_options(verify: Any, proxy: Any, limits: Any, headers: Mapping[str, str]) -> HttpOptions:
    """Returns the options of connections; None means the default."""
    default = HttpOptions(verify=verify, proxy=proxy, headers=headers)
    return default if limits is None else HttpOptions(verify, proxy, limits, headers)
