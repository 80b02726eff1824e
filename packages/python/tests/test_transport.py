"""Requests, retries and proofs without a host: responses that no real host or proxy sends on request."""

from __future__ import annotations

import asyncio
import base64
import datetime
import email.utils
import hashlib
import http.server
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

import sluice_client
from sluice_client import IncompleteResult
from sluice_client.effects import HttpOptions
from test_events import COMPLETE, LINES, METADATA, ROWS, numbered

pytestmark = pytest.mark.short
HOSTS = {"url": "http://api.invalid", "stream_url": "http://stream.invalid", "tenant": "acme", "token": "t"}
ME = {"user": "a@b.c"}

Answer = httpx.Response | Exception
Handler = Callable[[httpx.Request], Answer]


class Transport:
    """Plays the hosts, and notes requests and waits."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.handler: Handler | None = None
        self.requests: list[str] = []
        self.sleeps: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(f"{request.method} {request.url.path}")
        answer = self.answers.pop(0) if self.handler is None else self.handler(request)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def transport(monkeypatch: pytest.MonkeyPatch) -> Transport:
    played, arguments = Transport(), HttpOptions.arguments

    async def sleep(seconds: float) -> None:
        played.sleeps.append(seconds)

    monkeypatch.setattr(HttpOptions, "arguments", lambda of: {**arguments(of), "transport": httpx.MockTransport(played)})
    monkeypatch.setattr("sluice_client.effects.time.sleep", played.sleeps.append)
    monkeypatch.setattr("sluice_client.effects.asyncio.sleep", sleep)
    return played


def me() -> Any:
    with sluice_client.connect(**HOSTS) as client:
        return client.me()


def me_async() -> Any:
    async def run() -> Any:
        async with sluice_client.connect_async(**HOSTS) as client:
            return await client.me()

    return asyncio.run(run())


def fetch() -> Any:
    with sluice_client.connect(**HOSTS) as client:
        return client.query("SELECT 1").fetchall()


def fetch_async() -> Any:
    async def run() -> Any:
        async with sluice_client.connect_async(**HOSTS) as client:
            return await client.query("SELECT 1").fetchall()

    return asyncio.run(run())


def busy(retry_after: str, status: int = 429) -> httpx.Response:
    body = {"error": "too_many_requests", "message": "Too many requests.", "request_id": "r"}
    return httpx.Response(status, json=body, headers={"retry-after": retry_after})


def in_seconds(seconds: float) -> str:
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return email.utils.format_datetime(at, usegmt=True)


@pytest.mark.parametrize("call", [me, me_async])
@pytest.mark.parametrize("status", [429, 503])
def test_retry_after(transport: Transport, call: Callable[[], Any], status: int) -> None:
    transport.answers = [busy("7", status), busy(in_seconds(20), status), busy("soon", status), httpx.Response(200, json=ME)]
    assert call() == ME
    first, second, third = transport.sleeps
    assert 7 <= first < 8
    assert 18 < second <= 20  # a date has whole seconds
    assert third < 2
    assert transport.requests == ["GET /me"] * 4


@pytest.mark.parametrize("call", [me, me_async, fetch, fetch_async])
@pytest.mark.parametrize("wait", ["61", "100000", "date"])
def test_retry_after_that_is_too_long(transport: Transport, call: Callable[[], Any], wait: str) -> None:
    transport.answers = [busy(in_seconds(120) if wait == "date" else wait)]
    with pytest.raises(sluice_client.ResponseError) as raised:
        call()
    assert raised.value.status == 429
    assert raised.value.retry_after is not None
    assert raised.value.retry_after > 60
    assert transport.sleeps == []
    assert len(transport.requests) == 1


def test_retry_after_of_a_minute(transport: Transport) -> None:
    transport.answers = [busy("60"), httpx.Response(200, json=ME)]
    assert me() == ME
    assert transport.sleeps == [60]


LOST: dict[str, Callable[[], Answer]] = {
    "502": lambda: httpx.Response(502, text="Bad Gateway"),
    "503 of a proxy": lambda: httpx.Response(503, text="Unavailable"),
    "504": lambda: httpx.Response(504, text="Timeout"),
    "500": lambda: httpx.Response(500, json={"error": "internal_error", "message": "It failed.", "request_id": "r"}),
    "reset": lambda: httpx.ReadError("Connection reset by peer"),
    "closed": lambda: httpx.RemoteProtocolError("Server disconnected without sending a response."),
    "cut request": lambda: httpx.WriteError("Broken pipe"),
    "silence": lambda: httpx.ReadTimeout("timed out"),
}


@pytest.mark.parametrize("call", [fetch, fetch_async])
@pytest.mark.parametrize("lost", LOST)
def test_statement_runs_at_most_once(transport: Transport, call: Callable[[], Any], lost: str) -> None:
    transport.answers = [LOST[lost]()]
    with pytest.raises((sluice_client.ResponseError, sluice_client.ConnectionFailed)):
        call()
    assert transport.requests == ["POST /query"]
    assert transport.sleeps == []


def test_statement_that_cannot_have_run(transport: Transport) -> None:
    transport.answers = [httpx.ConnectError("refused")] * 4
    with pytest.raises(sluice_client.ConnectionFailed):
        fetch()
    assert transport.requests == ["POST /query"] * 4


RECEIPT: dict[str, Any] = {
    "query_id": "q",
    "state": "FINISHED",
    "rows": 2,
    "bytes": 9,
    "sha256": None,
    "limited": False,
    "started_ts": 1,
    "ended_ts": 2,
    "error": None,
}
DIGEST = f"sha-256=:{base64.b64encode(hashlib.sha256(LINES).digest()).decode()}:"
FILE = {"repr-digest": DIGEST, "content-type": "application/x-ndjson"}


def problem(code: str, status: int = 400) -> httpx.Response:
    return httpx.Response(status, json={"error": code, "message": "It is rejected.", "request_id": "r"})


def kept_result(head: Callable[[], Answer], get: Callable[[], Answer]) -> Handler:
    """Plays a host with a kept result of two rows, and with these answers to requests for its NDJSON."""
    rows = "".join(numbered(row, number + 1) for number, row in enumerate(ROWS))
    events = {"content-type": "text/event-stream", "x-query-id": "q"}

    def handle(request: httpx.Request) -> Answer:
        if request.url.path == "/query/q/events":
            return httpx.Response(200, text=METADATA + rows + COMPLETE, headers=events)
        if request.url.path == "/query/q":
            return httpx.Response(200, json=RECEIPT)
        assert request.url.path == "/query/q/download/ndjson"
        return head() if request.method == "HEAD" else get()

    return handle


def whole_file() -> Answer:
    return httpx.Response(200, content=LINES, headers=FILE)


def other_file() -> Answer:
    return httpx.Response(200, content=LINES, headers={**FILE, "repr-digest": f"sha-256=:{'A' * 43}=:"})


def rejected_head() -> Answer:
    return httpx.Response(400)


PROOFS: dict[str, tuple[Callable[[], Answer], Callable[[], Answer], str]] = {
    "HEAD": (lambda: httpx.Response(200, headers={**FILE, "content-length": str(len(LINES))}), whole_file, "digest"),
    "HEAD that a proxy rejects": (rejected_head, whole_file, "digest"),
    "a file beyond a limit": (rejected_head, lambda: problem("resource_limit"), "rows"),
    "400 of a proxy": (rejected_head, lambda: httpx.Response(400, text="Bad Request"), "receipt"),
    "another code": (rejected_head, lambda: problem("invalid_request"), "receipt"),
    "a limit with another status": (rejected_head, lambda: problem("resource_limit", 403), "receipt"),
    "another file": (rejected_head, other_file, "hash"),
}


@pytest.mark.parametrize("proof", PROOFS)
def test_proof_of_a_kept_result(transport: Transport, proof: str) -> None:
    head, get, expected = PROOFS[proof]
    transport.handler = kept_result(head, get)
    with sluice_client.connect(**HOSTS, retries=0) as client:
        result = client.result("q")
        if expected in ("digest", "rows"):
            assert result.fetchall() == ROWS
            assert result.proof == expected
        else:
            with pytest.raises(IncompleteResult) as raised:
                result.fetchall()
            assert raised.value.reason == expected
            assert result.proof is None


@pytest.fixture
def proxy() -> Iterator[tuple[str, list[str]]]:
    """Returns the URL of a proxy of HTTP, and the addresses that were requested from it."""
    seen: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            body = json.dumps(ME).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", seen
        server.shutdown()


def test_proxy(proxy: tuple[str, list[str]]) -> None:
    url, seen = proxy
    with sluice_client.connect(**HOSTS, proxy=url) as client:
        assert client.me() == ME
    assert seen == ["http://api.invalid/me"]


def test_proxy_of_an_async_client(proxy: tuple[str, list[str]]) -> None:
    url, seen = proxy

    async def run() -> Any:
        async with sluice_client.connect_async(**HOSTS, proxy=url) as client:
            return await client.me()

    assert asyncio.run(run()) == ME
    assert seen == ["http://api.invalid/me"]


@pytest.mark.parametrize("call", [sluice_client.connect, sluice_client.connect_async])
def test_options_of_httpx(monkeypatch: pytest.MonkeyPatch, call: Callable[..., Any]) -> None:
    context, limits = ssl.create_default_context(), httpx.Limits(max_connections=3)
    given: list[dict[str, Any]] = []

    def note(client: object, **arguments: Any) -> None:
        given.append(arguments)
        raise httpx.ConnectError("noted")

    monkeypatch.setattr(httpx.Client, "__init__", note)
    monkeypatch.setattr(httpx.AsyncClient, "__init__", note)
    client = call(**HOSTS, verify=context, proxy="http://proxy.invalid:1", limits=limits, retries=0)

    async def run() -> None:
        await client.me()

    with pytest.raises(sluice_client.ConnectionFailed, match="noted"):
        if call is sluice_client.connect:
            client.me()
        else:
            asyncio.run(run())
    assert given[0]["verify"] is context
    assert given[0]["limits"] is limits
    assert given[0]["proxy"] == "http://proxy.invalid:1"
    assert given[0]["follow_redirects"] is False
