"""Sources of access tokens. They block, so the asynchronous client calls them in a thread."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast
from urllib.parse import urlencode

from .credentials import Credentials, Store
from .effects import SyncIO
from .errors import NotLoggedIn, ResponseError, SluiceError
from .private_files import file_lock
from .profiles import Hosts, Login
from .requests import Connection, Request, TokenSource, json_content, path_of, read_json

FORM = {"content-type": "application/x-www-form-urlencoded"}
CLOSE_TIMEOUT_SECONDS = 1.5
NOT_FOUND = 404
ENDED_CODES = frozenset({"invalid_grant", "invalid_client"})
"""Codes of RFC 6749 section 5.2 with which the host says that a login will not work again."""


class AuthHost:
    """Requests to the API host that need no token."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def send(self, request: Request, *, hurried: bool = False) -> Any:
        """Sends one request with connections of its own, and returns the JSON of the response."""
        connection = self._connection
        if hurried:
            connection = replace(connection, timeout=CLOSE_TIMEOUT_SECONDS, retries=0)
        io = SyncIO(connection.http)
        try:
            return io.run(read_json(connection, request))
        finally:
            io.close()

    def send_as(self, tokens: TokenSource, path: str) -> Any:
        """Reads from the API host with a token that is not that of the connection."""
        io = SyncIO(self._connection.http)
        try:
            return io.run(read_json(replace(self._connection, tokens=tokens), Request("api", "GET", path)))
        finally:
            io.close()

    @property
    def hosts(self) -> Hosts:
        """Hosts of the tenant."""
        return Hosts(self._connection.tenant, self._connection.api_url, self._connection.stream_url)

    def path(self, template: str) -> str:
        """Returns a path with the name of the tenant."""
        return path_of(template, {"tenant": self._connection.tenant})

    def post_form(self, template: str, form: dict[str, str]) -> Any:
        """Sends a form."""
        content = urlencode(form).encode()
        return self.send(Request("api", "POST", self.path(template), "change", FORM, content, authenticated=False))

    def log_in(self, email: str, password: str) -> Credentials:
        """Opens the session of a user with a password."""
        headers, content = json_content({"email": email, "password": password})
        path = self.path("/auth/login/{tenant}")
        begun = _now()
        body = self.send(Request("api", "POST", path, "change", headers, content, authenticated=False))
        return session_of(body, begun)

    def log_in_client(self, client_id: str, client_secret: str) -> Credentials:
        """Requests a token with a client secret (RFC 6749 section 4.4)."""
        form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
        begun = _now()
        body = self.post_form("/auth/{tenant}/oauth2/token", form)
        found = session_of({"refresh_token": "", **body}, begun)
        return replace(found, refresh_token=None, client_id=client_id, client_secret=client_secret)

    def renew(self, before: Credentials) -> Credentials:
        """Exchanges credentials for new ones.

        Raises:
            NotLoggedIn: if the host rejects them for good
        """
        try:
            if before.client_secret is not None:
                return self.log_in_client(before.client_id or "", before.client_secret)
            begun = _now()
            form = {"refresh_token": before.refresh_token or ""}
            if before.client_id is None:
                return session_of(self.post_form("/auth/refresh/{tenant}", form), begun)
            form |= {"grant_type": "refresh_token", "client_id": before.client_id}
            body = self.post_form("/auth/{tenant}/oauth2/token", form)
            return session_of(body, begun, before.client_id)
        except ResponseError as cause:
            if cause.code not in ENDED_CODES:
                raise
            if before.client_secret is not None:
                what = f"The client secret of {before.client_id} is no longer accepted. Run `sluice login` with a new one."
            else:
                what = "Your session has ended. Run `sluice login`."
            raise NotLoggedIn(what, status=cause.status, request_id=cause.request_id) from cause

    def end(self, credentials: Credentials) -> None:
        """Ends the session of credentials. Does not raise: the session ends by itself later."""
        headers = {"authorization": f"Bearer {credentials.token}"}
        path = self.path("/auth/logout/{tenant}")
        with contextlib.suppress(SluiceError):
            self.send(Request("api", "GET", path, "safe", headers, authenticated=False), hurried=True)


def session_of(body: Any, begun: int, client_id: str | None = None) -> Credentials:
    """Reads the response to a login.

    Raises:
        ResponseError: if it has no tokens
    """
    try:
        return Credentials(
            token=str(body["access_token"]),
            obtained_at=begun,
            expires_at=begun + int(body["expires_in"]) * 1000,
            refresh_token=str(body["refresh_token"]),
            client_id=client_id,
        )
    except (KeyError, TypeError, ValueError) as cause:
        message = "The login did not return a token. Check the URL of the API host and the proxies on the way."
        raise ResponseError("unexpected_response", message) from cause


