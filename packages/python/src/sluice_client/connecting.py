"""Connects to the hosts of a tenant: addresses, login and options of the connections."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from .credentials import Credentials, Store
from .effects import HttpOptions
from .errors import NotLoggedIn, UsageError
from .private_files import file_lock
from .profiles import Profiles, Resolved, resolve
from .requests import Connection, TokenSource
from .tokens import AuthHost, FixedToken, LazyTokens, StoredSession, own_session


def open_connection(
    arguments: Mapping[str, str | None],
    http: HttpOptions,
    *,
    timeout: float,
    idle_timeout: float | None,
    retries: int,
    interactive: bool | None,
) -> Connection:
    """Returns a connection. Nothing is sent, except by the login of a person.

    Raises:
        UsageError: if an argument or a variable is invalid
        NotLoggedIn: if there is no login and no person to log in
    """
    if timeout <= 0 or retries < 0:
        raise UsageError("timeout must be more than 0 seconds, and retries at least 0.")
    idle = _idle_timeout(idle_timeout)
    resolved = resolve(arguments)
    tokens = LazyTokens()
    hosts = resolved.hosts
    connection = Connection(hosts.tenant, hosts.api_url, hosts.stream_url, tokens, timeout, idle, retries, http=http)
    tokens.source = _token_source(connection, resolved, interactive)
    return connection


def _idle_timeout(given: float | None) -> float:
    text = os.environ.get("SLUICE_IDLE_TIMEOUT", "")
    try:
        seconds = given if given is not None else float(text or 60)
    except ValueError:
        seconds = 0
    if seconds <= 0:
        raise UsageError("idle_timeout and SLUICE_IDLE_TIMEOUT must be a number of seconds above 0.")
    return seconds


def _token_source(connection: Connection, resolved: Resolved, interactive: bool | None) -> TokenSource:
    host, login = AuthHost(connection), resolved.login
    if login.kind == "token":
        return FixedToken(login.secret)
    if login.kind in ("client", "password"):
        return own_session(host, login)
    may_ask = is_person_there() if interactive is None else interactive
    if login.kind == "stored":
        store = Store(resolved.folder, resolved.profile, login.store)
        # A session that has ended leaves its profile without tokens.
        if not (may_ask and store.is_empty()):
            return StoredSession(host, store)
    if not may_ask:
        raise NotLoggedIn(
            "You are not logged in. Run `sluice login`, or set SLUICE_CLIENT_ID and SLUICE_CLIENT_SECRET, or SLUICE_TOKEN."
        )
    return _keep(host, resolved, log_in_person(host))


def _keep(host: AuthHost, resolved: Resolved, credentials: Credentials) -> TokenSource:
    """Stores the login of a person in the profile, where the command line finds it too."""
    fresh = FixedToken(credentials.token)
    account: Any = host.send_as(fresh, "/me")
    store = Store(resolved.folder, resolved.profile, "file")
    with file_lock(store.lock):
        store.write(credentials)
    Profiles(resolved.folder).save_login(resolved.profile, resolved.hosts, str(account["user"]))
    return StoredSession(host, store)


def is_person_there() -> bool:
    """Returns whether a person reads what the process prints and can act: on a terminal or in a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    kernel = getattr(shell, "kernel", None)
    if kernel is not None:
        # A program that runs a notebook, such as papermill, says that it has no input.
        return bool(getattr(kernel, "_allow_stdin", False))
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr is not None and sys.stderr.isatty()


def log_in_person(host: AuthHost) -> Credentials:
    """Logs a person in. Its modules take a tenth of the time of the import of the package, so they are imported here."""
    from . import interactive_login

    return interactive_login.log_in_person(host)
