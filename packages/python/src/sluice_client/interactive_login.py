"""Login of a person, in the browser of this computer (RFC 8252) or of another device (RFC 8628)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.server
import os
import secrets
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Mapping
from typing import Any, cast
from urllib.parse import parse_qs, urlencode, urlsplit

from .credentials import Credentials
from .errors import NotLoggedIn, ResponseError
from .requests import Request
from .tokens import AuthHost, session_of

CLIENT_ID = "sluice-cli"
"""Public client that every authorization server of Sluice knows. The command line uses it too."""
LOGIN_SECONDS_MAX = 600.0
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
INTERVAL_SECONDS = 5.0
SLOW_DOWN_SECONDS = 5.0
DEVICE_SECONDS_MAX = 1800.0


def _has_browser(environment: Mapping[str, str]) -> bool:
    if environment.get("BROWSER") or sys.platform in ("darwin", "win32"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 (a person has to read it)


def log_in_person(host: AuthHost, environment: Mapping[str, str] | None = None) -> Credentials:
    """Logs a person in, in the browser here or on another device.

    Raises:
        NotLoggedIn: if the person denies the login, or does not finish it within ten minutes
    """
    if _has_browser(os.environ if environment is None else environment):
        return log_in_by_browser(host, webbrowser.open)
    return log_in_by_device(host)


def _web_address(text: object) -> str:
    if isinstance(text, str) and urlsplit(text).scheme in ("http", "https"):
        return text
    raise NotLoggedIn("The API host named no web page for the login. Check its URL and the proxies on the way.")


class _Callback(http.server.BaseHTTPRequestHandler):
    """Receives the response of the authorization server. Requests with another state are rejected."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        loopback = cast("_Loopback", self.server)
        expected = loopback.state
        if parts.path != "/callback" or not hmac.compare_digest(query.get("state", "").encode(), expected.encode()):
            self._end(404, "No login with this state is waiting here.")
            return
        failed = "code" not in query
        self._end(400 if failed else 200, "The login failed." if failed else "Logged in. You can close this window.")
        loopback.query = query
        loopback.received.set()

    def _end(self, status: int, text: str) -> None:
        body = f"{text}\n".encode()
        self.send_response(status)
        for name, value in (
            ("content-type", "text/plain; charset=utf-8"),
            ("content-length", str(len(body))),
            ("cache-control", "no-store"),
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Prints nothing: the address has the code."""


class _Loopback(http.server.ThreadingHTTPServer):
    """Server to which the browser returns. No other computer can reach it."""

    daemon_threads = True

    def __init__(self, state: str) -> None:
        super().__init__(("127.0.0.1", 0), _Callback)
        self.state = state
        self.query: dict[str, str] = {}
        self.received = threading.Event()


def log_in_by_browser(host: AuthHost, open_page: Callable[[str], bool]) -> Credentials:
    """Logs in with the browser of this computer, by authorization code and PKCE.

    Args:
        host: API host
        open_page: opens an address in a browser
    """
    path = host.path("/.well-known/oauth-authorization-server/auth/{tenant}")
    server = host.send(Request("api", "GET", path, authenticated=False))
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    with _Loopback(state) as loopback:
        redirect_uri = f"http://127.0.0.1:{loopback.server_port}/callback"
        query = {
            "response_type": "code",
            "client_id": CLIENT_ID,
            "redirect_uri": redirect_uri,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        address = f"{_web_address(server['authorization_endpoint'])}?{urlencode(query)}"
        threading.Thread(target=loopback.serve_forever, daemon=True).start()
        try:
            _say(f"The browser opens the page of the login. If it does not, open it yourself:\n{address}")
            open_page(address)
            if not loopback.received.wait(LOGIN_SECONDS_MAX):
                raise NotLoggedIn("The login in the browser was not finished within ten minutes. Connect again.")
        finally:
            loopback.shutdown()
    form = {
        "grant_type": "authorization_code",
        "client_id": CLIENT_ID,
        "code": _code_of(loopback.query, str(server["issuer"])),
        "redirect_uri": redirect_uri,
        "code_verifier": verifier,
    }
    begun = int(time.time() * 1000)
    return session_of(host.post_form("/auth/{tenant}/oauth2/token", form), begun, CLIENT_ID)


def _code_of(query: Mapping[str, str], issuer: str) -> str:
    """Returns the code of a response, which names its server (RFC 9207)."""
    if query.get("iss") != issuer:
        raise NotLoggedIn("The response came from another server than the login was sent to. Nothing was kept.")
    if "code" in query:
        return query["code"]
    if query.get("error") == "access_denied":
        raise NotLoggedIn("The login was not allowed in the browser. Nothing was kept.")
    raise NotLoggedIn(f"The API host rejected the login: {query.get('error_description', query.get('error', ''))}.")


def log_in_by_device(host: AuthHost) -> Credentials:
    """Logs in with the browser of another device: shows a code, and waits until the person has entered it there."""
    codes = host.post_form("/auth/{tenant}/oauth2/device_authorization", {"client_id": CLIENT_ID})
    _say(f"Open {_web_address(codes['verification_uri'])} in any browser and enter the code {codes['user_code']}.")
    form = {"grant_type": DEVICE_GRANT, "client_id": CLIENT_ID, "device_code": str(codes["device_code"])}
    ends = time.monotonic() + min(float(codes["expires_in"]), DEVICE_SECONDS_MAX)
    interval = float(codes.get("interval") or INTERVAL_SECONDS)
    while time.monotonic() < ends:
        time.sleep(interval)
        begun = int(time.time() * 1000)
        try:
            return session_of(host.post_form("/auth/{tenant}/oauth2/token", form), begun, CLIENT_ID)
        except ResponseError as error:
            if error.code == "slow_down":
                interval += SLOW_DOWN_SECONDS
            elif error.code == "access_denied":
                raise NotLoggedIn("The login was not allowed on the page. Nothing was kept.") from error
            elif error.code in ("expired_token", "invalid_grant"):
                break
            elif error.code != "authorization_pending":
                raise
    raise NotLoggedIn("The code has expired. Connect again.")
