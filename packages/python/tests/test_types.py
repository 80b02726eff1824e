"""Every type of docs/values.md, and the table of docs/python.md."""

from __future__ import annotations

import base64
import datetime
import json
import os
import re
import struct
import uuid
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import sluice_client
from conftest import ANALYST, ROOT, started
from sluice_client import Client, PrecisionError
from sluice_client.types import ColumnType, parse_type

Example = dict[str, str]


def tables(page: str) -> list[list[Example]]:
    """Returns the tables of a page of Markdown, as cells by the names of their columns."""
    found: list[list[Example]] = []
    names: list[str] = []
    for line in (ROOT / page).read_text().split("\n"):
        if not line.startswith("|"):
            names = []
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not names:
            names = [code(cell) for cell in cells]
            found.append([])
        elif not set("".join(cells)) <= set("-: "):
            found[-1].append(dict(zip(names, cells, strict=True)))
    return found


def code(cell: str) -> str:
    found = re.fullmatch(r"`(.*)`", cell, re.DOTALL)
    return cell if found is None else found[1]


DUCKDB, TRINO = tables("docs/values.md")
TABLE = next(table for table in tables("docs/python.md") if "Arrow" in table[0])


def row_for(kind: str) -> Example:
    """Returns the row of the table of docs/python.md for a type."""
    general = re.sub(r"^(varchar|char)\(\d+\)$", r"\1", kind)
    general = re.sub(r"^decimal\(\d+,\d+\)$", "decimal(p,s)", general)
    general = re.sub(r"^(array|map|row)\(.*\)$", r"\1(...)", general)
    rows = [row for row in TABLE if general in map(code, row["Type"].split(", "))]
    assert len(rows) == 1, f"docs/python.md has {len(rows)} rows for {general}"
    return rows[0]


def expected_type(cell: str, of: ColumnType) -> str:
    precision, scale = of.arguments if of.kind == "decimal" else (0, 0)
    return code(cell).replace("p", str(precision)).replace("s)", f"{scale})") if of.kind == "decimal" else code(cell)


def zone_of(value: datetime.datetime | datetime.time) -> str:
    zone = value.tzinfo
    if zone is None:
        return ""
    if zone is datetime.timezone.utc:
        return " UTC"
    key = getattr(zone, "key", None)
    return f" {key}" if key is not None else f" {zone.tzname(None)[3:]}"


def fraction_of(microsecond: int, digits: int) -> str:
    return f".{microsecond:06d}"[: digits + 1] if digits else ""


def json_of(value: Any, of: ColumnType) -> str:
    """Returns the JSON of docs/values.md for a value of Python: the way back, written without the package."""
    if value is None:
        return "null"
    if of.kind == "array" and of.parts:
        return "[" + ",".join(json_of(each, of.parts[0]) for each in value) + "]"
    if of.kind in ("map", "row") and of.parts:
        keys, parts = (
            ([of.parts[0]] * len(value), [of.parts[1]] * len(value)) if of.kind == "map" else ([None] * len(value), of.parts)
        )
        members = []
        for (name, item), key, part in zip(value.items(), keys, parts, strict=True):
            text = json.dumps(name) if key is None else f'"{json_of(name, key).strip(chr(34))}"'
            members.append(f"{text}:{json_of(item, part)}")
        return "{" + ",".join(members) + "}"
    return json_of_scalar(value, of)


def json_of_scalar(value: Any, of: ColumnType) -> str:
    digits = of.digits
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, Decimal)):
        return format(value, "f") if isinstance(value, Decimal) else str(value)
    if isinstance(value, bytes):
        return f'"{base64.b64encode(value).decode()}"'
    if isinstance(value, datetime.datetime):
        text = f"{value:%Y-%m-%d %H:%M:%S}{fraction_of(value.microsecond, digits)}{zone_of(value)}"
        return f'"{text}"'
    if isinstance(value, datetime.time):
        text = f"{value:%H:%M:%S}{fraction_of(value.microsecond, digits)}{zone_of(value).strip()}"
        return f'"{text}"'
    if isinstance(value, (datetime.date, uuid.UUID)):
        return f'"{value}"'
    assert isinstance(value, str), f"{type(value)} of {of}"
    return json.dumps(value, ensure_ascii=False)


def same_double(one: float, other: float) -> bool:
    return struct.pack("d", one) == struct.pack("d", other) or (one != one and other != other)


BEYOND_PYTHON = re.compile(r"^(DATE, (before|after|infinite)|TIMESTAMP WITH TIME ZONE, (of the session|an hour later))")


