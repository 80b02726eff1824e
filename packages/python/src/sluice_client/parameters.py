"""Python values as parameters of a statement, in the form that a request takes (docs/parameters.md)."""

from __future__ import annotations

import datetime
import math
import uuid
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, cast

from .errors import UsageError

DECIMAL_DIGITS_MAX = 38
MICROSECOND_DIGITS = 6
NAN = {"type": "double", "value": "NaN"}
NUMPY_TIMES = ("datetime64", "timedelta64")


def encode_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Returns parameters as JSON can express them, without rounding any.

    Raises:
        UsageError: naming the first value that has no type in SQL
    """
    return {name: _encode(name, value) for name, value in parameters.items()}


def _encode(name: str, value: Any) -> Any:
    value = _plain(value)
    if value is None or isinstance(value, (bool, str, int)):
        return value
    if isinstance(value, (list, tuple)):
        return _encode_list(name, list(cast("list[Any]", value)))
    if isinstance(value, Mapping):
        return _check_typed(name, cast("Mapping[str, Any]", value))
    kind, text = _typed(name, value)
    return {"type": kind, "value": text}


def _plain(value: Any) -> Any:
    """Replaces a scalar of numpy or pandas by the Python value."""
    module = type(value).__module__
    # Of nanoseconds, `item()` returns an integer.
    if module.startswith("numpy") and hasattr(value, "item") and type(value).__name__ not in (*NUMPY_TIMES, "ndarray"):
        return value.item()
    return None if module.startswith("pandas") and type(value).__name__ in ("NAType", "NaTType") else value


def _check_typed(name: str, value: Mapping[str, Any]) -> Mapping[str, Any]:
    if set(value) != {"type", "value"}:
        raise UsageError(
            f"The parameter {name} is a mapping without exactly the keys type and value. "
            'Write {"type": "date", "value": "2026-03-29"}.'
        )
    return value


def _typed(name: str, value: Any) -> tuple[str, str]:
    """Returns the type and the text of a value that JSON cannot express."""
    if isinstance(value, float):
        return "double", _double_text(value)
    if isinstance(value, Decimal):
        return _typed_decimal(name, value)
    if isinstance(value, datetime.datetime):
        return _typed_timestamp(name, value)
    if isinstance(value, datetime.date):
        return "date", value.isoformat()
    if isinstance(value, datetime.time) and value.tzinfo is None:
        return "time", value.isoformat()
    if isinstance(value, uuid.UUID):
        return "uuid", str(value)
    kind = type(value).__name__
    article = "an" if kind[:1] in "aeiouAEIOU" else "a"
    raise UsageError(f"The parameter {name} is {article} {kind}, which has no type in SQL. {_conversion(name, value)}")


def _conversion(name: str, value: Any) -> str:
    """Returns the sentence that says what to pass instead of a value without a type in SQL."""
    kind = type(value).__name__
    is_item = name.endswith("]")  # SQL has no name for the item of a list
    advice = 'Convert it, or name its type: {"type": "varchar", "value": "..."}.'
    if isinstance(value, (set, frozenset)):
        advice = f"It has no order: pass sorted({name})."
    elif kind == "datetime64":
        advice = f"Pass pandas.Timestamp({name}), or a datetime."
    elif kind == "timedelta64" or isinstance(value, datetime.timedelta):
        advice = "Pass its seconds as a number" + ("." if is_item else f", and write ${name} * INTERVAL '1' SECOND.")
    elif isinstance(value, (bytes, bytearray, memoryview)):
        advice = f"Pass {name}.hex().upper(), and compare it with hex(column) on DuckDB or to_hex(column) on Trino."
        if not is_item:
            advice = f"Pass {name}.hex(), and write unhex(${name}) on DuckDB or from_hex(${name}) on Trino."
    elif kind == "DataFrame":
        advice = f'Pass one column as a list: {name}["..."].to_list().'
    elif str(getattr(value, "dtype", "")).startswith("datetime64") and kind == "ndarray":
        advice = f"Pass a list of timestamps: pandas.Series({name}).tolist()."
    elif hasattr(value, "tolist"):
        advice = f"Pass a list: {name}.tolist()."
    elif hasattr(value, "to_list"):
        advice = f"Pass a list: {name}.to_list()."
    elif isinstance(value, Iterable):
        advice = f"Pass a list: list({name})."
    return advice


def _double_text(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return ("Infinity" if value > 0 else "-Infinity") if math.isinf(value) else repr(value)


def _typed_decimal(name: str, value: Decimal) -> tuple[str, str]:
    digits, exponent = value.as_tuple().digits, value.as_tuple().exponent
    if not isinstance(exponent, int):
        raise UsageError(f"The parameter {name} is the Decimal {value}, which SQL has no decimal for. Use a float.")
    scale = max(0, -exponent)
    precision = max(len(digits) + max(0, exponent), scale, 1)
    if precision > DECIMAL_DIGITS_MAX:
        raise UsageError(f"The parameter {name} has {precision} digits, and a decimal has at most 38.")
    return f"decimal({precision},{scale})", format(value, "f")


def _typed_timestamp(name: str, value: datetime.datetime) -> tuple[str, str]:
    nanoseconds = int(getattr(value, "nanosecond", 0))
    if value.tzinfo is not None:
        if nanoseconds:
            raise UsageError(
                f"The parameter {name} has nanoseconds and a time zone, which SQL has no type for. Round it to "
                "microseconds, or remove the zone."
            )
        utc = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return "timestamp(6) with time zone", f"{_timestamp_text(utc)} UTC"
    text = _timestamp_text(value)
    return ("timestamp(9)", f"{text}{nanoseconds:03d}") if nanoseconds else ("timestamp(6)", text)


def _timestamp_text(value: datetime.datetime) -> str:
    date = f"{value.year:04d}-{value.month:02d}-{value.day:02d}"
    return f"{date} {value.hour:02d}:{value.minute:02d}:{value.second:02d}.{value.microsecond:06d}"


def _encode_list(name: str, values: list[Any]) -> Any:
    items: list[Any] = [_encode(f"{name}[{index}]", value) for index, value in enumerate(values)]
    for index, item in enumerate(items):
        if isinstance(item, list) or (isinstance(item, dict) and str(cast("dict[str, Any]", item)["type"]).startswith("array")):
            raise UsageError(f"The parameter {name}[{index}] is a list in a list, which SQL has no type for.")
    typed = [cast("dict[str, Any]", item) for item in items if isinstance(item, dict)]
    if not typed:
        return items
    return _typed_list(name, items, typed)


def _typed_list(name: str, items: list[Any], typed: list[dict[str, Any]]) -> Any:
    """Returns a list whose items have one type. Integers may be among decimals."""
    kinds = {str(item["type"]) for item in typed}
    decimals = all(kind.startswith("decimal(") for kind in kinds)
    floats = [item for item in typed if item["type"] == "double"]
    if floats and all(item == NAN for item in floats) and any(item is not None and item != NAN for item in items):
        raise UsageError(
            f"The parameter {name}[{items.index(NAN)}] is NaN among values that are not floats. Where it is the missing value of "
            f"pandas, pass the list without it: {name}.dropna().tolist()."
        )
    texts: list[str | None] = []
    for index, item in enumerate(items):
        if item is None:
            texts.append(None)
        elif isinstance(item, dict):
            texts.append(cast("str", item["value"]))
        elif decimals and isinstance(item, int) and not isinstance(item, bool):
            kinds.add(f"decimal({len(str(abs(item)))},0)")
            texts.append(str(item))
        else:
            other = items.index(typed[0])
            raise UsageError(f"The parameter {name}[{index}] has another type than {name}[{other}]. Convert them to one.")
    if len(kinds) > 1 and decimals:
        pairs = [tuple(map(int, kind[len("decimal(") : -1].split(","))) for kind in kinds]
        scale = max(pair[1] for pair in pairs)
        precision = max(pair[0] - pair[1] for pair in pairs) + scale
        if precision > DECIMAL_DIGITS_MAX:
            raise UsageError(f"The items of {name} need {precision} digits together, and a decimal has at most 38.")
        kinds = {f"decimal({precision},{scale})"}
    if {"timestamp(6)", "timestamp(9)"} == kinds:
        kinds = {"timestamp(9)"}
    if len(kinds) > 1:
        raise UsageError(f"The items of {name} have different types: {', '.join(sorted(kinds))}. Convert them to one.")
    return {"type": f"array({kinds.pop()})", "value": texts}
