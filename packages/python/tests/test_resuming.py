"""Kept results continue after a cut, and length and SHA-256 prove that nothing is missing or twice there."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import sluice_client
from conftest import ALL_CASES, ANALYST, Product
from proxies import CuttingProxy, ReceiptProxy, running
from sluice_client import Client, IncompleteResult, Resumption, UsageError
from test_client import ENDLESS, state_of

ROWS = 20_000
SQL = f"SELECT range AS n, range::VARCHAR AS t, range::DECIMAL(18, 2) AS d FROM range({ROWS})"
RUNS = 6 if ALL_CASES else 3
"""Number of results that are read in each way, with one to three cuts each."""
HEAD_BYTES_MAX = 2_000
"""Bytes after which the headers of a response have arrived. Before, nothing tells which query runs."""


@pytest.fixture(scope="module")
def through(product: Product) -> Iterator[tuple[Client, CuttingProxy]]:
    with running(CuttingProxy(product.stream_url)) as proxy:
        # Connections are not used again, so that each begins with its own request.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        hosts = {**product.hosts, "stream_url": proxy.url}
        with sluice_client.connect(**hosts, **ANALYST, limits=limits, retries=0) as client:
            yield client, proxy


class Cuts:
    """Cuts the first responses with rows or files at random bytes, and lets the later ones pass."""

    def __init__(self, number: int, choose: random.Random, at: tuple[int, int]) -> None:
        self._left = number
        self._choose = choose
        self._at = at

    def __call__(self, request: bytes) -> int | None:
        first = request.split(b"\r\n")[0]
        has_body = first.startswith(b"POST") or (first.startswith(b"GET") and (b"/events" in first or b"/download/" in first))
        if not has_body or self._left == 0:
            return None
        self._left -= 1
        return self._choose.randrange(*self._at)


def read_rows(client: Client, _: Path, seen: list[Resumption]) -> Any:
    result = client.query(SQL, keep="1h", on_resume=seen.append)
    rows = result.fetchall()
    assert result.proof == ("digest" if seen else "receipt")
    assert result.receipt is not None
    assert (result.receipt.state, result.receipt.rows) == ("FINISHED", ROWS)
    return rows


def read_frame(client: Client, _: Path, seen: list[Resumption]) -> Any:
    return client.query(SQL, keep="1h", on_resume=seen.append).to_arrow().to_pydict()


def read_file(client: Client, folder: Path, seen: list[Resumption]) -> Any:
    saved = client.download(SQL, folder / "file.csv", keep="1h", on_resume=seen.append)
    assert saved.rows == ROWS
    return saved.path.read_bytes()


WAYS: dict[str, Callable[[Client, Path, list[Resumption]], Any]] = {"rows": read_rows, "frame": read_frame, "file": read_file}
SHORT = [pytest.param(way, marks=pytest.mark.short) if way in ("rows", "file") else way for way in WAYS]


@pytest.mark.parametrize("way", SHORT)
def test_query_that_is_cut(through: tuple[Client, CuttingProxy], way: str, tmp_path: Path) -> None:
    client, proxy = through
    proxy.rule = None
    whole = WAYS[way](client, tmp_path, [])
    choose = random.Random(17)
    for number in range(RUNS):
        seen: list[Resumption] = []
        proxy.rule = Cuts(number % 3 + 1, choose, (HEAD_BYTES_MAX, 400_000))
        assert WAYS[way](client, tmp_path, seen) == whole
        assert [each.attempt for each in seen] == list(range(1, len(seen) + 1))
        assert [each.received for each in seen] == sorted(each.received for each in seen)
    proxy.rule = None


@pytest.mark.parametrize("ending", ["csv", "json", "ndjson", "xlsx", "parquet"])
def test_file_of_a_kept_result(through: tuple[Client, CuttingProxy], ending: str, tmp_path: Path) -> None:
    client, proxy = through
    proxy.rule = None
    query = client.query(SQL, keep="1h")
    query.fetchall()
    assert query.kept_until is not None
    kept = client.result(str(query.query_id))
    whole = kept.download(tmp_path / f"whole.{ending}")
    assert (whole.proof, whole.rows) == ("digest", ROWS)
    choose = random.Random(17)
    for number in range(RUNS):
        seen: list[Resumption] = []
        again = client.result(str(query.query_id), on_resume=seen.append)
        proxy.rule = Cuts(number % 3 + 1, choose, (HEAD_BYTES_MAX, whole.bytes))
        saved = again.download(tmp_path / f"cut.{ending}")
        assert seen
        assert (saved.bytes, saved.sha256) == (whole.bytes, whole.sha256)
        assert hashlib.sha256(saved.path.read_bytes()).hexdigest() == whole.sha256
    proxy.rule = None


def test_rows_of_a_kept_result(through: tuple[Client, CuttingProxy]) -> None:
    client, proxy = through
    proxy.rule = None
    query = client.query(SQL, keep="1h")
    rows = query.fetchall()
    choose = random.Random(17)
    for number in range(RUNS):
        seen: list[Resumption] = []
        proxy.rule = Cuts(number % 3 + 1, choose, (HEAD_BYTES_MAX, 400_000))
        kept = client.result(str(query.query_id), on_resume=seen.append)
        assert kept.fetchall() == rows
        assert (kept.proof, len(kept.columns)) == ("digest", 3)
    proxy.rule = None
    assert client.result(str(query.query_id)).to_pandas().equals(client.query(SQL).to_pandas())


def test_parquet_of_a_statement_that_is_kept(client: Client, tmp_path: Path) -> None:
    saved = client.download(SQL, tmp_path / "file.parquet", keep="1h")
    assert (saved.rows, saved.proof) == (ROWS, "digest")
    assert client.result(saved.query_id).to_arrow().num_rows == ROWS


@pytest.mark.parametrize("attempts", [0, 1, 2])
def test_attempts_end(through: tuple[Client, CuttingProxy], attempts: int, tmp_path: Path) -> None:
    client, proxy = through
    proxy.rule = Cuts(100, random.Random(17), (HEAD_BYTES_MAX, HEAD_BYTES_MAX + 1))
    seen: list[Resumption] = []
    options: dict[str, Any] = {"keep": "1h", "resume_attempts": attempts, "on_resume": seen.append}
    result = client.query(SQL, **options)
    with pytest.raises(IncompleteResult) as raised:
        result.fetchall()
    assert raised.value.reason == "cut"
    assert len(seen) == attempts
    assert f"in {attempts} attempt" in str(raised.value) or attempts == 0
    with pytest.raises(IncompleteResult):
        client.download(SQL, tmp_path / "file.csv", **options)
    assert list(tmp_path.iterdir()) == []
    proxy.rule = None
    # The host goes on with the query for a minute, so its result is not lost.
    assert len(client.result(str(result.query_id)).fetchall()) == ROWS


@pytest.mark.parametrize("way", ["rows", "frame", "file"])
def test_another_digest(product: Product, way: str, tmp_path: Path) -> None:
    with running(ReceiptProxy(product.stream_url)) as proxy:
        hosts = {**product.hosts, "stream_url": proxy.url}
        with sluice_client.connect(**hosts, **ANALYST, retries=0) as client:
            query = client.query(SQL, keep="1h")
            query.fetchall()
            proxy.digest = f"sha-256=:{base64.b64encode(bytes(32)).decode()}:"
            kept = client.result(str(query.query_id))
            ways = {"rows": kept.fetchall, "frame": kept.to_pandas, "file": lambda: kept.download(tmp_path / "file.csv")}
            with pytest.raises(IncompleteResult) as raised:
                ways[way]()
            assert raised.value.reason == "hash"
            assert list(tmp_path.glob("file*")) == []


def test_query_that_fails_after_the_cut(through: tuple[Client, CuttingProxy], tmp_path: Path) -> None:
    client, proxy = through
    late = "SELECT CASE WHEN range = 299999 THEN error('late') ELSE range END AS n FROM range(300000)"
    for way in (
        lambda: client.query(late, keep="1h").fetchall(),
        lambda: client.download(late, tmp_path / "late.csv", keep="1h"),
    ):
        proxy.rule = Cuts(1, random.Random(17), (HEAD_BYTES_MAX, 20_000))
        with pytest.raises(sluice_client.QueryFailed, match="late"):
            way()
    proxy.rule = None
    assert list(tmp_path.iterdir()) == []


def test_leaving_a_kept_result_cancels_nothing(client: Client) -> None:
    running_query = client.query(ENDLESS, keep="1h")
    query_id = str(running_query.columns and running_query.query_id)
    followed = client.result(query_id)
    with followed:
        followed._core.on_progress = interrupt
        with pytest.raises(KeyboardInterrupt):
            followed.fetchall()
    assert client.receipt(query_id).state == "RUNNING"
    running_query.cancel()
    assert state_of(client, query_id) == "CANCELLED"


def interrupt(_: object) -> None:
    raise KeyboardInterrupt


def test_interrupted_attempt_cancels(through: tuple[Client, CuttingProxy]) -> None:
    client, proxy = through
    proxy.rule = Cuts(1, random.Random(17), (HEAD_BYTES_MAX, HEAD_BYTES_MAX + 1))
    result = client.query("SELECT * FROM range(100000000)", keep="1h", on_resume=interrupt)
    with pytest.raises(KeyboardInterrupt):
        result.fetchall()
    proxy.rule = None
    assert state_of(client, str(result.query_id)) == "CANCELLED"


def test_asyncio(product: Product, tmp_path: Path) -> None:
    async def run(proxy: CuttingProxy) -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        hosts = {**product.hosts, "stream_url": proxy.url}
        async with sluice_client.connect_async(**hosts, **ANALYST, limits=limits, retries=0) as client:
            seen: list[Resumption] = []
            proxy.rule = Cuts(2, random.Random(17), (HEAD_BYTES_MAX, 100_000))
            result = client.query(SQL, keep="1h", on_resume=seen.append)
            rows = await result.fetchall()
            assert (len(rows), len(seen), result.proof) == (ROWS, 2, "digest")
            proxy.rule = Cuts(1, random.Random(17), (HEAD_BYTES_MAX, 100_000))
            saved = await client.result(str(result.query_id)).download(tmp_path / "file.csv")
            assert (saved.rows, saved.proof) == (ROWS, "digest")

    with running(CuttingProxy(product.stream_url)) as proxy:
        asyncio.run(run(proxy))


def test_bad_input(client: Client, tmp_path: Path) -> None:
    for attempts in (-1, True, "3"):
        with pytest.raises(UsageError, match="resume_attempts"):
            client.query("SELECT 1", resume_attempts=attempts)  # type: ignore[arg-type]
    for query_id in ("", "../x", 7):
        with pytest.raises(UsageError, match="query_id"):
            client.result(query_id)  # type: ignore[arg-type]
    for result in (client.query("SELECT 1"), client.query("SELECT 1", keep="1h")):
        with pytest.raises(UsageError, match="Only a kept result"):
            result.download(tmp_path / "a.csv")
    with pytest.raises(UsageError, match="keep="):
        client.download(sluice_client.Item("flights-by-origin"), tmp_path / "a.csv", keep="1h")
    with pytest.raises(sluice_client.ResponseError, match="not_found"):
        client.result("00000000-0000-4000-8000-000000000000").download(tmp_path / "a.csv")
    assert list(tmp_path.iterdir()) == []