def _now() -> int:
    return int(time.time() * 1000)


class FixedToken:
    """A token that was obtained elsewhere. It is not renewed."""

    def __init__(self, token: str) -> None:
        self._token = token

    def peek(self) -> str | None:
        """Returns the token."""
        return self._token

    def token(self, rejected: str | None) -> str:
        """Returns the token.

        Raises:
            NotLoggedIn: if a host has rejected it
        """
        if rejected is not None:
            raise NotLoggedIn("The access token is not accepted: it has expired, or belongs to another tenant.", status=401)
        return self._token

    def close(self) -> None:
        """Does nothing: the token belongs to another program."""


class OwnSession:
    """Session that this process opens with a password or a client secret, and ends when the client is closed."""

    def __init__(self, host: AuthHost, open_session: Callable[[], Credentials]) -> None:
        self._host = host
        self._open = open_session
        self._lock = threading.Lock()
        self._current: Credentials | None = None

    def peek(self) -> str | None:
        """Returns the token while it is fresh."""
        current = self._current
        return current.token if current is not None and current.is_fresh else None

    def token(self, rejected: str | None) -> str:
        """Logs in, or renews the session. Threads that need a token at the same time share one request."""
        with self._lock:
            current = self._current
            if current is None or not current.is_fresh or current.token == rejected:
                self._current = current = self._next(current)
            return current.token

    def close(self) -> None:
        """Ends the session."""
        with self._lock:
            current, self._current = self._current, None
        if current is not None:
            self._host.end(current)

    def _next(self, before: Credentials | None) -> Credentials:
        if before is not None and before.refresh_token is not None:
            try:
                return self._host.renew(before)
            except NotLoggedIn:
                pass  # the session has ended; the password opens another one
        try:
            return self._open()
        except ResponseError as cause:
            ids: dict[str, Any] = {"status": cause.status, "request_id": cause.request_id}
            if cause.status == NOT_FOUND:
                hosts = self._host.hosts
                what = (
                    f"{hosts.api_url} has no tenant {hosts.tenant}. Check tenant= or SLUICE_TENANT, and url= or SLUICE_API_URL."
                )
                raise ResponseError(cause.code, what, **ids) from cause
            if cause.status not in (400, 401):
                raise
            what = f"The login was rejected: {cause.message} Check the e-mail and the password, or the client and its secret."
            raise NotLoggedIn(what, **ids) from cause


class StoredSession:
    """Login of a profile, which the command line and all processes of the user share and renew under one lock."""

    def __init__(self, host: AuthHost, store: Store) -> None:
        self._host = host
        self._store = store
        self._lock = threading.Lock()
        self._current: Credentials | None = None

    def peek(self) -> str | None:
        """Returns the token while it is fresh."""
        current = self._current
        return current.token if current is not None and current.is_fresh else None

    def token(self, rejected: str | None) -> str:
        """Returns the stored token, which is renewed first if it is old or rejected."""
        with self._lock:
            stored = self._store.read()
            if not stored.is_fresh or stored.token == rejected:
                stored = self._renew(rejected)
            self._current = stored
            return stored.token

    def close(self) -> None:
        """Does nothing: the login stays until `sluice logout`."""

    def _renew(self, rejected: str | None) -> Credentials:
        with file_lock(self._store.lock):
            stored = self._store.read()
            if stored.is_fresh and stored.token != rejected:
                return stored  # another process was faster
            try:
                renewed = self._host.renew(stored)
            except NotLoggedIn:
                # A used refresh token is of no more use, and sending it again is recorded as a theft.
                if stored.client_secret is None:
                    self._store.remove()
                raise
            self._store.write(renewed)
            return renewed


def own_session(host: AuthHost, login: Login) -> OwnSession:
    """Returns the source of tokens of a password or a client secret. Nothing is sent."""
    if login.kind == "client":
        return OwnSession(host, lambda: host.log_in_client(login.account, login.secret))
    return OwnSession(host, lambda: host.log_in(login.account, login.secret))


class LazyTokens:
    """Source of tokens that is chosen after the connection exists."""

    source: Any = None

    def peek(self) -> str | None:
        """Returns a token that needs no request; None if there is none."""
        return cast("str | None", self.source.peek())

    def token(self, rejected: str | None) -> str:
        """Returns a token other than the rejected one."""
        return cast("str", self.source.token(rejected))

    def close(self) -> None:
        """Ends a session that this process opened."""
        if self.source is not None:
            self.source.close()
