"""Exceptions. The classes of PEP 249 are their bases, so programs for any database handle them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class Warning(Exception):  # noqa: A001, N818 (the name is that of PEP 249)
    """Important warning (PEP 249). The package does not raise it."""


class Error(Exception):
    """Base of all errors (PEP 249)."""


class InterfaceError(Error):
    """The package was used in a wrong way (PEP 249)."""


class DatabaseError(Error):
    """A host or the engine reported an error (PEP 249)."""


class DataError(DatabaseError):
    """A value cannot be processed or represented (PEP 249)."""


class OperationalError(DatabaseError):
    """The connection, a host or a limit ended the work (PEP 249)."""


class IntegrityError(DatabaseError):
    """Violation of a constraint (PEP 249). Sluice only reads, so it is not raised."""


class InternalError(DatabaseError):
    """A host or the engine has an internal error (PEP 249)."""


class ProgrammingError(DatabaseError):
    """The statement or its parameters are wrong (PEP 249)."""


class NotSupportedError(DatabaseError):
    """The engine or the package does not support this (PEP 249)."""


@dataclass(frozen=True)
class Location:
    """Position in a statement. Both numbers count from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Detail:
    """One fault of a request. `path` begins with `path`, `query`, `body` or `header`."""

    path: str
    message: str

    def is_in(self, text: str) -> bool:
        """Returns whether a text has the fault and its place."""
        last = re.escape(self.path.rpartition(".")[2])
        return self.message.rstrip(".") in text and re.search(rf"(?<!\w){last}(?!\w)", text) is not None


