"""Statements with their parameters and options, as requests take them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import UsageError
from .keywords import require_parameters
from .parameters import encode_parameters
from .sources import Datamap, Item, dataframe_advice

DURATION = re.compile(r"[1-9]\d{0,4}[smhd]")


def require_names(catalog: object, schema: object) -> None:
    """Accepts names, and None for the default of the engine.

    Raises:
        UsageError: naming the one that is not
    """
    for name, value in {"catalog": catalog, "schema": schema}.items():
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise UsageError(f"{name} must be the name of a {name}. Pass a parameter ${name} in a mapping of parameters.")


@dataclass(frozen=True)
class Statement:
    """A statement with its parameters and options, as requests take them."""

    sql: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    limit: int | None = None
    keep: str | None = None
    time_zone: str | None = None
    catalog: str | None = None
    schema: str | None = None

    @classmethod
    def check(
        cls,
        sql: object,
        parameters: Mapping[str, Any] | None,
        named: Mapping[str, Any],
        *,
        limit: int | None = None,
        keep: str | None = None,
        time_zone: str | None = None,
        catalog: str | None = None,
        schema: str | None = None,
    ) -> Statement:
        """Returns a statement whose values can be sent.

        Raises:
            UsageError: naming what cannot
        """
        if isinstance(sql, (Item, Datamap)):
            raise UsageError(f"query() takes a statement. For a dataframe, call {dataframe_advice(sql)}.")
        if not isinstance(sql, str) or not sql.strip():
            raise UsageError("The statement must be a string that is not blank.")
        if parameters is not None and not isinstance(parameters, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError('Pass parameters by name: query("SELECT $a", a=1), or in a mapping.')
        require_parameters(sql, named)
        both = sorted(set(parameters or {}) & set(named))
        if both:
            raise UsageError(f"The parameter {both[0]} is given twice. Pass it once.")
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError("limit must be a whole number of rows, at least 1.")
        if keep is not None and (not isinstance(keep, str) or not DURATION.fullmatch(keep)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError("keep must be a duration such as 30m, 24h or 7d.")
        require_names(catalog, schema)
        values = encode_parameters({**(parameters or {}), **named})
        return cls(sql, values, limit, keep, time_zone, catalog, schema)

    def body(self, **more: Any) -> dict[str, Any]:
        """Returns the body of a request."""
        options = {"keep": self.keep, "time_zone": self.time_zone, "catalog": self.catalog, "schema": self.schema}
        fields = {**options, "parameters": dict(self.parameters) or None, **more}
        return {"sql": self.sql, **{name: value for name, value in fields.items() if value is not None}}
