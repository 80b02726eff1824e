"""Results as tables of pyarrow, pandas and polars. Nothing here rounds: what a target cannot hold raises PrecisionError."""

from __future__ import annotations

import datetime
import importlib
import json
import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from .errors import IncompleteResult, PrecisionError, UsageError
from .events import Row
from .memory_file import MemoryFile
from .types import Column, ColumnType, Convert, parse_type

TYPES_KEY = b"sluice.columns"
"""Key of the metadata of a Parquet file: the types of its columns as JSON, in order."""
NUMBER_DIGITS = 76
POLARS_DIGITS = 38
ROWS_PER_CHUNK = 65_536
EPOCH = datetime.datetime(1970, 1, 1)
MICROSECOND_DIGITS, NANOSECOND_DIGITS = 6, 9


def import_arrow() -> Any:
    """Returns the module pyarrow.

    Raises:
        UsageError: if it is not installed
    """
    try:
        return importlib.import_module("pyarrow")
    except ImportError as cause:
        raise UsageError(
            "Dataframes need pyarrow. Run `pip install 'sluice-client[pandas]'`, or with [polars] for to_polars() or [arrow] "
            "for to_arrow()."
        ) from cause


def read_parquet(file: MemoryFile, rows: int, query_id: str) -> tuple[Any, tuple[Column, ...] | None]:
    """Reads a Parquet file that equals its receipt into a table.

    Returns:
        the table, and its columns with the types that the host names; None if the file does not have these

    Raises:
        IncompleteResult: if it does not have the rows of the receipt
        PrecisionError: if Arrow cannot hold a number
    """
    arrow = import_arrow()
    table = _read_file(arrow, file)
    if table.num_rows != rows:
        raise IncompleteResult(
            "row_count",
            f"The file has {table.num_rows:,} rows, and the receipt has {rows:,}. Run the query again.",
            query_id=query_id,
        )
    metadata = dict(table.schema.metadata or {})
    text = metadata.pop(TYPES_KEY, None)
    types: list[Any] = [] if text is None else json.loads(text)
    names = table.schema.names
    columns = tuple(Column(name, str(of)) for name, of in zip(names, types, strict=True)) if len(types) == len(names) else None
    return _with_types(arrow, table, columns or ()).replace_schema_metadata(metadata or None), columns


def _read_file(arrow: Any, file: MemoryFile) -> Any:
    """Reads all columns at once, without the scan of a data set that `read_table` makes."""
    parquet: Any = importlib.import_module("pyarrow.parquet")
    try:
        return parquet.ParquetFile(file.open(arrow)).read(use_threads=True)
    except arrow.ArrowNotImplementedError:
        # A list or struct of more than 2 GiB of text does not fit into one chunk. The scan makes chunks of some rows.
        return parquet.read_table(file.open(arrow))


def _with_types(arrow: Any, table: Any, columns: Sequence[Column]) -> Any:
    """Restores the columns that a Parquet file stores as text or bytes: numbers beyond 38 digits, and UUIDs."""
    for index, (field, named) in enumerate(zip(table.schema, columns, strict=False)):
        of = parse_type(named.type)
        column = table.column(index)
        if of.kind == "number" and arrow.types.is_string(field.type):
            changed = _number_column(arrow, column, field.name)
        elif of.kind == "uuid":
            changed = _uuid_column(arrow, column)
        else:
            continue
        table = table.set_column(index, arrow.field(field.name, changed.type), changed)
    return table


def _number_column(arrow: Any, column: Any, name: str) -> Any:
    values = [None if value is None else Decimal(value) for value in column.to_pylist()]
    return arrow.chunked_array([_array(arrow, values, arrow.decimal256(NUMBER_DIGITS, 0), name)])


def _uuid_column(arrow: Any, column: Any) -> Any:
    def text(value: Any) -> str | None:
        if value is None or isinstance(value, str):
            return value
        return str(value if isinstance(value, uuid.UUID) else uuid.UUID(bytes=value))

    return arrow.chunked_array([arrow.array([text(value) for value in column.to_pylist()], arrow.string())])


def _array(arrow: Any, values: Sequence[Any], of: Any, name: str) -> Any:
    try:
        return arrow.array(values, of)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError, OverflowError) as cause:
        raise PrecisionError(
            f"The column {name} has a value that the type {of} of Arrow cannot hold ({cause}). "
            "Cast the column to VARCHAR in the statement."
        ) from cause


