"""Tables that are made of files and rows in memory. No test here needs a host."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import sluice_client
from sluice_client import result_core
from sluice_client.effects import HttpOptions, SyncIO
from sluice_client.memory_file import MemoryFile
from sluice_client.requests import Connection
from sluice_client.result_core import EngineFacts, ResultCore
from sluice_client.statements import Statement
from sluice_client.tokens import FixedToken

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


def test_dataframe_beyond_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Any:
        raise pyarrow.ArrowMemoryError("malloc of size 64 failed")
        yield

    monkeypatch.setattr(result_core, "transfer", fail)
    connection = Connection("acme", "http://api.invalid", "http://stream.invalid", FixedToken("x"))
    core = ResultCore(connection, EngineFacts(), Statement.check("SELECT 1", None, {}))
    with pytest.raises(sluice_client.TargetFailed, match="does not fit into memory"):
        SyncIO(HttpOptions()).run(core.fetch_table())
    assert core.state == "failed"
