"""Sends requests with their token, retries and errors. Written once for both clients, as programs of effects."""

from __future__ import annotations

import email.utils
import json
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol
from urllib.parse import quote, urlencode, urlsplit

import httpx

from .effects import Close, HttpOptions, Program, Reply, Send, Sleep, SyncIO, call, read, send
from .errors import (
    ConnectionFailed,
    NotLoggedIn,
    ResponseError,
    SluiceError,
    details_of,
    location_of,
    response_error,
)
from .rejections import describe_details

ERROR_BYTES_MAX = 16 * 1024 * 1024
FIRST_DELAY_SECONDS = 0.25
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
PLAIN_PORT_REASONS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG")
"""Names that versions of OpenSSL have for a response in plain text."""
DETAIL_PREFIX = "The request is not valid: "
"""Begin of a message that repeats the first detail. Other messages say more than the details."""
QUERY_ID = re.compile(r"[\w-]{1,64}")

Repeatability = Literal["safe", "statement", "change"]
"""Effect of a second run: none; a statement runs twice; a change is made twice."""


@dataclass(frozen=True)
class Request:
    """A request of one host. `path` is percent-encoded."""

    host: Literal["api", "stream"]
    method: str
    path: str
    repeatability: Repeatability = "safe"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    content: bytes | None = None
    timeout: httpx.Timeout | None = None
    """Default: that of the connection."""
    authenticated: bool = True


class TokenSource(Protocol):
    """Returns access tokens. All functions may block, and may be called by several threads."""

    def peek(self) -> str | None:
        """Returns a token that needs no request; None if there is none. Never blocks."""
        ...

    def token(self, rejected: str | None) -> str:
        """Returns a token other than the one that a host has rejected.

        Raises:
            NotLoggedIn: if the login has ended
        """
        ...

    def close(self) -> None:
        """Ends a session that this process opened. Does not raise."""
        ...


@dataclass(frozen=True)
class Connection:
    """Hosts of a tenant, and what is needed to send requests to them. Times are in seconds."""

    tenant: str
    api_url: str
    stream_url: str
    tokens: TokenSource
    timeout: float = 60.0
    idle_timeout: float = 60.0
    retries: int = 3
    retry_delay_max: float = 60.0
    http: HttpOptions = field(default_factory=HttpOptions)

    def base(self, host: str) -> str:
        """Returns the URL of a host without a slash at its end."""
        return self.api_url if host == "api" else self.stream_url

    def limits(self, read: float | None = None) -> httpx.Timeout:
        """Returns time-outs of httpx. `read`: longest silence; default: `timeout`."""
        return httpx.Timeout(self.timeout, read=self.timeout if read is None else read, pool=None)

    def event_limits(self) -> httpx.Timeout:
        """Returns time-outs of a stream of events, whose heartbeats end each silence."""
        return self.limits(max(self.timeout, self.idle_timeout))

    def unlimited(self) -> httpx.Timeout:
        """Returns time-outs of a download, which is silent until its first row."""
        return httpx.Timeout(self.timeout, read=None, pool=None)


def path_of(template: str, parameters: Mapping[str, str] | None = None, query: Mapping[str, Any] | None = None) -> str:
    """Returns a path with its parameters and its query, percent-encoded. A query value of None is left out."""
    path = template
    for name, value in (parameters or {}).items():
        path = path.replace("{" + name + "}", quote(value, safe=""))
    pairs: list[tuple[str, str]] = []
    for name, value in (query or {}).items():
        for each in value if isinstance(value, (list, tuple)) else [value]:  # pyright: ignore[reportUnknownVariableType]
            if each is not None:
                text = str(each).lower() if isinstance(each, bool) else str(each)  # pyright: ignore[reportUnknownArgumentType]
                pairs.append((name, text))
    return f"{path}?{urlencode(pairs)}" if pairs else path


def json_content(body: Any) -> tuple[dict[str, str], bytes]:
    """Returns headers and content of a JSON body."""
    return {"content-type": "application/json"}, json.dumps(body).encode()


def query_id_of(reply: Reply) -> str | None:
    """Returns the id of the query of a response; None without a valid one."""
    found = reply.header("x-query-id")
    return found if found is not None and QUERY_ID.fullmatch(found) else None


