"""Tables that are made of files and rows in memory. No test here needs a host."""

from __future__ import annotations

import asyncio
import datetime
import math
import threading
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pandas
import pyarrow
import pyarrow.parquet
import pytest

import sluice_client
from sluice_client import PrecisionError, frames, result_core
from sluice_client.effects import AsyncIO, HttpOptions, Program, Sleep, SyncIO
from sluice_client.frames import read_parquet
from sluice_client.memory_file import MemoryFile
from sluice_client.receipts import Receipt
from sluice_client.requests import Connection
from sluice_client.result_core import EngineFacts, ResultCore
from sluice_client.statements import Statement
from sluice_client.tokens import FixedToken
from sluice_client.transfers import Transfer
from sluice_client.types import Column

PIECE_BYTES = 65_536
MIB = 1024 * 1024


def file_of(table: Any) -> MemoryFile:
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink)
    file = MemoryFile()
    file.write(sink.getvalue().to_pybytes())
    return file


def test_file_is_held_once() -> None:
    piece = bytes(PIECE_BYTES)
    file = MemoryFile()
    tracemalloc.start()
    for _ in range(64 * MIB // PIECE_BYTES):
        file.write(piece)
    source = file.open(pyarrow)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert source.size() == file.size == 64 * MIB
    assert peak < 1.2 * file.size
    file.close()
    assert file.size == 64 * MIB
    assert source.read(1) == b"\0"


TYPES: dict[str, tuple[Any, list[Any]]] = {
    "integers": (pyarrow.int64(), [1, None, 2**53 + 1]),
    "floats": (pyarrow.float64(), [0.5, None, -0.0]),
    "decimals": (pyarrow.decimal128(18, 2), [Decimal("1.50"), None, Decimal("-0.01")]),
    "texts": (pyarrow.string(), ["a", None, ""]),
    "days": (pyarrow.date32(), [datetime.date(1, 1, 1), None, datetime.date(9999, 12, 31)]),
    "instants": (pyarrow.timestamp("us", "UTC"), [0, None, -1]),
    "lists": (pyarrow.list_(pyarrow.string()), [["a", None], None, []]),
    "structs": (pyarrow.struct([("a", pyarrow.int32())]), [{"a": 1}, None, {"a": None}]),
    "maps": (pyarrow.map_(pyarrow.string(), pyarrow.int64()), [[("a", 1)], None, []]),
}


def example() -> Any:
    return pyarrow.table({name: pyarrow.array(values, of) for name, (of, values) in TYPES.items()})


def test_table_is_that_of_the_scan() -> None:
    table = pyarrow.concat_tables([example()] * 2)
    file = file_of(table)
    read, _ = read_parquet(file, 6, "q")
    scanned = pyarrow.parquet.read_table(file.open(pyarrow))
    assert read.equals(scanned)
    assert read.schema.equals(scanned.schema)
    assert read.cast(table.schema).equals(table)


@pytest.mark.parametrize("of", [pyarrow.float32(), pyarrow.float64()])
def test_nullable_floats(of: Any) -> None:
    table = pyarrow.table({"x": pyarrow.chunked_array([pyarrow.array([1.5, None], of), pyarrow.array([math.nan], of)])})
    column = frames.to_pandas(table, "numpy_nullable", {})["x"]
    assert str(column.dtype) == {"float": "Float32", "double": "Float64"}[str(of)]
    assert column.isna().tolist() == [False, True, False]
    assert column[1] is pandas.NA
    assert math.isnan(column[2])
    assert column.fillna(0).tolist()[:2] == [1.5, 0]
    column[0] = 2.5
    assert table.column("x")[0].as_py() == 1.5
    assert frames.to_pandas(table.slice(0, 0), "numpy_nullable", {}).dtypes["x"] == column.dtype


NESTED: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "alone": lambda value: ("number", value),
    "array": lambda value: ("array(number)", [value, None]),
    "row": lambda value: ('row("n" number,"t" varchar)', {"n": value, "t": "a"}),
    "map": lambda value: ("map(varchar,number)", {"k": value}),
    "arrays": lambda value: ('array(row("n" array(number)))', [{"n": [value]}]),
}


@pytest.mark.parametrize("nested", NESTED)
def test_numbers_in_polars(nested: str) -> None:
    def table_of(value: Decimal) -> Any:
        kind, cell = NESTED[nested](value)
        builder = frames.TableBuilder([Column("v", kind)])
        builder.add([(cell,), (None,)])
        return builder.finish()

    largest = Decimal(10**38 - 1)
    assert str(largest) in str(frames.to_polars(table_of(largest)).to_dicts())
    with pytest.raises(PrecisionError, match="column v has a number of more than 38 digits"):
        frames.to_polars(table_of(Decimal(10**38)))


def test_text_that_does_not_fit_into_one_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise pyarrow.ArrowNotImplementedError("Nested data conversions not implemented for chunked array outputs")

    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "read", fail)
    assert read_parquet(file_of(example()), 3, "q")[0].num_rows == 3


def test_event_loop_does_not_decode(monkeypatch: pytest.MonkeyPatch) -> None:
    """An AsyncClient decodes in another thread than that of its event loop."""
    threads: list[int] = []

    def note(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            threads.append(threading.get_ident())
            return function(*arguments)

        return run

    def move(_connection: object, _request: object, file: MemoryFile, _note: object, **_: object) -> Program[Transfer]:
        file.write(file_of(example()).open(pyarrow).read())
        yield Sleep(0)
        receipt = Receipt("q", "FINISHED", 3, file.size, None, False, 0, 0, None)
        return Transfer("q", "application/vnd.apache.parquet", file.size, "", 3, "receipt", receipt)

    monkeypatch.setattr(result_core, "transfer", move)
    monkeypatch.setattr(result_core, "read_parquet", note(read_parquet))
    assert asyncio.run(AsyncIO(HttpOptions()).run(new_core().fetch_table())).num_rows == 3
    assert threads != [threading.get_ident()]
    assert SyncIO(HttpOptions()).run(new_core().fetch_table()).num_rows == 3
    assert threads[1:] == [threading.get_ident()]


def new_core() -> ResultCore:
    connection = Connection("acme", "http://api.invalid", "http://stream.invalid", FixedToken("x"))
    return ResultCore(connection, EngineFacts(), Statement.check("SELECT 1", None, {}))


def test_dataframe_beyond_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise pyarrow.ArrowMemoryError("malloc of size 64 failed")
        yield

    monkeypatch.setattr(result_core, "transfer", fail)
    core = new_core()
    with pytest.raises(sluice_client.TargetFailed, match="does not fit into memory"):
        SyncIO(HttpOptions()).run(core.fetch_table())
    assert core.state == "failed"