def check_rows(client: Client, example: Example, label: str) -> Any:
    zone = re.search(r", in (\S+)$", label)
    sql = f"SELECT {code(example['Example'])} AS v"
    result = client.query(sql, time_zone=zone[1] if zone else None)
    if BEYOND_PYTHON.match(label) and not ("UTC" in example["JSON"] or "+02:00" in example["JSON"]):
        with pytest.raises(PrecisionError):
            result.fetchall()
        return PrecisionError
    of = parse_type(result.columns[0].type)
    assert result.columns[0].type == example["Type"]
    [(value,)] = result.fetchall()
    wanted = code(example["JSON"])
    if of.kind in ("double", "real"):
        assert isinstance(value, float)
        assert same_double(value, float(wanted.strip('"')))
    elif isinstance(value, datetime.timedelta):
        assert wanted.strip('"') in TIMEDELTAS
        assert value == TIMEDELTAS[wanted.strip('"')]
    elif "interval day to second" not in example["Type"]:
        assert json_of(value, of) == wanted
    if value is not None:
        assert type(value).__name__ == row_for(example["Type"])["rows()"].strip("`")
    return value


TIMEDELTAS = {
    "P2DT3H4M5.678S": datetime.timedelta(days=2, hours=3, minutes=4, seconds=5, milliseconds=678),
    "P-2DT-3H-4M-5.678S": -datetime.timedelta(days=2, hours=3, minutes=4, seconds=5, milliseconds=678),
    "PT-5M": -datetime.timedelta(minutes=5),
    "PT-0.004S": -datetime.timedelta(milliseconds=4),
    "PT0S": datetime.timedelta(0),
}


