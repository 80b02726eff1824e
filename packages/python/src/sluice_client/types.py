"""Column types, and the Python value of each value of a result. Nothing here rounds."""

from __future__ import annotations

import base64
import datetime
import json
import re
import uuid
import zoneinfo
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any, NamedTuple

from .errors import PrecisionError

TYPE_DEPTH_MAX = 100
MICROSECOND_DIGITS = 6


class Column(NamedTuple):
    """Name of a column, which is unique within a result, and its type as the host names it, such as `decimal(38,2)`."""

    name: str
    type: str


@dataclass(frozen=True)
class ColumnType:
    """Parsed type: a scalar with its arguments, or `array`, `map` or `row` with the types of its parts."""

    kind: str
    arguments: tuple[int, ...] = ()
    parts: tuple[ColumnType, ...] = ()
    names: tuple[str, ...] = field(default=())
    zoned: bool = False

    @property
    def digits(self) -> int:
        """Digits of a fraction of a second."""
        return self.arguments[0] if self.arguments else 3


_SCALAR = re.compile(r"([a-z][a-z ]*?)(?:\((\d+)(?:, ?(\d+))?\))?( with time zone)?")
_FIELD = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^\s"]+))\s+')


@lru_cache(maxsize=1024)
def parse_type(name: str, depth: int = 0) -> ColumnType:
    """Parses the name of a type. A form that is not known is a scalar whose values stay text."""
    for kind in ("array", "map", "row"):
        if depth < TYPE_DEPTH_MAX and name.startswith(f"{kind}(") and name.endswith(")"):
            parsed = _parse_nested(kind, _split(name[len(kind) + 1 : -1]), depth + 1)
            return parsed or ColumnType(name)
    found = _SCALAR.fullmatch(name.lower())
    if found is None:
        return ColumnType(name)
    kind, first, second, zone = found.groups()
    arguments = tuple(int(text) for text in (first, second) if text is not None)
    return ColumnType(kind, arguments, zoned=zone is not None)


def _parse_nested(kind: str, parts: Sequence[str], depth: int) -> ColumnType | None:
    if kind != "row":
        if len(parts) != (1 if kind == "array" else 2):
            return None
        return ColumnType(kind, parts=tuple(parse_type(part.strip(), depth) for part in parts))
    names: list[str] = []
    types: list[ColumnType] = []
    for part in parts:
        found = _FIELD.match(part)
        if found is None:
            return None
        quoted, plain = found.groups()
        names.append(plain if quoted is None else quoted.replace('""', '"'))
        types.append(parse_type(part[found.end() :], depth))
    return ColumnType(kind, parts=tuple(types), names=tuple(names))


def _split(text: str) -> list[str]:
    """Splits at commas outside of parentheses and double quotes."""
    parts: list[str] = []
    depth, start, quoted = 0, 0, False
    for index, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        if quoted:
            continue
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]]


Convert = Callable[[Any], Any]
"""Converts one value that is not NULL."""


def _cannot_hold(text: object, target: str) -> PrecisionError:
    return PrecisionError(f"{target} of Python cannot hold {text}. Cast the column to VARCHAR in the statement.")


def _to_date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise _cannot_hold(text, "datetime.date") from None


def _to_time(text: str) -> datetime.time:
    try:
        if text.startswith("24"):  # newer versions of Python read it as midnight
            raise ValueError(text)
        local, zone = _split_offset(text)
        time = datetime.time.fromisoformat(_six_digits(local))
        return time.replace(tzinfo=_zone(zone)) if zone else time
    except ValueError:
        raise _cannot_hold(text, "datetime.time") from None


def _split_offset(text: str) -> tuple[str, str]:
    for sign in "+-":
        at = text.rfind(sign)
        if at > 0:
            return text[:at], text[at:]
    return text, ""


def _six_digits(text: str) -> str:
    """Pads the fraction of a second, because Python 3.10 reads three or six digits only."""
    at = text.rfind(".")
    return text if at < 0 else text.ljust(at + 1 + MICROSECOND_DIGITS, "0")


def _to_timestamp(text: str) -> datetime.datetime:
    try:
        return datetime.datetime.fromisoformat(_six_digits(text))
    except ValueError:
        raise _cannot_hold(text, "datetime.datetime") from None


