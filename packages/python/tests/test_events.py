"""Events in pieces of any size give the same rows, and events out of order none."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
from decimal import Decimal

import pytest

from sluice_client import IncompleteResult, QueryFailed
from sluice_client.events import EventReader, Row

pytestmark = pytest.mark.short
COLUMNS = [{"name": "n", "type": "bigint"}, {"name": "d", "type": "decimal(5,2)"}, {"name": "t", "type": "varchar"}]
METADATA = f'data: {{"type":"metadata","columns":{json.dumps(COLUMNS)}}}\n\n'
ROWS = [(9007199254740993, Decimal("250.00"), 'a"}\\n\u00e9'), (None, None, '{"type":"row","data":{}}')]


def row_event(row: tuple[object, ...]) -> str:
    number, decimal, text = row
    values = f'"n":{json.dumps(number)},"d":{"null" if decimal is None else decimal},"t":{json.dumps(text)}'
    return f'data: {{"type":"row","data":{{{values}}}}}\n\n'


COMPLETE = 'data: {"type":"complete","query_id":"q","rows":2,"elapsed_ms":1,"limited":false}\n\n'
STREAM = (": keep-alive\n\n" + METADATA + row_event(ROWS[0]) + ": keep-alive\n\n" + row_event(ROWS[1]) + COMPLETE).encode()


def read(pieces: list[bytes]) -> list[Row]:
    reader = EventReader(query_id="q")
    rows: list[Row] = []
    for piece in pieces:
        rows += reader.feed(piece)
    reader.finish()
    return rows


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_pieces(size: int) -> None:
    assert read([STREAM[at : at + size] for at in range(0, len(STREAM), size)]) == ROWS


def test_random_pieces() -> None:
    choose = random.Random(17)
    for _ in range(200):
        cuts = sorted({0, len(STREAM), *(choose.randrange(len(STREAM)) for _ in range(5))})
        assert read([STREAM[first:last] for first, last in itertools.pairwise(cuts)]) == ROWS


def test_every_cut() -> None:
    for end in range(len(STREAM)):
        with pytest.raises(IncompleteResult):
            read([STREAM[:end]])


@pytest.mark.parametrize(
    "text",
    [
        row_event(ROWS[0]) + METADATA + COMPLETE,
        METADATA + METADATA + COMPLETE,
        METADATA + COMPLETE,
        METADATA + row_event(ROWS[0]) + COMPLETE,
        METADATA + row_event(ROWS[0]) * 2 + COMPLETE + row_event(ROWS[0]),
        METADATA + row_event(ROWS[0]) * 2 + COMPLETE.replace('"q"', '"other"'),
        METADATA + row_event(ROWS[0]) * 2 + COMPLETE * 2,
        METADATA + 'data: {"type":"row","data":{"n":1}}\n\n' * 2 + COMPLETE,
        METADATA + 'data: {"type":"row","data":[1,2,3]}\n\n' * 2 + COMPLETE,
        METADATA + 'data: {"type":"row"}\n\n' * 2 + COMPLETE,
        METADATA + "data: no JSON\n\n" + COMPLETE,
        METADATA + "data: 7\n\n" + row_event(ROWS[0]) + COMPLETE,
        COMPLETE.replace('"rows":2', '"rows":0'),
        METADATA + COMPLETE.replace('"rows":2,', ""),
    ],
)
def test_unordered_events(text: str) -> None:
    with pytest.raises(IncompleteResult):
        read([text.encode()])


def test_error_event() -> None:
    event = 'data: {"type":"error","error":"No.","code":"SYNTAX_ERROR","query_id":"q","location":{"line":1,"column":2}}\n\n'
    with pytest.raises(QueryFailed) as raised:
        read([event.encode()])
    assert raised.value.code == "syntax_error"
    assert raised.value.location is not None
    assert raised.value.location.column == 2


def numbered(row: tuple[object, ...], number: int) -> str:
    return f"id: {number}\n{row_event(row)}"


LINES = b"".join(row_event(row)[len('data: {"type":"row","data":') : -len("}\n\n")].encode() + b"\n" for row in ROWS)


@pytest.mark.parametrize("cut", range(len(METADATA), len(METADATA + row_event(ROWS[0]) + row_event(ROWS[1]))))
def test_continued_stream(cut: int) -> None:
    reader = EventReader(True, query_id="q")
    rows = reader.feed((METADATA + row_event(ROWS[0]) + row_event(ROWS[1])).encode()[:cut])
    rest = "".join(numbered(row, number + 1) for number, row in enumerate(ROWS) if number >= len(rows))
    reader.continue_with(query_id="q")
    for piece in (METADATA + rest + COMPLETE).encode().splitlines(keepends=True):
        rows += reader.feed(piece)
    reader.finish()
    assert rows == ROWS
    assert reader.lines is not None
    assert (reader.lines.bytes, reader.lines.sha256) == (len(LINES), hashlib.sha256(LINES).hexdigest())


@pytest.mark.parametrize(
    "text",
    [
        METADATA + numbered(ROWS[1], 3) + COMPLETE,
        METADATA + numbered(ROWS[0], 1) + numbered(ROWS[1], 2) + COMPLETE,
        numbered(ROWS[1], 2) + COMPLETE,
        METADATA.replace("bigint", "integer") + numbered(ROWS[1], 2) + COMPLETE,
        METADATA + COMPLETE,
        COMPLETE,
    ],
)
def test_stream_that_continues_elsewhere(text: str) -> None:
    reader = EventReader(True, query_id="q")
    reader.feed((METADATA + row_event(ROWS[0])).encode())
    reader.continue_with(query_id="q")
    with pytest.raises(IncompleteResult):
        reader.feed(text.encode())


def test_result_that_was_not_kept_is_cut() -> None:
    reader = EventReader(True, query_id="q")
    event = 'data: {"type":"error","error":"The result was not kept.","code":"NOT_FOUND","query_id":"q"}\n\n'
    with pytest.raises(IncompleteResult) as raised:
        reader.feed(event.encode())
    assert raised.value.reason == "cut"
