"""Many queries at once, threads, event loops, processes that fork or end."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

import sluice_client
from conftest import ANALYST, Product
from sluice_client import Client
from test_client import ENDLESS, state_of

QUERIES = 100


def test_threads(product: Product) -> None:
    with sluice_client.connect(**product.hosts, **ANALYST, retries=20) as client, ThreadPoolExecutor(QUERIES) as pool:
        sums = pool.map(
            lambda number: client.query("SELECT $n + range FROM range(100)", n=number).fetchall()[-1][0], range(QUERIES)
        )
        assert list(sums) == [number + 99 for number in range(QUERIES)]


def test_tasks(product: Product) -> None:
    async def run() -> list[int]:
        async with sluice_client.connect_async(**product.hosts, **ANALYST, retries=20) as client:

            async def one(number: int) -> int:
                return int((await client.query("SELECT $n + range FROM range(100)", n=number).fetchall())[-1][0])

            return await asyncio.gather(*(one(number) for number in range(QUERIES)))

    assert asyncio.run(run()) == [number + 99 for number in range(QUERIES)]


@pytest.mark.parametrize("blocked", [False, True])
def test_cancelled_task(product: Product, client: Client, blocked: bool) -> None:
    ids: list[str] = []

    async def run() -> None:
        async with sluice_client.connect_async(**product.hosts, **ANALYST) as other:
            result = other.query(ENDLESS)
            await result.columns()
            ids.append(str(result.query_id))
            task = asyncio.create_task(result.fetchall())
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            if blocked:
                time.sleep(3)
                assert client.receipt(ids[0]).state == "CANCELLED"

    asyncio.run(run())
    assert state_of(client, ids[0]) == "CANCELLED"


def test_event_loop_that_ends(product: Product, client: Client) -> None:
    ids: list[str] = []

    async def run() -> None:
        result = sluice_client.connect_async(**product.hosts, **ANALYST).query(ENDLESS)
        await result.columns()
        ids.append(str(result.query_id))

    asyncio.run(run())
    assert state_of(client, ids[0]) == "CANCELLED"


def test_several_event_loops(product: Product) -> None:
    client = sluice_client.connect_async(**product.hosts, **ANALYST)
    for _ in range(3):
        assert asyncio.run(client.query("SELECT 1").fetchall()) == [(1,)]


def test_fork(client: Client) -> None:
    assert client.query("SELECT 1").fetchall() == [(1,)]
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if client.query("SELECT 2").fetchall() == [(2,)] else 1
        finally:
            os._exit(status)
    assert client.query("SELECT 3").fetchall() == [(3,)]
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert client.query("SELECT 4").fetchall() == [(4,)]


@pytest.mark.parametrize("leave", ["close", "forget", "next"])
def test_fork_in_a_stream(client: Client, leave: str) -> None:
    result = client.query("SELECT range AS n, range::VARCHAR AS t FROM range(1000000)")
    rows = result.rows()
    assert next(rows) == (0, "0")
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if leave == "close":
                result.close()
            elif leave == "forget":
                del rows, result
                gc.collect()
            else:
                with pytest.raises(sluice_client.UsageError, match="in this process"):
                    list(rows)
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert sum(1 for _ in rows) == 999_999
    assert repr(result) == "<Result: Complete, 1,000,000 rows>"


MIDDLE = """
import sluice_client
result = sluice_client.connect().query("SELECT * FROM range(1000000000)")
print(next(result.rows()), result.query_id, flush=True)
"""


def test_interpreter_that_ends_in_a_stream(product: Product, client: Client) -> None:
    login = {"SLUICE_EMAIL": ANALYST["email"], "SLUICE_PASSWORD": ANALYST["password"]}
    environment = {**os.environ, **product.environment, **login}
    ended = subprocess.run(
        [sys.executable, "-c", MIDDLE], env=environment, capture_output=True, text=True, timeout=30, check=False
    )
    assert ended.returncode == 0
    assert ended.stderr == ""
    assert state_of(client, ended.stdout.split()[-1]) == "CANCELLED"


def run_in_loop(product: Product, client: sluice_client.AsyncClient, queries: int) -> int:
    async def run() -> int:
        rows = await asyncio.gather(*(client.query("SELECT $n", n=number).fetchall() for number in range(queries)))
        return sum(row[0][0] for row in rows)

    return asyncio.run(run())


def test_event_loops_in_threads(product: Product) -> None:
    client = sluice_client.connect_async(**product.hosts, **ANALYST, retries=20)
    with ThreadPoolExecutor(4) as pool:
        sums = list(pool.map(lambda _: run_in_loop(product, client, 8), range(12)))
    assert sums == [28] * 12
    run_in_loop(product, client, 1)
    assert len(client._io._pools) == 1  # those of the loops before are forgotten


LOOPS = """
import asyncio, gc, sluice_client
client = sluice_client.connect_async()

async def run():
    await client.query("SELECT 1").fetchall()

async def forget():
    other = sluice_client.connect_async()
    await other.query("SELECT 1").fetchall()
    del other
    gc.collect()
    await asyncio.sleep(0.1)

asyncio.run(run())
asyncio.run(run())
asyncio.run(forget())
print(client._connection.tokens.peek())
"""


def test_event_loops_leave_no_socket_and_no_session(product: Product) -> None:
    login = {"SLUICE_EMAIL": ANALYST["email"], "SLUICE_PASSWORD": ANALYST["password"]}
    environment = {**os.environ, **product.environment, **login}
    run = [sys.executable, "-W", "always", "-c", LOOPS]
    ended = subprocess.run(run, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert ended.stderr == ""
    response = httpx.get(f"{product.stream_url}/query", headers={"authorization": f"Bearer {ended.stdout.strip()}"})
    assert response.status_code == 401


def test_rows_that_are_left_at_the_end_of_a_loop(product: Product, client: Client) -> None:
    ids: list[str] = []

    async def run() -> None:
        async with sluice_client.connect_async(**product.hosts, **ANALYST) as other:
            result = other.query("SELECT * FROM range(1000000000)")
            rows = result.rows()
            await anext(rows)
            ids.append(str(result.query_id))
            kept.append(rows)

    kept: list[object] = []
    asyncio.run(run())
    assert state_of(client, ids[0]) == "CANCELLED"
    assert kept