class SluiceError(Error):
    """Base of all errors of the package.

    `code` is a code of docs/errors.md, or one of the package's own: `connection_failed`, `timeout`, `incomplete_result`,
    `unexpected_response`, `target_failed`, `not_logged_in`, `precision`, `usage`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        query_id: str | None = None,
        location: Location | None = None,
        details: Sequence[Detail] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.query_id = query_id
        self.location = location
        self.details: tuple[Detail, ...] = tuple(details)
        self.retry_after = retry_after
        self.body: dict[str, Any] | None = None
        """Body of the error response, if it was a JSON object."""
        self.has_described_details = False
        """Whether the message has all details in other words."""
        self.sql: str | None = None
        """The statement, if the error is about one."""

    def __str__(self) -> str:
        """Returns the message with each detail that it lacks, the code, the id of the query or request, and the place."""
        missing = [] if self.has_described_details else [each for each in self.details if not each.is_in(self.message)]
        details = "".join(f" {each.path}: {each.message.rstrip('.')}." for each in missing)
        ids = f", query {self.query_id}" if self.query_id else f", request {self.request_id}" if self.request_id else ""
        excerpt = self.excerpt()
        place = "" if excerpt is None else f"\n\n{excerpt}"
        return f"{self.message}{details} ({self.code}{ids}){place}"

    def excerpt(self) -> str | None:
        """Returns the line of the statement that the error is about, with a caret below the place; None without one.

        The line has its number if the statement has several lines.
        """
        if self.sql is None or self.location is None:
            return None
        lines = self.sql.split("\n")
        if not 1 <= self.location.line <= len(lines):
            return None
        label = "" if len(lines) == 1 else f"LINE {self.location.line}: "
        line = lines[self.location.line - 1]
        before = label + line[: self.location.column - 1]
        indent = "".join(character if character == "\t" else " " for character in before)
        return f"{label}{line}\n{indent}^"


class UsageError(SluiceError, InterfaceError):
    """The package was called in a wrong way."""

    def __init__(self, message: str) -> None:
        super().__init__("usage", message)


class UnknownOption(UsageError, TypeError):  # noqa: N818
    """A function has no option of this name. It is a TypeError, as it is for any function of Python."""


class NotLoggedIn(SluiceError, OperationalError):  # noqa: N818
    """There is no login, or it has ended."""

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__("not_logged_in", message, **fields)


class ConnectionFailed(SluiceError, OperationalError):  # noqa: N818
    """No response arrived: the host was not reached, or the connection ended before the headers."""


class ResponseError(SluiceError, DatabaseError):
    """A host returned an error status."""


class RequestRejected(ResponseError, ProgrammingError):  # noqa: N818
    """A host rejected a request as invalid, such as a statement with a missing parameter."""


class NotSupported(ResponseError, NotSupportedError):  # noqa: N818
    """The host or the engine does not support this."""


class QueryFailed(SluiceError, ProgrammingError):  # noqa: N818
    """The engine rejected the statement, or it failed later. Rows before the failure are not the whole result."""


class QueryEnded(SluiceError, OperationalError):  # noqa: N818
    """A limit, a cancellation or an outage ended the query. Rows before it are not the whole result."""


class IncompleteResult(SluiceError, OperationalError):  # noqa: N818
    """A result ended without the proof that it is complete. What arrived must not be taken for the whole.

    `reason` is `cut` (the stream ended early), `stalled` (no byte within the idle time-out), `malformed` (invalid or
    unordered events), `row_count` or `hash` (other rows or bytes than the receipt has), `state` (the receipt is not
    FINISHED) or `receipt` (it could not be read, or is that of another query).
    """

    def __init__(self, reason: str, message: str, **fields: Any) -> None:
        super().__init__("incomplete_result", message, **fields)
        self.reason = reason


class PrecisionError(SluiceError, DataError):
    """A value that the target type cannot hold exactly."""

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__("precision", message, **fields)


class TargetFailed(SluiceError, OperationalError):  # noqa: N818
    """A file could not be written, or a dataframe does not fit into memory."""

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__("target_failed", message, **fields)


STATEMENT_CODES = frozenset(
    {
        "syntax_error",
        "read_only",
        "table_not_found",
        "column_not_found",
        "function_not_found",
        "semantic_error",
        "type_error",
        "data_error",
        "permission_denied",
    }
)
"""Codes of failures that the statement or its data cause."""

ENDED_CODES = frozenset(
    {
        "query_cancelled",
        "reader_too_slow",
        "time_limit",
        "resource_limit",
        "engine_unavailable",
        "engine_crashed",
        "storage_unavailable",
        "receipt_unavailable",
        "host_suspended",
    }
)
"""Codes of failures that a limit, a person or an outage causes."""


def failure_of(code: str, message: str, **fields: Any) -> SluiceError:
    """Returns the error for a code of a failed query, as events and receipts spell it."""
    code = code.lower()
    if code == "data_error" and "which Parquet cannot store" in message:
        return PrecisionError(message, **fields)
    if code in STATEMENT_CODES:
        return QueryFailed(code, message, **fields)
    if code == "not_supported":
        return NotSupported(code, message, **fields)
    return QueryEnded(code, message, **fields)


def response_error(code: str, message: str, status: int, **fields: Any) -> SluiceError:
    """Returns the error for an error response."""
    code = code.lower()
    if code in STATEMENT_CODES | ENDED_CODES or code == "not_supported":
        return failure_of(code, message, status=status, **fields)
    if status in (400, 413, 422):
        return RequestRejected(code, message, status=status, **fields)
    return ResponseError(code, message, status=status, **fields)


def details_of(value: object) -> list[Detail]:
    """Reads `details` of an error body."""
    if not isinstance(value, list):
        return []
    return [
        Detail(str(item.get("path", "")), str(item.get("message", "")))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        for item in value  # pyright: ignore[reportUnknownVariableType]
        if isinstance(item, dict)
    ]


def location_of(value: object) -> Location | None:
    """Reads `location` of an error body or event."""
    if not isinstance(value, Mapping):
        return None
    line, column = value.get("line"), value.get("column")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return Location(line, column) if isinstance(line, int) and isinstance(column, int) else None
