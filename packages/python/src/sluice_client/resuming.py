"""Continues results whose connection was cut: which failures allow it, how often, and after which wait."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .effects import Program, Sleep
from .errors import ConnectionFailed, IncompleteResult, SluiceError, UsageError
from .requests import retry_delay

RESUME_ATTEMPTS = 3
TOO_MANY_REQUESTS, SERVER_ERROR = 429, 500


@dataclass(frozen=True)
class Resumption:
    """One attempt to continue a result after its connection was cut."""

    attempt: int
    """Number of the attempt, from 1."""
    received: int
    """Rows of a result, or bytes of a file, that have arrived."""
    error: SluiceError
    """Failure of the connection, or of the attempt before."""


OnResume = Callable[[Resumption], None]


@dataclass(frozen=True)
class ResumeOptions:
    """Number of attempts to continue a kept result, and a function that is called before each of them."""

    attempts: int = RESUME_ATTEMPTS
    on_resume: OnResume | None = None

    @classmethod
    def check(cls, attempts: object, on_resume: OnResume | None) -> ResumeOptions:
        """Returns options that are valid.

        Raises:
            UsageError: if the number is not one
        """
        if isinstance(attempts, bool) or not isinstance(attempts, int) or attempts < 0:
            raise UsageError("resume_attempts must be a whole number, at least 0.")
        return cls(attempts, on_resume)


def may_resume(error: SluiceError) -> bool:
    """Returns whether another request may succeed: the connection or a host failed, not the request."""
    if isinstance(error, IncompleteResult):
        return error.reason in ("cut", "stalled")
    if isinstance(error, ConnectionFailed):
        return True
    return error.status is not None and (error.status == TOO_MANY_REQUESTS or error.status >= SERVER_ERROR)


class Resumer:
    """Counts the attempts to continue one result, and waits before each of them."""

    def __init__(self, options: ResumeOptions, delay_max: float) -> None:
        self._options = options
        self._delay_max = delay_max
        self._attempt = 0

    def next(self, error: SluiceError, received: int) -> Program[bool]:
        """Waits for the time of the next attempt. Returns False if there is none.

        Args:
            error: failure of the connection, or of the attempt before
            received: rows or bytes that have arrived
        """
        delay = retry_delay(error, self._attempt + 1)
        if not may_resume(error) or self._attempt >= self._options.attempts or delay > self._delay_max:
            return False
        self._attempt += 1
        yield Sleep(delay)
        if self._options.on_resume is not None:
            self._options.on_resume(Resumption(self._attempt, received, error))
        return True

    def explain(self, failure: SluiceError, last: SluiceError, advice: str) -> SluiceError:
        """Returns the error of a result that could not be continued: that of its cut, with why the last attempt failed.

        Args:
            failure: the cut
            last: failure of the last attempt
            advice: sentence that says what to do
        """
        is_cut = isinstance(failure, IncompleteResult) and may_resume(failure)
        if not is_cut or (self._attempt == 0 and last is failure):
            return failure
        reason = "" if last is failure else f" ({last.message.rstrip('.')})"
        attempts = "1 attempt" if self._attempt == 1 else f"{self._attempt} attempts"
        message = f"The connection was cut, and the result could not be continued in {attempts}{reason}. {advice}"
        explained = IncompleteResult(
            getattr(failure, "reason", "cut"), message, request_id=failure.request_id, query_id=failure.query_id
        )
        explained.__cause__ = last
        return explained