def exchange(connection: Connection, request: Request) -> Program[Reply]:
    """Sends a request and returns a successful response, whose body is not read.

    Raises:
        SluiceError: of the class that the failure has, after the retries that it allows
    """
    attempt = 1
    rejected: str | None = None
    while True:
        token = (yield from _token(connection, rejected)) if request.authenticated else None
        try:
            return (yield from _exchange_once(connection, request, token))
        except SluiceError as error:
            if error.status == 401 and token is not None and rejected is None:
                rejected = token
                continue
            delay = retry_delay(error, attempt)
            if attempt > connection.retries or not _may_repeat(error, request.repeatability):
                raise
            if delay > connection.retry_delay_max:
                raise
            yield Sleep(delay)
            attempt += 1


def _token(connection: Connection, rejected: str | None) -> Program[str]:
    found = connection.tokens.peek() if rejected is None else None
    return found if found is not None else (yield from call(lambda: connection.tokens.token(rejected)))


def _exchange_once(connection: Connection, request: Request, token: str | None) -> Program[Reply]:
    url = connection.base(request.host) + request.path
    headers = {"accept-encoding": "identity", **request.headers}
    if token is not None:
        headers["authorization"] = token if " " in token else f"Bearer {token}"
    timeout = request.timeout or connection.limits()
    try:
        reply = yield from send(Send(request.method, url, headers, request.content, timeout))
    except httpx.HTTPError as cause:
        raise connection_failure(url, cause) from cause
    except httpx.InvalidURL as cause:
        raise ConnectionFailed("connection_failed", f"{url} is not a valid address: {cause}.") from cause
    if 200 <= reply.status < 300:
        return reply
    raise (yield from _read_failure(reply))


def connection_failure(url: str, cause: httpx.HTTPError) -> ConnectionFailed:
    """Returns the error for a request that got no response."""
    host = urlsplit(url).netloc
    text = str(cause)
    if isinstance(cause, httpx.TimeoutException):
        return ConnectionFailed("timeout", f"{host} did not respond in time. Check the network, or raise timeout=.")
    if isinstance(cause, httpx.ProxyError):
        what = f"the proxy on the way to {host} failed: {text}. Check the variables HTTPS_PROXY and HTTP_PROXY"
    elif "CERTIFICATE_VERIFY_FAILED" in text:
        what = f"the certificate of {host} is not trusted here: {text}. Pass verify= with the context of its authority"
    elif url.startswith("https:") and any(reason in text for reason in PLAIN_PORT_REASONS):
        # Elsewhere, http:// would send passwords and tokens in plain text.
        is_local = urlsplit(url).hostname in LOOPBACK_HOSTS
        advice = f"If it is a port without TLS, write http://{host}" if is_local else "Check the address and its port"
        what = f"{host} does not use TLS ({text}). {advice}"
    elif isinstance(cause, httpx.ConnectError):
        what = f"{host} could not be reached ({text or type(cause).__name__}). Check the address, and that the host runs"
    elif isinstance(cause, httpx.UnsupportedProtocol):
        what = f"{url} is not the address of a host. It must begin with http:// or https://"
    else:
        what = f"{host} closed the connection ({text or type(cause).__name__}). Check the address and the network"
    return ConnectionFailed("connection_failed", f"{what[0].upper() if what.startswith('the ') else what[0]}{what[1:]}.")


def _read_failure(reply: Reply) -> Program[SluiceError]:
    """Reads an error response. A body that is not Sluice's, such as the page of a proxy, is `unexpected_response`."""
    text = b""
    try:
        while len(text) < ERROR_BYTES_MAX and (piece := (yield from read(reply))) is not None:
            text += piece
    except httpx.HTTPError:
        pass
    finally:
        yield Close(reply)
    body = _parse_object(text)
    ids: dict[str, Any] = {
        "request_id": _text(body.get("request_id")) or reply.header("x-request-id"),
        "query_id": _text(body.get("query_id")) or query_id_of(reply),
        "retry_after": retry_after_seconds(reply.header("retry-after")),
    }
    # A failed result set has the sentence in `error` and the code in `code`.
    code = _text(body.get("code")) or _text(body.get("error"))
    if code is None:
        host = urlsplit(str(reply.response.url)).netloc
        message = (
            f"{host} returned status {reply.status} without an error of Sluice. Check the address and the proxies on the way."
        )
        error = ResponseError("unexpected_response", message, status=reply.status, **ids)
        error.body = body or None
        return error
    message = _text(body.get("message")) or _text(body.get("error_description")) or f"The host returned status {reply.status}."
    details = details_of(body.get("details"))
    has_described = bool(details) and message.startswith(DETAIL_PREFIX)
    if has_described:
        message = describe_details(details)
    fields = {**ids, "location": location_of(body.get("location")), "details": details}
    failed = response_error(code, message, reply.status, **fields)
    failed.has_described_details = has_described
    failed.body = body
    return failed


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _parse_object(text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def retry_after_seconds(text: str | None) -> float | None:
    """Reads `Retry-After`: seconds or a date (RFC 9110 section 10.2.3)."""
    if text is None:
        return None
    if text.isdigit():
        return float(text)
    try:
        date = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, date.timestamp() - time.time())