def plain(value: Any) -> Any:
    """Returns a value of Arrow as `rows()` has it: texts of UUIDs, instants in UTC, maps as lists of pairs."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.timezone.utc).isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, float) and value != value:
        return "NaN"
    return value


UNSIGNED = {"UTINYINT": "uint8", "USMALLINT": "uint16", "UINTEGER": "uint32", "UBIGINT": "uint64"}


def check_table(table: Any, example: Example, label: str, value: Any, by_file: bool) -> None:
    of = parse_type(example["Type"])
    kind = str(table.schema.field(0).type)
    cell = row_for(example["Type"])["Arrow"]
    if by_file and label in UNSIGNED:
        assert kind == UNSIGNED[label]
    elif not of.parts and label not in ("NULL, of no type",):
        assert kind == expected_type(cell, of)
    if of.kind == "timestamp" and "ns" in kind:
        seen = str(pandas.Timestamp(table.column(0)[0].value))
        assert str(value).startswith(seen)
        return
    [seen] = table.column(0).to_pylist()
    if of.kind == "real":
        assert struct.pack("f", seen) == struct.pack("f", value)
    elif of.kind == "time" and isinstance(seen, str):
        assert seen == code(example["JSON"]).strip('"')
    elif "interval" in example["Type"]:
        assert of.parts or seen == code(example["JSON"]).strip('"')
    elif of.parts and of.kind == "map":
        assert [plain(pair[0]) for pair in seen] == [plain(name) for name in value] or by_file
    elif not (of.parts and by_file):
        assert plain(seen) == plain(value)


@pytest.mark.parametrize("example", DUCKDB, ids=[example["DuckDB"] for example in DUCKDB])
def test_duckdb(client: Client, example: Example) -> None:
    label = example["DuckDB"]
    value = check_rows(client, example, label)
    zone = re.search(r", in (\S+)$", label)
    sql = f"SELECT {code(example['Example'])} AS v"
    options = {"time_zone": zone[1] if zone else None}
    if label == "DATE, infinite":
        with pytest.raises(PrecisionError):
            client.query(sql, **options).to_arrow()
        return
    table = client.query(sql, **options).to_arrow()
    if value is PrecisionError:
        assert str(table.schema.field(0).type) == "date32[day]"
        return
    check_table(table, example, label, value, by_file=True)
    by_rows = client.query(sql, limit=5, **options).to_arrow()
    check_table(by_rows, example, label, value, by_file=False)
    check_frames(client, sql, options, example)


def check_frames(client: Client, sql: str, options: dict[str, Any], example: Example) -> None:
    result = client.query(sql, **options)
    frame = result.to_pandas()
    assert isinstance(frame.dtypes["v"], pandas.ArrowDtype)
    table = result.to_arrow()
    column = pyarrow.Table.from_pandas(frame).column(0)
    assert column.type == table.column(0).type
    assert exactly(column.to_pylist()) == exactly(table.column(0).to_pylist())
    assert exactly(frame["v"].tolist()) == exactly(table.column(0).to_pylist())
    nullable = result.to_pandas("numpy_nullable")["v"]
    assert nullable.isna().tolist() == table.column(0).is_null().to_pylist()
    if not (table.column(0).null_count or pyarrow.types.is_nested(table.column(0).type)):
        assert exactly(pyarrow.array(nullable.tolist(), table.column(0).type).to_pylist()) == exactly(table.column(0).to_pylist())
    if len(code(example["JSON"])) > 39 and example["Type"] == "number":
        with pytest.raises(PrecisionError, match="38 digits"):
            result.to_polars()
        return
    if example["Type"] == "number" and len(code(example["JSON"])) == 39:
        with pytest.raises(PrecisionError, match="38 digits"):
            result.to_polars()
        return
    check_polars(result.to_polars(), table)


def check_polars(frame: polars.DataFrame, table: Any) -> None:
    """Compares the values of a dataframe of polars with those of Arrow, as Arrow and as values of Python."""
    column = table.column(0)
    if "map<" in str(column.type):
        assert exactly(pairs(frame["v"].to_list())) == exactly(pairs(column.to_pylist()))
        return
    assert exactly(frame.to_arrow().column(0).cast(column.type).to_pylist()) == exactly(column.to_pylist())
    if column.type != pyarrow.timestamp("ns"):  # values of Python have no nanoseconds
        assert exactly(frame["v"].to_list()) == exactly(column.to_pylist())


def exactly(values: Any) -> str:
    """Returns a text that differs if values do, such as 0.0 and -0.0, or 1 and 1.0. A missing value is None."""

    def one(value: Any) -> Any:
        if value is pandas.NA or value is pandas.NaT:
            return None
        is_stamp = isinstance(value, pandas.Timestamp) and value.nanosecond == 0
        return plain(value.to_pydatetime() if is_stamp else value)

    return repr([one(value) for value in values])


def pairs(value: Any) -> Any:
    """Returns maps as lists of pairs: Arrow has tuples, and polars has dictionaries or structs of key and value."""
    if isinstance(value, dict):
        return [pairs(list(item)) for item in value.items()]
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(each, dict) and set(each) == {"key", "value"} for each in value):
            return [[pairs(each["key"]), pairs(each["value"])] for each in value]
        return [pairs(each) for each in value]
    return value


def test_null_is_not_nan(client: Client) -> None:
    result = client.query("SELECT unnest([1.5, NULL, 'nan'::DOUBLE]) AS x, unnest([9007199254740993, NULL, 1]) AS n")
    frame = result.to_pandas()
    column = pyarrow.Table.from_pandas(frame).column("x")
    assert column.null_count == 1
    assert str(column.to_pylist()) == "[1.5, None, nan]"
    assert frame["n"].tolist()[0] == 9007199254740993
    nullable = result.to_pandas("numpy_nullable")
    assert str(nullable["n"].dtype) == "Int64"
    assert nullable["n"][0] == 9007199254740993
    exact = result.to_polars()
    assert exact["x"].null_count() == 1
    assert exact["n"].to_list() == [9007199254740993, None, 1]


def test_number_beyond_76_digits(client: Client) -> None:
    digits = "1" + "0" * 80
    sql = f"SELECT '{digits}'::BIGNUM AS v"
    assert client.query(sql).fetchall() == [(Decimal(digits),)]
    with pytest.raises(PrecisionError, match="Cast the column"):
        client.query(sql).to_arrow()


@pytest.fixture(scope="module")
def on_trino() -> Iterator[Client]:
    engine = {
        "ENGINE_URL": os.environ.get("SLUICE_TEST_TRINO", "http://127.0.0.1:28090"),
        "ENGINE_CATALOGS": "tpch",
        "ENGINE_SCHEMA": "tiny",
    }
    with started(engine) as product:
        hosts = {**product.hosts}
        with sluice_client.connect(**hosts, **ANALYST) as client:
            yield client


@pytest.mark.trino
@pytest.mark.parametrize("example", TRINO, ids=[example["Trino"] for example in TRINO])
def test_trino(on_trino: Client, example: Example) -> None:
    label = example["Trino"]
    value = check_rows(on_trino, example, label)
    if value is PrecisionError:
        return
    zone = re.search(r", in (\S+)$", label)
    table = on_trino.query(f"SELECT {code(example['Example'])} AS v", time_zone=zone[1] if zone else None).to_arrow()
    check_table(table, example, label, value, by_file=False)


@pytest.mark.trino
def test_trino_rows_and_cancel(on_trino: Client) -> None:
    result = on_trino.query("SELECT * FROM orders")
    frame = result.to_pandas()
    assert len(frame) == 15_000
    endless = on_trino.query("SELECT a.* FROM tpch.sf1.lineitem a CROSS JOIN tpch.sf1.lineitem b")
    for _ in endless:
        break
    assert repr(endless).startswith("<Result: Cancelled")


def test_sum_of_integers(client: Client) -> None:
    sql = "SELECT sum(n) AS huge, sum(n)::BIGINT AS whole FROM (VALUES (1), (2)) AS t(n)"
    frame = client.query(sql).to_pandas()
    assert list(map(str, frame.dtypes)) == ["decimal256(76, 0)[pyarrow]", "int64[pyarrow]"]
    assert (frame["whole"] / 2).tolist() == [1.5]
    assert len(frame[["whole"]].describe()) == 8
    with pytest.raises(sluice_client.QueryFailed, match=r"(?i)range|cast|conversion"):
        client.query(f"SELECT sum(n)::BIGINT FROM (VALUES ({2**63 - 1}), (1)) AS t(n)").to_pandas()
