"""Proxies between the client and the stream host: one that cuts a response, and one that changes receipts."""

from __future__ import annotations

import contextlib
import http.server
import json
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx

BYTES = 65_536


CutRule = Callable[[bytes], int | None]
"""Returns after how many bytes the response to a request is cut, from the first bytes of the request; None for never."""


class CuttingProxy:
    """Passes bytes through, and closes connections after some bytes of the response to their first request.

    Without a rule, those whose first request is a POST are cut after `cut_after` bytes, so that receipts can be read.
    """

    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        self._target = (parts.hostname or "", parts.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.cut_after: int | None = None
        self.rule: CutRule | None = None
        self.sent = 0
        """Bytes of the response to the last POST."""
        threading.Thread(target=self._accept, daemon=True).start()

    def _cut_of(self, request: bytes) -> int | None:
        if self.rule is not None:
            return self.rule(request)
        return self.cut_after if request.startswith(b"POST") else None

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        host = socket.create_connection(self._target)
        with client, host, contextlib.suppress(OSError):
            first = client.recv(BYTES)
            cut = self._cut_of(first)
            host.sendall(first)
            threading.Thread(target=self._pass, args=(client, host), daemon=True).start()
            sent = 0
            while piece := host.recv(BYTES):
                if cut is not None and sent + len(piece) >= cut:
                    client.sendall(piece[: cut - sent])
                    client.shutdown(socket.SHUT_RDWR)
                    return
                client.sendall(piece)
                sent += len(piece)
                if first.startswith(b"POST"):
                    self.sent = sent

    @staticmethod
    def _pass(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(BYTES):
                target.sendall(piece)

    def close(self) -> None:
        self._listener.close()


ChangeReceipt = Callable[[dict[str, Any]], Any]


class ReceiptProxy:
    """Passes requests through, and changes the receipts, or headers of files of kept results."""

    def __init__(self, target: str) -> None:
        proxy = self
        self.change: ChangeReceipt = lambda receipt: receipt
        self.status = 200
        self.digest: str | None = None

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _forward(self) -> None:
                length = int(self.headers.get("content-length", "0"))
                headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
                sent = httpx.request(
                    self.command, target + self.path, headers=headers, content=self.rfile.read(length), timeout=60
                )
                body, status = sent.content, sent.status_code
                is_json = (sent.headers.get("content-type") or "").startswith("application/json")
                if self.command == "GET" and self.path.startswith("/query/") and status == 200 and is_json:
                    body, status = json.dumps(proxy.change(sent.json())).encode(), proxy.status
                self.send_response(status)
                for name, value in sent.headers.items():
                    if name not in ("transfer-encoding", "content-length", "connection", "content-encoding"):
                        self.send_header(name, proxy.digest or value if name == "repr-digest" else value)
                length_of_head = sent.headers.get("content-length", "0")
                self.send_header("content-length", length_of_head if self.command == "HEAD" else str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_HEAD = do_POST = do_DELETE = _forward  # noqa: N815

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def running(proxy: Any) -> Iterator[Any]:
    try:
        yield proxy
    finally:
        proxy.close()
