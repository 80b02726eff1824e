"""What the clients do besides rows: lists, downloads, kept results, limits, cancellation."""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import os
import re
import subprocess
import sys
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import sluice_client
from conftest import ANALYST, STEWARD, Product
from sluice_client import Client, Item, Progress
from sluice_client.requests import Request, cancel_on_host, read_json

ENDLESS = "SELECT count(*) FROM flights a, flights b WHERE a.delay < b.delay"


def state_of(client: Client, query_id: str) -> str:
    for _ in range(100):
        receipt = client.receipt(query_id)
        if receipt.state not in ("RUNNING", "QUEUED"):
            return receipt.state
        time.sleep(0.05)
    return "RUNNING"


def test_three_lines(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        **product.environment,
        "SLUICE_EMAIL": ANALYST["email"],
        "SLUICE_PASSWORD": ANALYST["password"],
    }.items():
        monkeypatch.setenv(name, value)
    frame = sluice_client.connect().query("SELECT * FROM flights WHERE origin = $o", o="SFO").to_pandas()
    assert len(frame) == 64_178 or len(frame) > 0
    assert set(frame["origin"]) == {"SFO"}


@pytest.mark.short
def test_rows_and_receipt(client: Client) -> None:
    result = client.query("SELECT range AS n, 'a' AS t FROM range(3)")
    assert repr(result) == "<Result: Not run yet; read it with to_pandas() or a loop>"
    assert [column.name for column in result.columns] == ["n", "t"]
    assert list(result) == [(0, "a"), (1, "a"), (2, "a")]
    assert result.receipt is not None
    assert (result.receipt.state, result.receipt.rows, result.limited) == ("FINISHED", 3, False)
    assert repr(result) == "<Result: Complete, 3 rows>"


@pytest.mark.short
def test_fetchmany(client: Client) -> None:
    result = client.query("SELECT * FROM range(5)")
    assert [len(result.fetchmany(2)) for _ in range(4)] == [2, 2, 1, 0]


def test_limit(client: Client) -> None:
    result = client.query("SELECT * FROM range(1000)", limit=10)
    assert len(result.fetchall()) == 10
    assert result.limited is True
    frame = client.query("SELECT * FROM range(1000)", limit=10)
    assert frame.to_arrow().num_rows == 10
    assert frame.limited is True
    assert repr(frame) == "<Result: Cut at your limit: 10 rows; the statement has more>"
    assert frame.to_pandas().attrs["sluice"] == {"state": "limited", "rows": 10, "query_id": frame.query_id}
    whole = client.query("SELECT * FROM range(10)", limit=10)
    for backend in ("pyarrow", "numpy_nullable"):
        assert whole.to_pandas(backend).attrs["sluice"] == {"state": "complete", "rows": 10, "query_id": whole.query_id}
    assert repr(whole) == "<Result: Complete, 10 rows>"


def test_cancelled_dataframe_says_what_arrived(client: Client) -> None:
    reports: list[Progress] = []

    def note(progress: Progress) -> None:
        reports.append(progress)
        if len(reports) == 2:
            raise KeyboardInterrupt

    result = client.query("SELECT * FROM flights a CROSS JOIN range(100)", on_progress=note)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        result.to_pandas()
    assert time.monotonic() - begun >= 1  # a second lies between two reports
    assert re.fullmatch(r"<Result: Cancelled after [\d.,]+ [kMG]B>", repr(result))


def test_empty_result(client: Client) -> None:
    sql = "SELECT iata, latitude FROM airports WHERE false"
    assert client.query(sql).fetchall() == []
    assert client.query(sql).to_pandas().shape == (0, 2)
    assert client.query(sql, limit=5).to_arrow().schema.equals(client.query(sql).to_arrow().schema)


def test_several_frames_of_one_result(client: Client) -> None:
    result = client.query("SELECT range AS n FROM range(10)")
    assert result.to_polars()["n"].to_list() == result.to_pandas()["n"].to_list() == list(range(10))


