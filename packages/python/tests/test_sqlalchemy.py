"""The dialect of SQLAlchemy."""

from __future__ import annotations

import datetime
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlencode

import pandas
import pytest
import sqlalchemy
from sqlalchemy import MetaData, Table, create_engine, inspect, select, text
from sqlalchemy.dialects import registry

import sluice_client
from conftest import ANALYST, ROOT, Product
from sluice_client.sqlalchemy import SluiceDialect, column_type

registry.register("sluice", "sluice_client.sqlalchemy", "SluiceDialect")


def url_of(product: Product, path: str = "") -> str:
    query = urlencode({"url": product.api_url, "stream_url": product.stream_url, "tenant": "acme"})
    return f"sluice://{quote(ANALYST['email'])}:{ANALYST['password']}@{path}?{query}"


@pytest.fixture(scope="module")
def engine(product: Product) -> Iterator[sqlalchemy.Engine]:
    created = create_engine(url_of(product))
    yield created
    created.dispose()


def test_entry_point() -> None:
    project = (ROOT / "packages" / "python" / "pyproject.toml").read_text()
    found = re.search(r'^sluice = "(.*):(.*)"$', project, re.MULTILINE)
    assert found is not None
    assert getattr(importlib.import_module(found[1]), found[2]) is SluiceDialect


def test_package_does_not_import_it() -> None:
    code = "import sys, sluice_client.dbapi, sluice_client.notebook; sys.exit('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_statements(engine: sqlalchemy.Engine) -> None:
    with engine.connect() as connection:
        sql = "SELECT :n + range AS n, ':n' AS t, 1::DECIMAL(3, 1) AS d, DATE '2026-03-29' AS day FROM range(2)"
        result = connection.execute(text(sql.replace("':n'", "'x'").replace("1::", "1\\:\\:")), {"n": 2})
        assert list(result.keys()) == ["n", "t", "d", "day"]
        day = datetime.date(2026, 3, 29)
        assert result.fetchall() == [(2, "x", Decimal("1.0"), day), (3, "x", Decimal("1.0"), day)]
        connection.commit()
        connection.rollback()
        with pytest.raises(sqlalchemy.exc.ProgrammingError, match="nope"):
            connection.execute(text("SELECT nope"))
        assert connection.execute(text("SELECT 7")).scalar() == 7


def test_reflection(engine: sqlalchemy.Engine) -> None:
    inspector = inspect(engine)
    assert inspector.default_schema_name == "vega"
    assert "vega" in inspector.get_schema_names()
    assert {"airports", "flights"} <= set(inspector.get_table_names())
    assert inspector.get_view_names() == []
    assert not inspector.has_table("nothing")
    with pytest.raises(sqlalchemy.exc.NoSuchTableError):
        Table("nothing", MetaData(), autoload_with=engine)
    for schema in (None, "vega"):
        airports = Table("airports", MetaData(), autoload_with=engine, schema=schema)
        assert isinstance(airports.c.latitude.type, sqlalchemy.DOUBLE)
        assert "Airports in the United States" in str(airports.comment)
        query = select(airports.c.iata).where(airports.c.state == "HI", airports.c.iata.in_(["HNL", "SFO"])).limit(5)
        with engine.connect() as connection:
            assert connection.execute(query).all() == [("HNL",)]


def test_pages(engine: sqlalchemy.Engine) -> None:
    numbers = select(text("range AS n")).select_from(text("range(10)")).order_by(text("n"))
    assert str(numbers.offset(3).limit(2).compile(engine)).split()[-4:] == ["OFFSET", ":param_1", "LIMIT", ":param_2"]
    with engine.connect() as connection:
        assert connection.execute(numbers.offset(3).limit(2)).scalars().all() == [3, 4]
        assert connection.execute(numbers.offset(8)).scalars().all() == [8, 9]
        assert connection.execute(numbers.limit(1)).scalars().all() == [0]


def test_names_in_upper_case(engine: sqlalchemy.Engine) -> None:
    inner = text('SELECT 1 AS "Total Sum", 2 AS "N"').columns(
        sqlalchemy.column("Total Sum", sqlalchemy.Integer), sqlalchemy.column("N", sqlalchemy.Integer)
    )
    table = inner.subquery("s")
    query = select(table.c.N).where(table.c["Total Sum"] == 1, table.c.N > 1)
    with engine.connect() as connection:
        assert connection.execute(query).all() == [(2,)]


def test_pandas(engine: sqlalchemy.Engine) -> None:
    sql = text("SELECT iata, state FROM airports WHERE state = :s ORDER BY iata")
    frame = pandas.read_sql(sql, engine, params={"s": "HI"})
    assert list(frame.columns) == ["iata", "state"]
    assert set(frame["state"]) == {"HI"}
    assert len(pandas.read_sql_table("airports", engine, schema="vega", columns=["iata"])) == 3376


def test_catalog_and_schema_of_the_url(product: Product) -> None:
    for path, sql in (("/demo/vega", "SELECT count(*) FROM airports"), ("/demo", "SELECT count(*) FROM vega.airports")):
        created = create_engine(url_of(product, path))
        with created.connect() as connection:
            assert connection.execute(text(sql)).scalar() == 3376
        created.dispose()


ARGUMENTS: dict[str, dict[str, Any]] = {
    "sluice://": {},
    "sluice:///demo": {"catalog": "demo"},
    "sluice://api.example.com:8443/demo/vega": {
        "url": "https://api.example.com:8443",
        "catalog": "demo",
        "schema": "vega",
    },
    "sluice://a%40b.c:d%2Fe@acme-api.example.com": {"url": "https://acme-api.example.com", "email": "a@b.c", "password": "d/e"},
    "sluice://?url=http://127.0.0.1:1&tenant=acme&profile=work": {
        "url": "http://127.0.0.1:1",
        "tenant": "acme",
        "profile": "work",
    },
}


@pytest.mark.parametrize("url", ARGUMENTS)
def test_url(url: str) -> None:
    assert SluiceDialect().create_connect_args(sqlalchemy.make_url(url)) == ([], ARGUMENTS[url])


@pytest.mark.parametrize(("url", "words"), [("sluice://?nothing=1", "option nothing"), ("sluice:///a/b/c", "/catalog/schema")])
def test_wrong_url(url: str, words: str) -> None:
    with pytest.raises(sluice_client.UsageError, match=words):
        create_engine(url)


def test_types() -> None:
    assert str(column_type("decimal(12,2)")) == "NUMERIC(12, 2)"
    assert column_type("timestamp(6) with time zone").timezone is True  # type: ignore[attr-defined]
    assert isinstance(column_type("array(bigint)"), sqlalchemy.types.NullType)
    assert isinstance(column_type("interval"), sqlalchemy.types.NullType)
