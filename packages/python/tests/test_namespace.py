"""Catalog and schema of names that have none, in each way out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sluice_client
from conftest import ANALYST, Product, started
from sluice_client import Client, Datamap, Item, QueryFailed, UsageError, dbapi

COUNT = "SELECT count(*) AS n FROM nation"
NAMES: dict[str, Any] = {"catalog": "files", "schema": "tiny"}


@pytest.fixture(scope="module")
def with_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """Sluice with the table `nation` of 25 rows, in a catalog that is not the default one."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "tiny").mkdir()
    (folder / "tiny" / "nation.csv").write_text("n,name\n" + "".join(f"{number},nation {number}\n" for number in range(25)))
    with started({"SLUICE_DATA_DIR": str(folder)}) as running:
        yield running


@pytest.fixture
def client(with_files: Product) -> Iterator[Client]:
    with sluice_client.connect(**with_files.hosts, **ANALYST) as connected:
        yield connected


def test_rows_and_frames(client: Client) -> None:
    for sql, names in (
        (COUNT, NAMES),
        ("SELECT count(*) AS n FROM tiny.nation", {"catalog": "files"}),
        ("SELECT count(*) AS n FROM files.tiny.nation", {"schema": "vega"}),
    ):
        assert client.query(sql, **names).fetchall() == [(25,)]
        assert client.query(sql, **names).to_arrow().to_pydict() == {"n": [25]}
        assert client.query(sql, **names, keep="1h").to_arrow().to_pydict() == {"n": [25]}
    # A query does not inherit the names of the one before.
    with pytest.raises(QueryFailed, match="nation"):
        client.query(COUNT).fetchall()
    assert client.query("SELECT count(*) FROM airports").fetchall() == [(3376,)]


@pytest.mark.parametrize("options", [{}, {"keep": "1h"}])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_download(client: Client, tmp_path: Path, ending: str, options: dict[str, Any]) -> None:
    path = tmp_path / f"nation.{ending}"
    assert client.download("SELECT * FROM nation", path, **NAMES, **options).rows == 25
    with pytest.raises(QueryFailed, match="nation"):
        client.download("SELECT * FROM nation", tmp_path / f"none.{ending}", **options)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_asyncio(with_files: Product, tmp_path: Path) -> None:
    async def run() -> None:
        async with sluice_client.connect_async(**with_files.hosts, **ANALYST) as client:
            assert await client.query(COUNT, **NAMES).fetchall() == [(25,)]
            assert (await client.query(COUNT, **NAMES).to_arrow()).to_pydict() == {"n": [25]}
            assert (await client.download(COUNT, tmp_path / "n.csv", **NAMES)).path.read_text() == "n\n25\n"
            with pytest.raises(UsageError, match="schema"):
                client.query(COUNT, schema="")

    asyncio.run(run())


def test_dbapi(with_files: Product) -> None:
    with dbapi.connect(**with_files.hosts, **ANALYST, **NAMES) as connection:
        cursor = connection.cursor()
        for _ in range(2):
            assert cursor.execute(COUNT).fetchall() == [(25,)]
        assert cursor.execute("SELECT count(*) FROM demo.vega.airports").fetchall() == [(3376,)]
        assert cursor.execute("SELECT :schema AS s", {"schema": "x"}).fetchall() == [("x",)]
    with dbapi.connect(**with_files.hosts, **ANALYST) as connection, pytest.raises(dbapi.ProgrammingError, match="nation"):
        connection.cursor().execute(COUNT)
    with pytest.raises(dbapi.InterfaceError, match="catalog must be"):
        dbapi.connect(**with_files.hosts, **ANALYST, catalog=7)  # type: ignore[arg-type]


def test_names_that_do_not_exist(client: Client, tmp_path: Path) -> None:
    for names in ({"catalog": "nowhere", "schema": "tiny"}, {"catalog": "files", "schema": "nowhere"}):
        with pytest.raises(QueryFailed, match="nowhere"):
            client.query(COUNT, **names).fetchall()
        with pytest.raises(QueryFailed, match="nowhere"):
            client.download(COUNT, tmp_path / "n.csv", **names)
    assert list(tmp_path.iterdir()) == []


def test_bad_input(client: Client, tmp_path: Path) -> None:
    for name in ("catalog", "schema"):
        wrong: Any
        for wrong in ("", " ", 7, ["a"]):
            with pytest.raises(UsageError, match=f"{name} must be the name of a {name}"):
                client.query(COUNT, **{name: wrong})
            with pytest.raises(UsageError, match=name):
                client.download(COUNT, tmp_path / "n.csv", **{name: wrong})
        with pytest.raises(sluice_client.RequestRejected, match=name):
            client.query(COUNT, **{name: "a" * 257}).fetchall()
        for source in (Item("flights-by-origin"), Datamap("d")):
            with pytest.raises(UsageError, match=f"{name}= is an option of a statement"):
                client.download(source, tmp_path / "n.csv", **{name: "vega"})
    with pytest.raises(UsageError, match="time_zone= is an option of a statement"):
        client.download(Item("flights-by-origin"), tmp_path / "n.csv", time_zone="Asia/Kolkata")
    assert list(tmp_path.iterdir()) == []


def test_parameter_of_the_same_name(client: Client) -> None:
    assert client.query("SELECT $schema AS s", {"schema": "x"}).fetchall() == [("x",)]