def test_kept_result(client: Client) -> None:
    result = client.query("SELECT range AS n, range / 2 AS half FROM range(25000)", keep="1h")
    rows = result.fetchall()
    kept = client.result(str(result.query_id))
    assert kept.fetchall() == rows
    assert client.result(str(result.query_id)).to_arrow().num_rows == 25_000
    with pytest.raises(sluice_client.ResponseError):
        client.result("00000000-0000-4000-8000-000000000000").fetchall()


@pytest.mark.short
def test_leaving_the_loop_cancels(client: Client) -> None:
    result = client.query("SELECT * FROM range(1000000000)")
    for _ in result:
        break
    assert state_of(client, str(result.query_id)) == "CANCELLED"
    assert repr(result).startswith("<Result: Cancelled after")


@pytest.mark.short
def test_cancel_from_another_thread(client: Client) -> None:
    result = client.query(ENDLESS)
    assert result.columns
    threading.Timer(0.3, result.cancel).start()
    with pytest.raises(sluice_client.QueryEnded) as raised:
        result.fetchall()
    assert raised.value.code == "query_cancelled"


def wait_for_query(client: Client, sql: str) -> str:
    """Returns the id of a query that runs."""
    for _ in range(200):
        listed = client._io.run(read_json(client._connection, Request("stream", "GET", "/query")))["data"]
        found = [str(each["query_id"]) for each in listed if each["sql"] == sql]
        if found:
            return found[0]
        time.sleep(0.05)
    raise AssertionError(f"{sql} does not run.")


def test_cancelled_dataframe_before_its_first_row(client: Client) -> None:
    sql = f"{ENDLESS} -- before the first row"
    result = client.query(sql)
    result.cancel()  # it did not start
    with ThreadPoolExecutor(1) as pool:
        fetched = pool.submit(result.to_pandas)
        query_id = wait_for_query(client, sql)
        assert result.query_id is None
        try:
            result.cancel()
            error = fetched.exception(timeout=30)
        finally:
            cancel_on_host(client._connection, query_id)  # else the thread waits for a first row for ever
    assert isinstance(error, sluice_client.QueryEnded)
    assert (error.code, error.query_id) == ("query_cancelled", query_id)
    assert state_of(client, query_id) == "CANCELLED"


@pytest.mark.parametrize("is_early", [False, True])
def test_cancelled_dataframe_in_its_middle(client: Client, is_early: bool) -> None:
    sql = "SELECT a.* FROM flights a CROSS JOIN range(100)"
    reports = threading.Event()
    result = client.query(sql, on_progress=lambda _: reports.set())
    if is_early:
        # As if cancel() had been called while no query with this statement was found.
        result._core._is_cancel_requested = True
    with ThreadPoolExecutor(1) as pool:
        fetched = pool.submit(result.to_arrow)
        if not is_early:
            assert reports.wait(30)
            assert result.query_id is not None
            result.cancel()
        error = fetched.exception(timeout=30)
    assert isinstance(error, sluice_client.QueryEnded)
    assert error.code == "query_cancelled"
    assert state_of(client, str(error.query_id)) == "CANCELLED"


def test_interrupted_loop_cancels(client: Client) -> None:
    result = client.query(ENDLESS)
    with pytest.raises(KeyboardInterrupt):
        result._core.on_progress = interrupt
        result.fetchall()
    assert state_of(client, str(result.query_id)) == "CANCELLED"


