"""No way out returns a result that is not proved to be whole."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import sluice_client
from conftest import ANALYST, CUTS, Product, started
from proxies import ChangeReceipt, CuttingProxy, ReceiptProxy, running
from sluice_client import Client, ConnectionFailed, IncompleteResult

SQL = "SELECT range AS n, range::VARCHAR AS t, range::DECIMAL(18, 2) AS d FROM range(20000)"
WAYS: dict[str, Callable[[Client, Path], Any]] = {
    "rows": lambda client, _: list(client.query(SQL).rows()),
    "fetchmany": lambda client, _: client.query(SQL).fetchmany(30_000),
    "limited frame": lambda client, _: client.query(SQL, limit=19_999).to_arrow(),
    "frame": lambda client, _: client.query(SQL).to_pandas(),
    "download": lambda client, folder: client.download(SQL, folder / "file.csv"),
}

SHORT = [pytest.param(way, marks=pytest.mark.short) if way in ("rows", "download") else way for way in WAYS]


@pytest.fixture(scope="module")
def through(product: Product) -> Iterator[tuple[Client, CuttingProxy]]:
    with running(CuttingProxy(product.stream_url)) as proxy:
        hosts = {**product.hosts, "stream_url": proxy.url}
        # Connections are not used again, so that each begins with its own request.
        import httpx

        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        with sluice_client.connect(**hosts, **ANALYST, limits=limits, retries=0) as client:
            yield client, proxy


@pytest.mark.parametrize("way", SHORT)
def test_cut_at_random_bytes(through: tuple[Client, CuttingProxy], way: str, tmp_path: Path) -> None:
    client, proxy = through
    proxy.cut_after = None
    WAYS[way](client, tmp_path)
    (tmp_path / "file.csv").unlink(missing_ok=True)
    whole = proxy.sent
    assert whole > 60_000
    choose = random.Random(17)
    for _ in range(CUTS // len(WAYS)):
        # The last chunk of HTTP has five bytes.
        proxy.cut_after = choose.randrange(1, whole - 5)
        with pytest.raises((IncompleteResult, ConnectionFailed)):
            WAYS[way](client, tmp_path)
        assert list(tmp_path.glob("file*")) == []
    proxy.cut_after = None


def changed(**fields: Any) -> ChangeReceipt:
    return lambda receipt: {**receipt, **fields}


WRONG: dict[str, tuple[ChangeReceipt, int, str]] = {
    "another hash": (changed(sha256="0" * 64), 200, "hash"),
    "no hash": (changed(sha256=None), 200, "hash"),
    "more bytes": (lambda receipt: {**receipt, "bytes": receipt["bytes"] + 1}, 200, "hash"),
    "more rows": (lambda receipt: {**receipt, "rows": receipt["rows"] + 1}, 200, "row_count"),
    "still running": (changed(state="RUNNING"), 200, "state"),
    "unknown": (changed(state="UNKNOWN"), 200, "state"),
    "another query": (changed(query_id="00000000-0000-4000-8000-000000000000"), 200, "receipt"),
    "not a receipt": (lambda _: {"hello": "world"}, 200, "receipt"),
    "rows as text": (lambda receipt: {**receipt, "rows": str(receipt["rows"])}, 200, "receipt"),
    "none": (lambda _: {"error": "not_found", "message": "There is none.", "request_id": "r"}, 404, "receipt"),
}


@pytest.fixture(scope="module")
def changing(product: Product) -> Iterator[tuple[Client, ReceiptProxy]]:
    with running(ReceiptProxy(product.stream_url)) as proxy:
        with sluice_client.connect(**{**product.hosts, "stream_url": proxy.url}, **ANALYST, retries=0) as client:
            yield client, proxy


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("way", SHORT)
def test_wrong_receipt(changing: tuple[Client, ReceiptProxy], way: str, wrong: str, tmp_path: Path) -> None:
    client, proxy = changing
    proxy.change, proxy.status, reason = WRONG[wrong]
    with pytest.raises(IncompleteResult) as raised:
        WAYS[way](client, tmp_path)
    assert raised.value.reason == reason
    assert raised.value.query_id is not None
    assert list(tmp_path.glob("file*")) == []


def test_failure_in_the_receipt_is_the_error(changing: tuple[Client, ReceiptProxy], tmp_path: Path) -> None:
    client, proxy = changing
    error = {"code": "DATA_ERROR", "message": "A cast failed."}
    proxy.change, proxy.status = changed(state="FAILED", error=error), 200
    for way in WAYS.values():
        with pytest.raises(sluice_client.QueryFailed, match="A cast failed") as raised:
            way(client, tmp_path)
        assert raised.value.code == "data_error"


def worker_processes(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            command = Path(f"/proc/{child}/cmdline").read_text()
            # PostgreSQL has workers too.
            found += [child] if "worker-main" in command else []
            found += worker_processes(child)
    return found


@pytest.mark.parametrize("way", ["rows", "frame"])
def test_killed_worker(product: Product, client: Client, way: str) -> None:
    result = client.query("SELECT range AS n, range::VARCHAR AS t FROM range(300000000)")
    killed = False

    def kill() -> None:
        nonlocal killed
        if not killed:
            killed = True
            for worker in worker_processes(product.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)

    with pytest.raises((sluice_client.QueryEnded, IncompleteResult)) as raised:
        if way == "rows":
            for _ in result.rows():
                kill()
        else:
            result._core.on_progress = lambda _: kill()
            result.to_arrow()
    assert killed
    assert raised.value.code == "engine_crashed"
    assert "after" in repr(result)


def test_statement_that_fails_late(client: Client, tmp_path: Path) -> None:
    late = "SELECT CASE WHEN range = 199999 THEN error('late') ELSE range END AS n FROM range(200000)"
    for way in (
        lambda: list(client.query(late).rows()),
        lambda: client.query(late).to_arrow(),
        lambda: client.download(late, tmp_path / "late.csv"),
    ):
        with pytest.raises(sluice_client.QueryFailed, match="late"):
            way()
    assert list(tmp_path.iterdir()) == []


def test_killed_host(tmp_path: Path) -> None:
    endless = "SELECT range AS n, range::VARCHAR AS t FROM range(300000000)"
    begun = threading.Semaphore(0)
    with started({}) as own, sluice_client.connect(**own.hosts, **ANALYST, retries=0) as client:

        def read_rows() -> None:
            for number, _ in enumerate(client.query(endless)):
                if number == 0:
                    begun.release()

        def download() -> None:
            client.download(endless, tmp_path / "file.csv", on_progress=lambda _: begun.release())

        with ThreadPoolExecutor(2) as pool:
            ways = [pool.submit(read_rows), pool.submit(download)]
            assert all(begun.acquire(timeout=30) for _ in ways)
            os.kill(own.pid, signal.SIGKILL)
            for way in ways:
                assert isinstance(way.exception(timeout=30), (IncompleteResult, ConnectionFailed))
    assert list(tmp_path.iterdir()) == []
