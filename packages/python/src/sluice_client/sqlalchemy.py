"""Dialect of SQLAlchemy: `sqlalchemy.create_engine("sluice://")`. SQLAlchemy imports this module, and the package does not."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from sqlalchemy import types
from sqlalchemy.engine import URL, Connection
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.exc import NoSuchTableError
from sqlalchemy.sql.compiler import SQLCompiler

from . import dbapi
from .client import Client
from .errors import ResponseError, UsageError
from .types import parse_type

URL_OPTIONS = ("url", "stream_url", "tenant", "token", "client_id", "client_secret", "profile")
"""Arguments of `connect` that the query of a URL may have."""
NOT_FOUND = 404
TYPES: dict[str, type[types.TypeEngine[Any]]] = {
    "boolean": types.BOOLEAN,
    "tinyint": types.SMALLINT,
    "smallint": types.SMALLINT,
    "integer": types.INTEGER,
    "bigint": types.BIGINT,
    "number": types.NUMERIC,
    "real": types.REAL,
    "double": types.DOUBLE,
    "varchar": types.VARCHAR,
    "char": types.CHAR,
    "varbinary": types.LargeBinary,
    "uuid": types.UUID,
    "date": types.DATE,
}


def column_type(name: str) -> types.TypeEngine[Any]:
    """Returns the type of SQLAlchemy for the type of a column; NullType if SQLAlchemy has none, such as for a list."""
    of = parse_type(name)
    if of.kind == "decimal":
        precision, scale = of.arguments
        return types.NUMERIC(precision, scale)
    if of.kind == "time":
        return types.TIME(timezone=of.zoned)
    if of.kind == "timestamp":
        return types.TIMESTAMP(timezone=of.zoned)
    found = TYPES.get(of.kind)
    return types.NullType() if found is None else found()


class SluiceCompiler(SQLCompiler):
    """Writes OFFSET before LIMIT, in the order of Trino, which DuckDB takes too."""

    def limit_clause(self, select: Any, **kw: Any) -> str:
        """Returns the clauses of a page; empty for all rows."""
        offset, limit = select._offset_clause, select._limit_clause
        text = "" if offset is None else f"\n OFFSET {self.process(offset, **kw)}"
        return text if limit is None else f"{text}\n LIMIT {self.process(limit, **kw)}"


class SluiceDialect(DefaultDialect):
    """Statements that read, with `:name` parameters. Tables, views and columns are those of the catalog.

    The URL is `sluice://[email:password@host[:port]][/catalog[/schema]][?name=value]`. What it leaves out comes from the
    environment or from `sluice login`, as for `connect`. The host is that of the API, by https; `url=` has any other.
    """

    name = "sluice"
    driver = "sluice_client"
    statement_compiler = SluiceCompiler
    default_paramstyle = dbapi.paramstyle
    supports_statement_cache = True
    supports_native_boolean = True
    supports_native_decimal = True
    supports_native_uuid = True
    supports_alter = False
    supports_sane_rowcount = False
    supports_sane_multi_rowcount = False

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._catalog = ""

    @classmethod
    def import_dbapi(cls) -> Any:
        """Returns the module of PEP 249."""
        module: ModuleType = dbapi
        return module

    def create_connect_args(self, url: URL) -> Any:
        """Returns the arguments of `dbapi.connect` for a URL.

        Raises:
            UsageError: if the URL has an option that does not exist
        """
        options: dict[str, Any] = dict(url.query)
        unknown = [name for name in options if name not in URL_OPTIONS]
        if unknown:
            raise UsageError(f"The URL has an option {unknown[0]}. Its options are: {', '.join(URL_OPTIONS)}.")
        if url.host:
            options.setdefault("url", f"https://{url.host}" + ("" if url.port is None else f":{url.port}"))
        if url.username is not None:
            options.update(email=url.username, password=url.password)
        parts = [part for part in (url.database or "").split("/") if part]
        if len(parts) > 2:
            raise UsageError("The path of the URL must be /catalog or /catalog/schema.")
        return [], {**options, **dict(zip(("catalog", "schema"), parts, strict=False))}

    def do_execute(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:  # noqa: ARG002
        """Runs a statement. Hosts have names of parameters in lower case, and SQLAlchemy makes names of those of columns."""
        names = {name: f"p{number}" for number, name in enumerate(parameters)}
        cursor.execute(dbapi.rename_parameters(statement, names), {names[name]: value for name, value in parameters.items()})

    def _get_default_schema_name(self, connection: Connection) -> str:
        row = connection.exec_driver_sql("SELECT current_catalog, current_schema").one()
        self._catalog = str(row[0])
        return str(row[1])

    def get_schema_names(self, connection: Connection, **_: Any) -> list[str]:
        """Returns the schemas of the catalog of the URL, or of the default one."""
        return [str(each["name"]) for each in _client(connection).catalog.schemas(self._catalog)]

    def _tables(self, connection: Connection, schema: str | None, is_view: bool) -> list[str]:
        listed = _client(connection).catalog.tables(self._catalog, schema or str(self.default_schema_name))
        return [str(each["name"]) for each in listed if (each["type"] == "VIEW") is is_view]

    def get_table_names(self, connection: Connection, schema: str | None = None, **_: Any) -> list[str]:
        """Returns the tables of a schema."""
        return self._tables(connection, schema, is_view=False)

    def get_view_names(self, connection: Connection, schema: str | None = None, **_: Any) -> list[str]:
        """Returns the views of a schema."""
        return self._tables(connection, schema, is_view=True)

    def _table(self, connection: Connection, table_name: str, schema: str | None) -> dict[str, Any]:
        try:
            return _client(connection).catalog.table(self._catalog, schema or str(self.default_schema_name), table_name)
        except ResponseError as cause:
            if cause.status != NOT_FOUND:
                raise
            raise NoSuchTableError(table_name) from cause

    def has_table(self, connection: Connection, table_name: str, schema: str | None = None, **_: Any) -> bool:
        """Returns whether the catalog has a table or view."""
        try:
            self._table(connection, table_name, schema)
        except NoSuchTableError:
            return False
        return True

    def get_columns(self, connection: Connection, table_name: str, schema: str | None = None, **_: Any) -> Any:
        """Returns the columns of a table or view. The catalog does not know which of them have no NULL."""
        return [
            {
                "name": str(each["name"]),
                "type": column_type(str(each["type"])),
                "nullable": True,
                "default": None,
                "comment": each["description"],
            }
            for each in self._table(connection, table_name, schema)["columns"]
        ]

    def get_table_comment(self, connection: Connection, table_name: str, schema: str | None = None, **_: Any) -> Any:
        """Returns the description of a table or view."""
        return {"text": self._table(connection, table_name, schema)["description"]}

    def get_pk_constraint(self, *_: Any, **__: Any) -> Any:
        """Returns no columns: the catalog has no keys."""
        return {"constrained_columns": [], "name": None}

    def _get_nothing(self, *_: Any, **__: Any) -> Any:
        """Returns an empty list: the catalog has no keys, indexes and constraints."""
        return []

    get_foreign_keys = get_indexes = get_unique_constraints = get_check_constraints = _get_nothing


def _client(connection: Connection) -> Client:
    """Returns the client of a connection of SQLAlchemy."""
    opened: Any = connection.connection.dbapi_connection
    client: Client = opened.client
    return client