_OFFSET = re.compile(r"([+-])(\d\d):(\d\d)(?::(\d\d))?")


@lru_cache(maxsize=1024)
def _zone(name: str) -> datetime.tzinfo:
    if name in ("UTC", "Z"):
        return datetime.timezone.utc
    found = _OFFSET.fullmatch(name)
    if found is None:
        return zoneinfo.ZoneInfo(name)
    sign, hours, minutes, seconds = found.groups()
    offset = datetime.timedelta(hours=int(hours), minutes=int(minutes), seconds=int(seconds or 0))
    return datetime.timezone(-offset if sign == "-" else offset)


def _to_instant(text: str) -> datetime.datetime:
    local, _, name = text.rpartition(" ")
    naive = _to_timestamp(local)
    try:
        zone = _zone(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        raise PrecisionError(
            f"The time zone {name} is not known here. Install the package tzdata, or select x AT TIME ZONE 'UTC'."
        ) from None
    instant = naive.replace(tzinfo=zone)
    if isinstance(zone, zoneinfo.ZoneInfo) and instant.utcoffset() != instant.replace(fold=1).utcoffset():
        raise PrecisionError(
            f"{text} is in the hour that is repeated when summer time ends, so it names two instants. "
            "Select x AT TIME ZONE 'UTC'."
        )
    return instant


_DAY_TO_SECOND = re.compile(r"P(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d{1,6}))?S)?)?")


def _to_timedelta(text: str) -> datetime.timedelta:
    found = _DAY_TO_SECOND.fullmatch(text)
    if found is None:
        raise _cannot_hold(text, "datetime.timedelta")
    days, hours, minutes, sign, seconds, fraction = found.groups()
    direction = -1 if sign == "-" else 1
    try:
        return datetime.timedelta(
            days=int(days or 0),
            hours=int(hours or 0),
            minutes=int(minutes or 0),
            seconds=direction * int(seconds or 0),
            microseconds=direction * int((fraction or "").ljust(MICROSECOND_DIGITS, "0")),
        )
    except OverflowError:
        raise _cannot_hold(text, "datetime.timedelta") from None


def _to_boolean(value: object) -> bool:
    return value if isinstance(value, bool) else value == "true"


_SCALARS: dict[str, Convert] = {
    "date": _to_date,
    "varbinary": base64.b64decode,
    "uuid": uuid.UUID,
    "interval day to second": _to_timedelta,
    "number": Decimal,
    "decimal": Decimal,
    "real": float,
    "double": float,
}

_FROM_KEY: dict[str, Convert] = {
    **_SCALARS,
    "boolean": _to_boolean,
    "tinyint": int,
    "smallint": int,
    "integer": int,
    "bigint": int,
}


def _scalar(of: ColumnType, converters: dict[str, Convert]) -> Convert | None:
    if of.kind == "timestamp" and of.digits <= MICROSECOND_DIGITS:
        return _to_instant if of.zoned else _to_timestamp
    if of.kind == "time" and of.digits <= MICROSECOND_DIGITS:
        return _to_time
    return converters.get(of.kind)


def converter(of: ColumnType) -> Convert | None:
    """Returns the function that converts a value of JSON to Python; None if it stays as it is."""
    if of.kind == "array" and of.parts:
        return _array(converter(of.parts[0]))
    if of.kind == "map" and of.parts:
        return _map(key_converter(of.parts[0]), converter(of.parts[1]))
    if of.kind == "row" and of.parts:
        return _row([(name, converter(part)) for name, part in zip(of.names, of.parts, strict=True)])
    return _scalar(of, _SCALARS)


def key_converter(of: ColumnType) -> Convert | None:
    """Returns the function that converts the key of a map, which is text in JSON. Keys with parts stay text."""
    return None if of.parts else _scalar(of, _FROM_KEY)


def _array(element: Convert | None) -> Convert | None:
    if element is None:
        return None
    return lambda values: [None if value is None else element(value) for value in values]


def _map(key: Convert | None, value: Convert | None) -> Convert | None:
    if key is None and value is None:
        return None

    def convert(entries: dict[str, Any]) -> dict[Any, Any]:
        return {
            (name if key is None else key(name)): item if value is None or item is None else value(item)
            for name, item in entries.items()
        }

    return convert


def _row(fields: list[tuple[str, Convert | None]]) -> Convert | None:
    changed = [(name, convert) for name, convert in fields if convert is not None]
    if not changed:
        return None

    def convert_row(row: dict[str, Any]) -> dict[str, Any]:
        for name, convert in changed:
            if row[name] is not None:
                row[name] = convert(row[name])
        return row

    return convert_row


def _kinds(of: ColumnType) -> set[str]:
    """Returns how numbers of a type are written: as whole numbers, decimals or doubles."""
    if of.parts:
        return {kind for part in of.parts for kind in _kinds(part)}
    if of.kind in ("real", "double"):
        return {"double"}
    return {of.kind} if of.kind in ("decimal", "number") else set()


def _identity(text: str) -> str:
    return text


class RowReader:
    """Makes tuples of the rows of one result."""

    def __init__(self, columns: Sequence[Column]) -> None:
        types = [parse_type(column.type) for column in columns]
        kinds = {kind for of in types for kind in _kinds(of)}
        hooks: dict[str, Any] = {}
        if "double" in kinds and ("decimal" in kinds or "number" in kinds):
            hooks["parse_float"] = _identity  # the type of the column decides
        elif "decimal" in kinds or "number" in kinds:
            hooks["parse_float"] = Decimal
        if "number" in kinds:
            hooks["parse_int"] = _identity  # int() of Python limits the digits
        self._decode = json.JSONDecoder(**hooks).decode
        texts = "parse_int" in hooks
        found = [(index, _for_column(of, hooks, texts)) for index, of in enumerate(types)]
        self._converters = [(index, convert) for index, convert in found if convert is not None]
        names = [column.name for column in columns]
        self._single = names[0] if len(names) == 1 else None
        self._take = itemgetter(*names)

    def decode(self, text: str) -> Any:
        """Parses JSON in which the numbers keep every digit."""
        return self._decode(text)

    def tuples(self, rows: Sequence[dict[str, Any]]) -> list[tuple[Any, ...]]:
        """Returns the rows as tuples in the order of the columns.

        Raises:
            KeyError, TypeError, ValueError: if a row does not have these columns
            PrecisionError: if a type of Python cannot hold a value
        """
        if self._single is not None:
            values = [row[self._single] for row in rows]
            for _, convert in self._converters:
                values = convert(values)
            return [(value,) for value in values]
        if not self._converters:
            return list(map(self._take, rows))
        columns: list[Sequence[Any]] = list(zip(*map(self._take, rows), strict=True))
        for index, convert in self._converters if columns else ():
            columns[index] = convert(columns[index])
        return list(zip(*columns, strict=True))


ConvertColumn = Callable[[Sequence[Any]], list[Any]]


def _for_column(of: ColumnType, hooks: dict[str, Any], texts: bool) -> ConvertColumn | None:
    """Returns the function that converts the values of a column; None if they stay as they are."""
    if of.kind in ("real", "double") and "parse_float" not in hooks:
        # Only NaN and the infinities are text.
        return _float_texts
    if of.kind == "decimal" and hooks.get("parse_float") is Decimal and of.arguments[1:] > (0,) and not texts:
        return None
    convert = _integers(of) if texts else converter(of)
    return None if convert is None else partial(_convert_each, convert)


def _float_texts(values: Sequence[Any]) -> list[Any]:
    return [float(value) if value.__class__ is str else value for value in values]


def _convert_each(convert: Convert, values: Sequence[Any]) -> list[Any]:
    return [None if value is None else convert(value) for value in values]


def _integers(of: ColumnType) -> Convert | None:
    """Returns a converter for JSON whose whole numbers are text."""
    if of.kind in ("tinyint", "smallint", "integer", "bigint"):
        return int
    if of.kind == "array" and of.parts:
        return _array(_integers(of.parts[0]))
    if of.kind == "map" and of.parts:
        return _map(key_converter(of.parts[0]), _integers(of.parts[1]))
    if of.kind == "row" and of.parts:
        return _row([(name, _integers(part)) for name, part in zip(of.names, of.parts, strict=True)])
    return converter(of)