def _may_repeat(error: SluiceError, repeatability: Repeatability) -> bool:
    """Returns whether a failed request cannot have run, or a second run has no effect."""
    if isinstance(error, ConnectionFailed):
        never_connected = isinstance(error.__cause__, (httpx.ConnectError, httpx.ConnectTimeout))
        return never_connected or (repeatability == "safe" and error.code != "timeout")
    if isinstance(error, NotLoggedIn) or error.status is None:
        return False
    if error.status == 429:
        return True
    if repeatability == "safe":
        return error.status in (502, 503, 504)
    if error.status != 503:
        return False
    if error.code == "audit_unavailable":
        return True
    # Proxies also return 503 when they lose the connection to a host that has the request.
    return repeatability == "statement" and error.query_id is None and error.code != "unexpected_response"


def retry_delay(error: SluiceError, attempt: int) -> float:
    """Returns the seconds before a retry. `Retry-After` is the lower bound; jitter keeps clients from returning together.

    Args:
        error: failure of the request before
        attempt: number of that request, from 1
    """
    backoff = FIRST_DELAY_SECONDS * 2 ** (attempt - 1) * (0.5 + random.random() / 2)  # noqa: S311
    return float(max(error.retry_after or 0.0, backoff))


def read_json(connection: Connection, request: Request) -> Program[Any]:
    """Sends a request and returns the JSON of its response; None for 204.

    Raises:
        SluiceError: as `exchange`, and `unexpected_response` for a body that is not JSON
    """
    reply = yield from exchange(connection, request)
    pieces: list[bytes] = []
    url = connection.base(request.host)
    try:
        while (piece := (yield from read(reply))) is not None:
            pieces.append(piece)
    except httpx.HTTPError as cause:
        raise connection_failure(url, cause) from cause
    finally:
        yield Close(reply)
    if reply.status == 204:
        return None
    try:
        return json.loads(b"".join(pieces))
    except ValueError as cause:
        message = f"{urlsplit(url).netloc} did not return valid JSON. Check the address and the proxies on the way."
        raise ResponseError("unexpected_response", message, status=reply.status) from cause


CANCEL_TIMEOUT_SECONDS = 1.3
"""Longest wait for the host to confirm a cancellation. The closed connection stops the query anyway."""


def cancel_on_host(connection: Connection, query_id: str) -> None:
    """Cancels a query by its id, because a proxy may keep its own connection to the host. Blocks, and does not raise."""
    _send_hurriedly(connection, Request("stream", "DELETE", path_of("/query/{id}", {"id": query_id})))


CLOCK_DIFFERENCE_SECONDS = 60.0
"""Longest difference between the clocks of this computer and of the host."""


def cancel_statement_on_host(connection: Connection, sql: str, started: float) -> None:
    """Cancels a query whose id is not known: the headers of a file arrive with its first row. Blocks, and does not raise.

    Args:
        connection: hosts
        sql: statement. If several queries with it have started at about this time, none is cancelled
        started: time at which its request was sent, in seconds since 1970
    """
    listed = _send_hurriedly(connection, Request("stream", "GET", "/query"))
    try:
        found = [
            str(each["query_id"])
            for each in listed["data"]
            if (sql.startswith(each["sql"]) if each.get("sql_truncated") else sql == each["sql"])
            and abs(each["started_ts"] / 1000 - started) <= CLOCK_DIFFERENCE_SECONDS
        ]
    except (KeyError, TypeError):
        return
    if len(found) == 1:
        cancel_on_host(connection, found[0])


def _send_hurriedly(connection: Connection, request: Request) -> Any:
    """Sends a request with connections of its own, and returns the JSON of the response; None if it fails."""
    hurried = replace(connection, timeout=CANCEL_TIMEOUT_SECONDS, retries=0)
    io = SyncIO(connection.http)
    try:
        return io.run(read_json(hurried, request))
    except Exception:
        return None  # the query ends by itself
    finally:
        io.close()
