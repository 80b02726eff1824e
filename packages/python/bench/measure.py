"""Measures the package against the plain way: httpx and pyarrow without a check, and json.loads on the raw stream.

    python bench/measure.py [--rows N] [--rounds N]

Each measurement is a process of its own, and the ways alternate. Prints medians of seconds and of the largest memory.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1] / "tests"
COLUMNS = """range AS id, range % 1000 AS small, range * 1.5 AS price, (range * 7919 % 100000)::DOUBLE / 3 AS ratio,
  'row ' || range AS label, DATE '2020-01-01' + (range % 3000)::INTEGER AS day"""
ACCOUNT = ("analyst@acme.example", "sluice-demo")


def statement(rows: int) -> str:
    return f"SELECT {COLUMNS} FROM range({rows})"


def plain_table(rows: int) -> Any:
    import httpx
    import pyarrow
    import pyarrow.parquet

    url = f"{os.environ['SLUICE_STREAM_URL']}/query/download/parquet"
    response = httpx.post(url, json={"sql": statement(rows)}, auth=ACCOUNT, timeout=600)
    return pyarrow.parquet.read_table(pyarrow.BufferReader(response.content))


def own_result(rows: int) -> Any:
    import sluice_client

    return sluice_client.connect().query(statement(rows))


def plain_pandas(rows: int) -> int:
    import pandas

    return len(plain_table(rows).to_pandas(types_mapper=pandas.ArrowDtype))


def plain_polars(rows: int) -> int:
    import polars

    return len(polars.from_arrow(plain_table(rows)))


def plain_rows(rows: int) -> int:
    import httpx

    url = f"{os.environ['SLUICE_STREAM_URL']}/query"
    count = 0
    with httpx.stream("POST", url, json={"sql": statement(rows)}, auth=ACCOUNT, timeout=600) as response:
        rest = b""
        for piece in response.iter_bytes():
            *lines, rest = (rest + piece).split(b"\n\n")
            for line in lines:
                count += json.loads(line[6:])["type"] == "row"
    return count


WAYS: dict[str, Callable[[int], int]] = {
    "to_pandas": lambda rows: len(own_result(rows).to_pandas()),
    "plain pandas": plain_pandas,
    "to_polars": lambda rows: len(own_result(rows).to_polars()),
    "plain polars": plain_polars,
    "rows": lambda rows: sum(1 for _ in own_result(rows).rows()),
    "plain rows": plain_rows,
}
PAIRS = [("to_pandas", "plain pandas"), ("to_polars", "plain polars"), ("rows", "plain rows")]


def run_way(way: str, rows: int) -> None:
    import httpx  # noqa: F401 (its import is not measured)
    import pandas  # noqa: F401
    import polars  # noqa: F401
    import pyarrow.parquet  # noqa: F401

    import sluice_client  # noqa: F401

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.perf_counter()
    count = WAYS[way](rows)
    seconds = time.perf_counter() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps({"seconds": seconds, "memory": memory / 1024, "count": count}))


def measure(way: str, rows: int) -> dict[str, float]:
    words = [sys.executable, __file__, "--way", way, "--rows", str(rows)]
    result: dict[str, float] = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    if result["count"] != rows:
        raise SystemExit(f"{way} returned {result['count']} of {rows} rows.")
    return result


def import_seconds() -> float:
    def once(source: str) -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", source], check=True)
        return time.perf_counter() - begun

    return statistics.median(once("import sluice_client") - once("pass") for _ in range(7))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--way")
    options = parser.parse_args()
    if options.way:
        run_way(options.way, options.rows)
        return
    sys.path.insert(0, str(TESTS))
    from conftest import ANALYST, started

    with started({}) as product:
        os.environ.update(product.environment)
        os.environ.update({"SLUICE_EMAIL": ANALYST["email"], "SLUICE_PASSWORD": ANALYST["password"]})
        print(f"import: {import_seconds() * 1000:.0f} ms")
        for own, plain in PAIRS:
            both = [(measure(own, options.rows), measure(plain, options.rows)) for _ in range(options.rounds)]
            seconds = [statistics.median(one[index]["seconds"] for one in both) for index in (0, 1)]
            memory = [statistics.median(one[index]["memory"] for one in both) for index in (0, 1)]
            speed = f"{seconds[1] / seconds[0]:.2f} of the plain speed ({seconds[0]:.2f} s, {seconds[1]:.2f} s)"
            print(f"{own}: {speed}, {memory[0] / memory[1]:.2f} times its memory ({memory[0]:.0f} MB, {memory[1]:.0f} MB)")


if __name__ == "__main__":
    main()
