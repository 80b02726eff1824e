"""PEP 249, and what programs build on it."""

from __future__ import annotations

from collections.abc import Iterator

import pandas
import pytest

from conftest import ANALYST, Product
from sluice_client import dbapi
from sluice_client.dbapi import named_to_dollar


@pytest.fixture
def connection(product: Product) -> Iterator[dbapi.Connection]:
    with dbapi.connect(**product.hosts, **ANALYST) as connected:
        yield connected


def test_module() -> None:
    assert (dbapi.apilevel, dbapi.threadsafety, dbapi.paramstyle) == ("2.0", 1, "named")
    assert issubclass(dbapi.ProgrammingError, dbapi.DatabaseError)


def test_cursor(connection: dbapi.Connection) -> None:
    cursor = connection.cursor()
    assert cursor.description is None
    cursor.execute("SELECT :n + range AS n, ':n' AS t, DATE '2026-01-01' AS d FROM range(3)", {"n": 1})
    assert cursor.description is not None
    assert [entry[0] for entry in cursor.description] == ["n", "t", "d"]
    assert cursor.description[0][1] == dbapi.NUMBER
    assert cursor.description[1][1] == dbapi.STRING
    assert cursor.description[2][1] == dbapi.DATETIME
    first = cursor.fetchone()
    assert first is not None
    assert first[:2] == (1, ":n")
    assert len(cursor.fetchmany(1)) == 1
    assert cursor.rowcount == -1
    assert [row[0] for row in cursor] == [3]
    assert cursor.fetchone() is None
    assert cursor.rowcount == 3
    connection.commit()
    connection.rollback()


def test_errors(connection: dbapi.Connection) -> None:
    cursor = connection.cursor()
    with pytest.raises(dbapi.ProgrammingError):
        cursor.execute("SELECT nope")
    with pytest.raises(dbapi.ProgrammingError):
        cursor.execute("SELECT :missing", {"other": 1})
    with pytest.raises(dbapi.InterfaceError):
        cursor.execute("SELECT ?", [1])
    with pytest.raises(dbapi.InterfaceError):
        cursor.fetchone()
    cursor.close()
    with pytest.raises(dbapi.InterfaceError):
        cursor.execute("SELECT 1")


@pytest.mark.filterwarnings("ignore:pandas only supports SQLAlchemy")
def test_pandas_read_sql(connection: dbapi.Connection) -> None:
    frame = pandas.read_sql("SELECT iata, state FROM airports WHERE state = :s ORDER BY iata", connection, params={"s": "HI"})
    assert list(frame.columns) == ["iata", "state"]
    assert set(frame["state"]) == {"HI"}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT :a", "SELECT $a"),
        ("SELECT 1::a, x::VARCHAR", "SELECT 1::a, x::VARCHAR"),
        ("SELECT ':a', \":a\" -- :a\n, :a /* :a */", "SELECT ':a', \":a\" -- :a\n, $a /* :a */"),
        ("SELECT $$ :a $$, $x$ :a $x$, $a", "SELECT $$ :a $$, $x$ :a $x$, $a"),
        ("SELECT l[1:b], :b", "SELECT l[1:b], :b"),
        ("SELECT 'it''s :a', :a", "SELECT 'it''s :a', $a"),
    ],
)
def test_names(sql: str, expected: str) -> None:
    assert named_to_dollar(sql, {"a": 1}) == expected
