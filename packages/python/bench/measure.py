"""Reads one result with the package, or in the plain way it is compared with: httpx, pyarrow and json.loads, without a check.

Each process reads a result of ten rows first, so imports, the login and the first connection are not measured.

    python bench/measure.py --way to_pandas --rows 1000000

Prints seconds, the growth of the largest resident set in MiB, and the rows as JSON. `npm run bench -- --python` runs it.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import resource
import time
from collections.abc import Callable
from typing import Any

COLUMNS = """range AS id, range % 1000 AS small, range * 1.5 AS price, (range * 7919 % 100000)::DOUBLE / 3 AS ratio,
  'row ' || range AS label, DATE '2020-01-01' + (range % 3000)::INTEGER AS day"""
ACCOUNT = ("analyst@acme.example", "sluice-demo")
WARMING_ROWS = 10


def statement(rows: int) -> str:
    return f"SELECT {COLUMNS} FROM range({rows})"


@functools.cache
def plain_client() -> Any:
    import httpx

    # The package asks for no compression either.
    headers = {"accept-encoding": "identity"}
    return httpx.Client(base_url=os.environ["SLUICE_STREAM_URL"], auth=ACCOUNT, timeout=600, headers=headers)


@functools.cache
def own_client() -> Any:
    import sluice_client

    return sluice_client.connect()


def plain_table(rows: int) -> Any:
    import pyarrow
    import pyarrow.parquet

    response = plain_client().post("/query/download/parquet", json={"sql": statement(rows)})
    return pyarrow.parquet.read_table(pyarrow.BufferReader(response.content))


def own_result(rows: int) -> Any:
    return own_client().query(statement(rows))


def plain_pandas(rows: int) -> int:
    import pandas

    return len(plain_table(rows).to_pandas(types_mapper=pandas.ArrowDtype))


def plain_polars(rows: int) -> int:
    import polars

    return len(polars.from_arrow(plain_table(rows)))


def plain_rows(rows: int) -> int:
    count = 0
    with plain_client().stream("POST", "/query", json={"sql": statement(rows)}) as response:
        rest = b""
        for piece in response.iter_bytes():
            *lines, rest = (rest + piece).split(b"\n\n")
            # The host sends a comment when it has no rows for a while.
            count += sum(json.loads(line[6:])["type"] == "row" for line in lines if line.startswith(b"data: "))
    return count


WAYS: dict[str, Callable[[int], int]] = {
    "to_pandas": lambda rows: len(own_result(rows).to_pandas()),
    "plain_pandas": plain_pandas,
    "to_polars": lambda rows: len(own_result(rows).to_polars()),
    "plain_polars": plain_polars,
    "rows": lambda rows: sum(1 for _ in own_result(rows).rows()),
    "plain_rows": plain_rows,
}


def run_way(way: str, rows: int) -> None:
    WAYS[way](WARMING_ROWS)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.perf_counter()
    count = WAYS[way](rows)
    seconds = time.perf_counter() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps({"seconds": seconds, "memory": memory / 1024, "count": count}))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--way", choices=WAYS, required=True)
    parser.add_argument("--rows", type=int, required=True)
    options = parser.parse_args()
    run_way(options.way, options.rows)


if __name__ == "__main__":
    main()