class TableBuilder:
    """Makes a table of the rows of a stream, for engines that write no Parquet and for results with a limit."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._arrow = import_arrow()
        self._names = [column.name for column in columns]
        types = [parse_type(column.type) for column in columns]
        self._types = [arrow_type(self._arrow, of) for of in types]
        self._converters = [_to_arrow(of) for of in types]
        self._waiting: list[Row] = []
        self._batches: list[Any] = []

    def add(self, rows: list[Row]) -> bool:
        """Adds rows. Returns whether there are enough for `flush`."""
        self._waiting += rows
        return len(self._waiting) >= ROWS_PER_CHUNK

    def finish(self) -> Any:
        """Returns the table."""
        self.flush()
        arrow = self._arrow
        schema = arrow.schema(list(zip(self._names, self._types, strict=True)))
        return arrow.Table.from_batches(self._batches, schema)

    def flush(self) -> None:
        """Converts the rows since the last time."""
        arrow = self._arrow
        rows, self._waiting = self._waiting, []
        if not rows:
            return
        arrays: list[Any] = []
        for values, of, convert, name in zip(zip(*rows, strict=True), self._types, self._converters, self._names, strict=True):
            changed = values if convert is None else [None if value is None else convert(value) for value in values]
            arrays.append(_array(arrow, changed, of, name))
        schema = arrow.schema(list(zip(self._names, self._types, strict=True)))
        self._batches.append(arrow.RecordBatch.from_arrays(arrays, schema=schema))


_ARROW_NAMES = {
    "boolean": "bool_",
    "tinyint": "int8",
    "smallint": "int16",
    "integer": "int32",
    "bigint": "int64",
    "real": "float32",
    "double": "float64",
    "varbinary": "binary",
    "date": "date32",
    "unknown": "null",
}


def arrow_type(arrow: Any, of: ColumnType) -> Any:
    """Returns the type of Arrow for a column, which is that of a Parquet file of the host."""
    if of.parts:
        return _nested_type(arrow, of)
    if of.kind == "number":
        return arrow.decimal256(NUMBER_DIGITS, 0)
    if of.kind == "decimal":
        return arrow.decimal128(*of.arguments)
    if of.kind == "time" and not of.zoned and of.digits <= MICROSECOND_DIGITS:
        return arrow.time64("us")
    if of.kind == "timestamp" and of.digits <= MICROSECOND_DIGITS:
        return arrow.timestamp("ms" if of.digits == 3 and not of.zoned else "us", "UTC" if of.zoned else None)
    if of.kind == "timestamp" and of.digits <= NANOSECOND_DIGITS and not of.zoned:
        return arrow.timestamp("ns")
    if of.kind == "interval day to second":
        return arrow.string()
    return getattr(arrow, _ARROW_NAMES.get(of.kind, "string"))()


def _nested_type(arrow: Any, of: ColumnType) -> Any:
    parts = [arrow_type(arrow, part) for part in of.parts]
    if of.kind == "array":
        return arrow.list_(parts[0])
    if of.kind == "map":
        return arrow.map_(parts[0] if not of.parts[0].parts else arrow.string(), parts[1])
    return arrow.struct(list(zip(of.names, parts, strict=True)))


def _to_arrow(of: ColumnType) -> Convert | None:
    """Returns the function that converts a value of a row to what Arrow takes; None if it stays as it is."""
    if of.parts:
        return _nested_to_arrow(of)
    if of.kind == "timestamp" and MICROSECOND_DIGITS < of.digits <= NANOSECOND_DIGITS and not of.zoned:
        return _nanoseconds
    if of.kind == "uuid":
        return str
    if of.kind == "time" and of.zoned and of.digits <= MICROSECOND_DIGITS:
        return partial(_zoned_time_text, digits=of.digits)
    return _interval_text if of.kind == "interval day to second" else None


def _nested_to_arrow(of: ColumnType) -> Convert | None:
    if of.kind == "array":
        element = _to_arrow(of.parts[0])
        return None if element is None else partial(_convert_items, convert=element)
    if of.kind == "map":
        # Keys with parts are text.
        key = None if of.parts[0].parts else _to_arrow(of.parts[0])
        return partial(_convert_entries, key=key or _same, item=_to_arrow(of.parts[1]) or _same)
    members = [(name, _to_arrow(part) or _same) for name, part in zip(of.names, of.parts, strict=True)]
    return partial(_convert_members, members=members)


def _convert_items(values: list[Any], convert: Convert) -> list[Any]:
    return [None if value is None else convert(value) for value in values]


def _convert_entries(entries: dict[Any, Any], key: Convert, item: Convert) -> list[tuple[Any, Any]]:
    return [(key(name), None if value is None else item(value)) for name, value in entries.items()]


def _convert_members(row: dict[str, Any], members: list[tuple[str, Convert]]) -> dict[str, Any]:
    return {name: None if row[name] is None else convert(row[name]) for name, convert in members}


def _same(value: Any) -> Any:
    return value


def _nanoseconds(text: str) -> int:
    """Returns the nanoseconds since 1970 of a timestamp."""
    seconds, _, fraction = text.partition(".")
    try:
        elapsed = datetime.datetime.fromisoformat(seconds) - EPOCH
    except ValueError:
        raise PrecisionError(f"Nanoseconds of Arrow cannot hold {text}. Cast the column to VARCHAR.") from None
    whole = (elapsed.days * 86_400 + elapsed.seconds) * 1_000_000_000
    return whole + int(fraction.ljust(NANOSECOND_DIGITS, "0"))


def _zoned_time_text(value: datetime.time, digits: int) -> str:
    """Returns the text of a time with its offset, as the host writes it."""
    fraction = f".{value.microsecond:06d}"[: digits + 1] if digits else ""
    return f"{value.replace(tzinfo=None):%H:%M:%S}{fraction}{value.isoformat()[-6:]}"


def _interval_text(value: datetime.timedelta) -> str:
    """Returns ISO 8601, as the host writes it."""
    total = value // datetime.timedelta(microseconds=1)
    sign = "-" if total < 0 else ""
    seconds, micros = divmod(abs(total), 1_000_000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    fraction = f".{micros:06d}".rstrip("0").rstrip(".")
    date = f"{sign}{days}D" if days else ""
    parts = [(f"{hours}", "H"), (f"{minutes}", "M"), (f"{seconds}{fraction}", "S")]
    time = "".join(f"{sign}{number}{unit}" for number, unit in parts if number != "0")
    return f"P{date}{'T' + time if time else ''}" if date or time else "PT0S"


ATTRIBUTE = "sluice"
"""Key of the facts of a result in `DataFrame.attrs`."""


def to_pandas(table: Any, dtype_backend: str, summary: Mapping[str, Any]) -> Any:
    """Returns a dataframe of pandas.

    Args:
        table: table of pyarrow
        dtype_backend: `pyarrow`, or `numpy_nullable` for the nullable types of pandas itself
        summary: facts of the result, which a dataframe carries in its `attrs`

    Raises:
        UsageError: if there is no such backend, or pandas is not installed
    """
    if dtype_backend not in ("pyarrow", "numpy_nullable"):
        raise UsageError("dtype_backend must be pyarrow or numpy_nullable.")
    try:
        pandas: Any = importlib.import_module("pandas")
    except ImportError as cause:
        raise UsageError("to_pandas() needs pandas. Run `pip install 'sluice-client[pandas]'`.") from cause
    mapper = pandas.ArrowDtype if dtype_backend == "pyarrow" else _nullable_types(pandas).get
    frame = table.to_pandas(types_mapper=mapper, ignore_metadata=True)
    frame.attrs[ATTRIBUTE] = dict(summary)
    return frame


def _nullable_types(pandas: Any) -> dict[Any, Any]:
    arrow = import_arrow()
    return {
        arrow.bool_(): pandas.BooleanDtype(),
        arrow.int8(): pandas.Int8Dtype(),
        arrow.int16(): pandas.Int16Dtype(),
        arrow.int32(): pandas.Int32Dtype(),
        arrow.int64(): pandas.Int64Dtype(),
        arrow.uint8(): pandas.UInt8Dtype(),
        arrow.uint16(): pandas.UInt16Dtype(),
        arrow.uint32(): pandas.UInt32Dtype(),
        arrow.uint64(): pandas.UInt64Dtype(),
        arrow.float32(): _NullableFloats(pandas),
        arrow.float64(): _NullableFloats(pandas),
        arrow.string(): pandas.StringDtype("pyarrow"),
    }


class _NullableFloats:
    """Makes the nullable floats of pandas of a column. The types of pandas 3 would make NULL of NaN."""

    def __init__(self, pandas: Any) -> None:
        self._pandas = pandas

    def __from_arrow__(self, column: Any) -> Any:
        """Returns an array with a mask of its NULLs. pyarrow calls it, as it calls that of a type."""
        numpy: Any = importlib.import_module("numpy")
        mask = numpy.array(column.is_null().to_numpy(), dtype=bool)
        return self._pandas.arrays.FloatingArray(numpy.array(column.fill_null(0).to_numpy()), mask)


def to_polars(table: Any) -> Any:
    """Returns a dataframe of polars.

    Raises:
        PrecisionError: if a number has more than 38 digits
    """
    try:
        polars: Any = importlib.import_module("polars")
    except ImportError as cause:
        raise UsageError("to_polars() needs polars. Run `pip install 'sluice-client[polars]'`.") from cause
    arrow = import_arrow()
    for index, field in enumerate(table.schema):
        target = _polars_type(arrow, field.type)
        if target == field.type:
            continue
        try:
            changed = table.column(index).cast(target)
        except arrow.ArrowInvalid as cause:
            raise PrecisionError(
                f"The column {field.name} has a number of more than 38 digits, which polars cannot hold. "
                "Cast the column to VARCHAR in the statement, or use to_arrow()."
            ) from cause
        table = table.set_column(index, arrow.field(field.name, target), changed)
    return polars.from_arrow(table)


def _polars_type(arrow: Any, of: Any) -> Any:
    """Returns a type with decimals of 38 digits for those of 76, also inside of lists, maps and structs."""
    types = arrow.types
    if types.is_decimal256(of):
        return arrow.decimal128(POLARS_DIGITS, of.scale)
    if types.is_map(of):
        return arrow.map_(_polars_type(arrow, of.key_type), _polars_type(arrow, of.item_type))
    if types.is_struct(of):
        members = [of.field(index) for index in range(of.num_fields)]
        return arrow.struct([each.with_type(_polars_type(arrow, each.type)) for each in members])
    if types.is_list(of):
        return arrow.list_(of.value_field.with_type(_polars_type(arrow, of.value_type)))
    return of