def interrupt(_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("ending", ["csv", "json", "ndjson", "xlsx", "parquet"])
def test_download(client: Client, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"airports.{ending}"
    path.write_text("the file before")
    seen: list[int] = []
    receipt = client.download("SELECT * FROM airports ORDER BY iata", path, on_progress=lambda at: seen.append(at.bytes))
    assert hashlib.sha256(path.read_bytes()).hexdigest() == receipt.sha256
    assert (receipt.rows, seen[-1]) == (3376, path.stat().st_size)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.short
def test_download_of_an_item(client: Client, tmp_path: Path) -> None:
    assert client.download(Item("flights-by-origin"), tmp_path / "a.csv").rows == 229
    datamap = next(iter(client.datamaps.search("origin")))
    saved = client.download(sluice_client.Datamap(datamap["id"]), tmp_path / "b.csv")
    assert saved.receipt is not None
    assert saved.receipt.state == "FINISHED"


def test_dataframe_of_an_item(client: Client, tmp_path: Path) -> None:
    import pandas  # the short suite imports this file, and has httpx alone

    item = Item("flights-by-origin")
    with pytest.raises(sluice_client.UsageError, match="An item has no Parquet") as raised:
        client.download(item, tmp_path / "a.parquet")
    calls = r'client\.download\(Datamap\((.*)\), "x.parquet"\), then (pandas\.read_parquet\("x.parquet", .*"\))'
    found = re.search(calls, str(raised.value))
    assert found is not None
    datamap = sluice_client.Datamap(eval(found[1], {"client": client}))
    path = client.download(datamap, tmp_path / "x.parquet").path
    assert eval(found[2].replace('"x.parquet"', "path"), {"pandas": pandas, "path": path}).shape == (229, 5)
    for source in (item, datamap):
        with pytest.raises(
            sluice_client.UsageError, match=re.escape("takes a statement. For a dataframe, call client.download(")
        ):
            client.query(source)  # type: ignore[arg-type]


def test_item_with_several_queries(client: Client, tmp_path: Path) -> None:
    pack, single = Item("flight-pack"), Item("flights-by-origin")
    wrong: list[tuple[Item | str, str, str | None, str]] = [
        (
            pack,
            "pack.csv",
            None,
            r'has 3 queries, so it is a ZIP archive of csv files. Name the file pack.zip, with format="csv"',
        ),
        (pack, "pack.csv", "json", "ZIP archive of json files"),
        (pack, "pack.data", "csv", "Name the file pack.zip"),
        (pack, "pack.zip", "xlsx", "one workbook as xlsx, so it is not a ZIP archive. Name the file pack.xlsx"),
        (single, "one.zip", None, "has one query, so it is not a ZIP archive. Name the file one.csv"),
        ("SELECT 1", "one.zip", None, "Only an item with several queries is a ZIP archive"),
        ("SELECT 1", "one.csv", "txt", "format= must be one of csv"),
    ]
    for source, name, kind, words in wrong:
        with pytest.raises(sluice_client.UsageError, match=words):
            client.download(source, tmp_path / name, kind)
    assert list(tmp_path.iterdir()) == []
    saved = client.download(pack, tmp_path / "pack.zip")
    with zipfile.ZipFile(saved.path) as archive:
        assert [name for name in archive.namelist() if name.endswith(".csv")] == [
            "by origin.csv",
            "by route and day.csv",
            "by month.csv",
        ]


@pytest.mark.short
def test_lists(client: Client) -> None:
    assert "demo" in [each["name"] for each in client.catalog.catalogs()]
    assert "vega" in [each["name"] for each in client.catalog.schemas("demo")]
    assert len(list(client.catalog.tables("demo", "vega"))) > 60
    assert client.catalog.table("demo", "vega", "airports")["columns"]
    assert "flights-by-origin" in [each["id"] for each in client.marketplace.search("origin")]
    assert client.marketplace.get("flights-by-origin")["id"] == "flights-by-origin"
    assert len(list(client.datamaps.search("airport", advance_options={"type": "TABLE"}))) >= 2
    client.query("SELECT 42").fetchall()
    assert next(iter(client.history(state="FINISHED")))["state"] == "FINISHED"
    assert client.me()["user"] == ANALYST["email"]


def test_times_of_the_history(client: Client) -> None:
    now = datetime.datetime.now(datetime.timezone.utc)
    client.query("SELECT 43").fetchall()
    hour = datetime.timedelta(hours=1)
    milliseconds = int((now - hour).timestamp() * 1000)
    for since in (now - hour, (now - hour).astimezone(datetime.timezone(hour)), milliseconds):
        assert next(iter(client.history(since=since)))["sql"] == "SELECT 43"
    assert list(client.history(since=now + hour)) == []
    assert list(client.history(until=now - hour)) == []
    for wrong in (now.replace(tzinfo=None), now.date(), "2026-12-01", 1.5):
        with pytest.raises(sluice_client.UsageError, match="since must be a datetime with a time zone, such as"):
            client.history(since=wrong)


IMPORTED = """
import sys
import sluice_client
assert not {"httpx", "asyncio"} & sys.modules.keys()
assert set(sluice_client.__all__) <= set(dir(sluice_client))
from sluice_client import *
assert sluice_client.Receipt is Receipt
sluice_client.absent
"""


@pytest.mark.short
def test_import_loads_no_client() -> None:
    ended = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=False)
    assert ended.stderr.endswith("AttributeError: module 'sluice_client' has no attribute 'absent'\n"), ended.stderr


FORGOTTEN = """
import gc, sluice_client
client = sluice_client.connect()
client.query("SELECT 1").fetchall()
other = sluice_client.connect()
other.query("SELECT 1").fetchall()
del other
gc.collect()
"""


def test_forgotten_client_leaves_no_socket(product: Product, tmp_path: Path) -> None:
    login = {"SLUICE_EMAIL": ANALYST["email"], "SLUICE_PASSWORD": ANALYST["password"]}
    environment = {**os.environ, **product.environment, **login}
    run = [sys.executable, "-W", "always", "-c", FORGOTTEN]
    ended = subprocess.run(run, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "ResourceWarning" not in ended.stderr


def test_metadata(product: Product) -> None:
    objects = [{"type": "TABLE", "id": f"demo.vega.{name}", "description": "Text"} for name in ("airports", "nothing")]
    with sluice_client.connect(**product.hosts, **STEWARD) as client:
        assert [each["success"] for each in client.metadata.apply(objects, dry_run=True)] == [True, False]
        assert [each["success"] for each in client.metadata.apply(objects[1:], dry_run=True)] == [False]


@pytest.mark.short
def test_service_account(product: Product) -> None:
    with sluice_client.connect(**product.hosts, client_id="acme-etl", client_secret="sluice-demo-secret") as client:
        assert client.query("SELECT 1").fetchall() == [(1,)]


def test_asyncio(product: Product, tmp_path: Path) -> None:
    async def run() -> None:
        async with sluice_client.connect_async(**product.hosts, **ANALYST) as client:
            result = client.query("SELECT range AS n FROM range(100000)")
            assert [column.name for column in await result.columns()] == ["n"]
            assert sum([row[0] async for row in result]) == sum(range(100_000))
            assert len(await client.query("SELECT * FROM range(7)").fetchmany(5)) == 5
            assert len(await client.query("SELECT * FROM airports").to_pandas()) == 3376
            assert len(await client.query("SELECT * FROM airports").to_polars()) == 3376
            assert (await client.download("SELECT 1", tmp_path / "a.csv")).rows == 1
            assert [each["name"] async for each in client.catalog.schemas("demo")]
            assert (await client.me())["user"] == ANALYST["email"]
            assert (await client.receipt(str(result.query_id))).state == "FINISHED"
            with pytest.raises(sluice_client.QueryFailed):
                await client.query("SELECT nope").fetchall()

    asyncio.run(run())


def test_failure_is_raised_again(client: Client) -> None:
    result = client.query("SELECT CASE WHEN range = 2999 THEN error('late') ELSE range END AS n FROM range(3000)")
    for _ in range(2):
        with pytest.raises(sluice_client.QueryFailed, match="late"):
            result.fetchmany(5000)
    closed = client.query("SELECT * FROM range(1000000000)")
    closed.fetchmany(1)
    closed.close()
    with pytest.raises(sluice_client.UsageError, match="ended before its last row"):
        closed.fetchmany(1)


def test_hints_for_a_person(client: Client) -> None:
    with pytest.raises(AttributeError, match="call to_pandas"):
        client.query("SELECT 1").head()
    with pytest.raises(AttributeError, match=r"Call fetchmany\(1\)"):
        client.query("SELECT 1").fetchone()  # type: ignore[attr-defined]
    assert "list()" in repr(client.catalog.schemas("demo"))
    frame = client.query("SELECT 1 AS one, 'a' AS text")
    frame.to_pandas()
    assert [column.type for column in frame.columns] == ["integer", "varchar"]
