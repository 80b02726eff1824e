"""The synchronous client. It may be used by several threads, and after a fork."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import weakref
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any

from . import frames, operations
from .effects import HttpOptions, SyncIO
from .errors import UsageError
from .events import Row
from .files import Source, save
from .operations import Entry, Pages
from .receipts import Receipt
from .requests import Connection, cancel_on_host
from .result_core import EngineFacts, ResultCore, Statement
from .transfers import OnProgress
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
        """What the host says about the whole result; None before its end, and for kept results."""
        return self._core.receipt

    @property
    def limited(self) -> bool | None:
        """Whether the statement has more rows than `limit`; None before the end."""
        return self._core.limited

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
        """Returns a dataframe of pandas.

        Args:
            dtype_backend: `pyarrow`, or `numpy_nullable` for the nullable types of pandas itself
        """
        return frames.to_pandas(self.to_arrow(), dtype_backend)

    def to_polars(self) -> Any:
        """Returns a dataframe of polars."""
        return frames.to_polars(self.to_arrow())

    def cancel(self) -> None:
        """Cancels the query on the server. Does nothing if it is over. Another thread may call it."""
        query_id = self.query_id
        if query_id is not None and self._core.state == "running":
            cancel_on_host(self._connection, query_id)

    def close(self) -> None:
        """Ends reading, and cancels the query unless it is over."""
        self._io.run(self._core.close())

    def __del__(self) -> None:
        if self._core.state == "running" and not sys.is_finalizing():
            with contextlib.suppress(Exception):
                self.close()

    def __enter__(self) -> Result:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Result: {self._core.describe()}>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<div>{escape(self._core.describe())}</div>"


class Listing:
    """Entries of a list. Each page is requested when the loop reaches it."""

    def __init__(self, io: SyncIO, pages: Pages) -> None:
        self._io = io
        self._pages = pages

    def __iter__(self) -> Iterator[Entry]:
        while (page := self._io.run(self._pages.next_page())) is not None:
            yield from page


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
        self._finalizer = weakref.finalize(self._io, _end_session, connection, os.getpid())
        self._finalizer.atexit = False
        # Threads of the interpreter still run in functions of atexit, and no longer in a finalizer after them.
        atexit.register(self._finalizer)

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
    ) -> Result:
        """Returns the result of a statement, which runs when the result is first read.

        Args:
            sql: one read-only statement
            parameters: values of its `$name`s. They may be keyword arguments instead
            limit: maximum number of rows; `result.limited` says whether there were more
            keep: keeps the result on the server for this long after its end: `30m`, `24h`, `7d`
            time_zone: IANA name of the time zone of the session. Default: UTC
            on_progress: called while the query runs, about once a second
            named: further parameters

        Raises:
            UsageError: if a value cannot be sent
        """
        statement = Statement.check(sql, parameters, named, limit=limit, keep=keep, time_zone=time_zone)
        return Result(self._io, self._connection, ResultCore(self._connection, self._facts, statement, on_progress))

    def result(self, query_id: str) -> Result:
        """Returns a kept result, by the id of its query. Its rows are counted, and not compared with a hash."""
        if not isinstance(query_id, str) or not query_id:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError("query_id must be the id of a query, such as result.query_id.")
        return Result(self._io, self._connection, ResultCore(self._connection, self._facts, query_id))

    def download(
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
        """Downloads into a file, which gets its name when its SHA-256 equals the receipt, and returns the receipt.

        Args:
            source: a statement, or `Item("id")` or `Datamap("id")`
            path: path of the file. Another file of this name is replaced
            format: `csv`, `json`, `ndjson`, `xlsx` or `parquet`. Default: the end of the name
            parameters: values of the parameters of the statement, item or datamap
            keep: keeps the result of a statement on the server for this long
            time_zone: IANA name of the time zone of the session of a statement
            on_progress: called as bytes arrive
        """
        options = {"parameters": parameters, "keep": keep, "time_zone": time_zone}
        return self._io.run(save(self._connection, source, path, format, options, on_progress))

    def history(self, **filters: Any) -> Listing:
        """Returns your queries and downloads, newest first. Filters: `state`, `kind`, `since`, `until`, `q`."""
        return Listing(self._io, operations.history(self._connection, filters))

    def receipt(self, query_id: str) -> Receipt:
        """Returns the receipt of a query or download."""
        return self._io.run(operations.receipt(self._connection, query_id))

    def me(self) -> Entry:
        """Returns who you are, with your permissions."""
        return self._io.run(operations.me(self._connection))

    def close(self) -> None:
        """Closes the connections, and ends the session if this process opened it with a password or a client secret."""
        self._finalizer()
        self._io.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Client of {self.tenant} at {self._connection.stream_url}>"


def _end_session(connection: Connection, process: int) -> None:
    """Ends the session of a client that is no longer used. A process that was forked leaves it to its parent."""
    if process == os.getpid():
        connection.tokens.close()


def http_options(verify: Any, proxy: Any, limits: Any, headers: Mapping[str, str]) -> HttpOptions:
    """Returns the options of connections; None means the default."""
    default = HttpOptions(verify=verify, proxy=proxy, headers=headers)
    return default if limits is None else HttpOptions(verify, proxy, limits, headers)
