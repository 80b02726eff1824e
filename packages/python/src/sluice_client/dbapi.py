"""PEP 249, for programs that take any database, such as `pandas.read_sql`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

from . import connect as _connect
from .client import Client
from .errors import (
    DatabaseError,
    DataError,
    Error,
    IntegrityError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    UsageError,
    Warning,  # noqa: A004
)
from .events import Row
from .result import Result
from .statements import require_names
from .types import parse_type

__all__ = [
    "BINARY",
    "DATETIME",
    "NUMBER",
    "ROWID",
    "STRING",
    "Binary",
    "Connection",
    "Cursor",
    "DataError",
    "DatabaseError",
    "Date",
    "DateFromTicks",
    "Error",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "NotSupportedError",
    "OperationalError",
    "ProgrammingError",
    "Time",
    "TimeFromTicks",
    "Timestamp",
    "TimestampFromTicks",
    "Warning",
    "apilevel",
    "connect",
    "paramstyle",
    "threadsafety",
]

apilevel = "2.0"
threadsafety = 1
paramstyle = "named"

Date = datetime.date
Time = datetime.time
Timestamp = datetime.datetime
Binary = bytes
DateFromTicks = datetime.date.fromtimestamp
TimestampFromTicks = datetime.datetime.fromtimestamp


def TimeFromTicks(ticks: float) -> datetime.time:  # noqa: N802
    """Returns the local time of seconds since 1970 (PEP 249)."""
    return datetime.datetime.fromtimestamp(ticks).time()


class TypeObject:
    """Compares equal to the types of columns in `Cursor.description` that are of one group (PEP 249)."""

    def __init__(self, *kinds: str) -> None:
        self._kinds = frozenset(kinds)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and parse_type(other).kind in self._kinds

    def __hash__(self) -> int:
        return hash(self._kinds)


STRING = TypeObject("varchar", "char", "json", "uuid", "ipaddress")
BINARY = TypeObject("varbinary")
NUMBER = TypeObject("tinyint", "smallint", "integer", "bigint", "number", "real", "double", "decimal")
DATETIME = TypeObject("date", "time", "timestamp")
ROWID = TypeObject()

_TOKEN = re.compile(
    r"""'(?:[^']|'')*' | "(?:[^"]|"")*" | --[^\n]* | /\*.*?\*/ | (\$\w*\$).*?\1 | :: | (?<![:\w]):([A-Za-z_]\w*)""",
    re.DOTALL | re.VERBOSE,
)


def rename_parameters(sql: str, names: Mapping[str, str], prefix: str = ":") -> str:
    """Replaces each `:name` of a parameter by its new name. Strings, quoted names and comments stay as they are.

    Args:
        sql: statement
        names: new names by those in the statement
        prefix: text before a new name
    """

    def replace(found: re.Match[str]) -> str:
        name = found[2]
        return f"{prefix}{names[name]}" if name is not None and name in names else found[0]

    return _TOKEN.sub(replace, sql) if names else sql


def named_to_dollar(sql: str, names: Iterable[str]) -> str:
    """Replaces each `:name` of a parameter by `$name`. Strings, quoted names and comments stay as they are."""
    return rename_parameters(sql, {name: name for name in names}, "$")


class Cursor:
    """Runs statements, one after the other."""

    arraysize = 1000

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._result: Result | None = None
        self._closed = False

    @property
    def description(self) -> list[tuple[Any, ...]] | None:
        """Name, type and five None of each column; None before a statement."""
        if self._result is None:
            return None
        return [(column.name, column.type, None, None, None, None, None) for column in self._result.columns]

    @property
    def rowcount(self) -> int:
        """Number of rows; -1 while they are not known to be all."""
        receipt = None if self._result is None else self._result.receipt
        return -1 if receipt is None else receipt.rows

    def execute(self, operation: str, parameters: Mapping[str, Any] | Sequence[Any] | None = None) -> Cursor:
        """Runs a statement with `:name` or `$name` for each parameter, and waits for its columns."""
        self._require_open()
        self._end()
        if parameters is not None and not isinstance(parameters, Mapping):
            if len(parameters) > 0:
                raise UsageError('Pass parameters by name: execute("SELECT :a", {"a": 1}).')
            parameters = None
        values = dict(parameters or {})
        connection = self.connection
        sql = named_to_dollar(operation, values)
        result = connection.client.query(sql, values, catalog=connection.catalog, schema=connection.schema)
        self._result = result
        _ = result.columns  # runs it: errors of the statement belong to this call
        return self

    def executemany(self, operation: str, seq_of_parameters: Sequence[Mapping[str, Any]]) -> None:
        """Runs a statement for each set of parameters. A statement only reads, so only the last result stays."""
        for parameters in seq_of_parameters:
            self.execute(operation, parameters)

    def fetchone(self) -> Row | None:
        """Returns the next row; None after the last one."""
        rows = self._require_result().fetchmany(1)
        return rows[0] if rows else None

    def fetchmany(self, size: int | None = None) -> list[Row]:
        """Returns the next rows, at most `size` (default: `arraysize`)."""
        return self._require_result().fetchmany(self.arraysize if size is None else size)

    def fetchall(self) -> list[Row]:
        """Returns all further rows, which are proved to be all."""
        return self._require_result().fetchall()

    def __iter__(self) -> Iterator[Row]:
        while (row := self.fetchone()) is not None:
            yield row

    def close(self) -> None:
        """Cancels the statement, unless it is over."""
        self._end()
        self._closed = True

    def setinputsizes(self, sizes: object) -> None:
        """Does nothing (PEP 249 allows it)."""

    def setoutputsize(self, size: int, column: int | None = None) -> None:
        """Does nothing (PEP 249 allows it)."""

    def _require_result(self) -> Result:
        self._require_open()
        if self._result is None:
            raise UsageError("There is no result. Call execute() first.")
        return self._result

    def _end(self) -> None:
        if self._result is not None:
            self._result.close()
        self._result = None

    def _require_open(self) -> None:
        if self._closed:
            raise UsageError("The cursor is closed.")

    def __enter__(self) -> Cursor:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Connection:
    """Connection of PEP 249. Every statement only reads, so there is nothing to commit or to roll back."""

    def __init__(self, client: Client, catalog: str | None = None, schema: str | None = None) -> None:
        self.client = client
        self.catalog = catalog
        self.schema = schema
        self._closed = False

    def cursor(self) -> Cursor:
        """Returns a new cursor."""
        if self._closed:
            raise UsageError("The connection is closed.")
        return Cursor(self)

    def commit(self) -> None:
        """Does nothing."""

    def rollback(self) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Closes the connection."""
        if not self._closed:
            self._closed = True
            self.client.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def connect(*arguments: Any, catalog: str | None = None, schema: str | None = None, **options: Any) -> Connection:
    """Connects as `sluice_client.connect` does, with the same arguments and two more.

    Args:
        arguments: those of `sluice_client.connect`
        catalog: catalog of names in statements that have none. Default: that of the engine
        schema: schema of names in statements that have none. Default: that of the engine in its default catalog
        options: those of `sluice_client.connect`

    Raises:
        UsageError: if an argument is wrong
        NotLoggedIn: if there is no login
    """
    require_names(catalog, schema)
    return Connection(_connect(*arguments, **options), catalog, schema)
