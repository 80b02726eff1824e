"""Addresses and logins, from arguments, the environment and the profiles of the command line, in this order."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from .errors import NotLoggedIn, UsageError
from .private_files import file_lock, read_private_file, write_private_file

DEFAULT_PROFILE = "default"
PROFILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
TOKEN = re.compile(r"[\x21-\x7e]+")
VARIABLES = {"api_url": "SLUICE_API_URL", "stream_url": "SLUICE_STREAM_URL", "tenant": "SLUICE_TENANT"}
ARGUMENTS = {"api_url": "url", "stream_url": "stream_url", "tenant": "tenant"}


def base_url(name: str, text: str) -> str:
    """Returns the base URL of a host without a slash at its end. A name without a scheme becomes https.

    Raises:
        UsageError: if the text is not such a URL; `name` says where it was given
    """
    candidate = text if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*://", text) else f"https://{text}"
    try:
        parts = urlsplit(candidate)
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise UsageError(f"{name} must be an http or https URL, such as https://acme-api.example.com.")
    parts = urlsplit(candidate)
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(f"{name} must not contain a user name, a query or a fragment.")
    return candidate.rstrip("/")


def is_loopback(url: str) -> bool:
    """Returns whether a host is on this computer."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def guess_from_api_url(api_url: str) -> dict[str, str]:
    """Returns what the name of an API host says: `acme-api.example.com` belongs to `acme`, with `acme-stream.example.com`."""
    parts = urlsplit(api_url)
    found = re.match(r"([a-z0-9][a-z0-9-]*)-api\.", parts.hostname or "")
    if found is None:
        return {}
    guessed = {"tenant": found[1]}
    if parts.port is None and parts.path in ("", "/"):
        guessed["stream_url"] = api_url.replace("-api.", "-stream.", 1)
    return guessed


def config_folder(environment: Mapping[str, str]) -> Path:
    """Returns the folder of profiles and logins, which is that of the command line."""
    configured = environment.get("XDG_CONFIG_HOME", "")
    if configured.startswith("/"):
        return Path(configured) / "sluice"
    roaming = environment.get("APPDATA", "")
    if sys.platform == "win32" and roaming:
        return Path(roaming) / "sluice"
    return Path.home() / ".config" / "sluice"


@dataclass(frozen=True)
class Hosts:
    """Name of a tenant and base URLs of its hosts."""

    tenant: str
    api_url: str
    stream_url: str


@dataclass(frozen=True)
class Login:
    """What proves who the caller is. `kind` says which fields are set."""

    kind: Literal["token", "client", "password", "stored", "none"]
    account: str = ""
    secret: str = ""
    store: str = "file"

    def __repr__(self) -> str:
        """Returns a text without any secret."""
        return f"Login(kind={self.kind!r}, account={self.account!r})"


@dataclass(frozen=True)
class Resolved:
    """Hosts, login, and the profile to which they belong."""

    hosts: Hosts
    login: Login
    folder: Path
    profile: str


class Profiles:
    """The file of profiles. It need not exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "profiles.json"
        self.current, self.by_name = self._read()

    def _read(self) -> tuple[str, dict[str, dict[str, Any]]]:
        text = read_private_file(self.path)
        if text is None:
            return DEFAULT_PROFILE, {}
        try:
            content = json.loads(text)
        except ValueError as cause:
            raise NotLoggedIn(f"{self.path} is damaged. Correct it, or remove it and log in again.") from cause
        try:
            profiles = content["profiles"]
            if not all(isinstance(each["api_url"], str) and isinstance(each["tenant"], str) for each in profiles.values()):
                raise TypeError
            return str(content["current"]), dict(profiles)
        except (KeyError, TypeError, AttributeError) as cause:
            raise NotLoggedIn(
                f"{self.path} has a form that this version of sluice-client does not read. If a newer version has written it, "
                "update sluice-client. Otherwise, remove the file and log in again."
            ) from cause

    def save_login(self, name: str, hosts: Hosts, account: str) -> None:
        """Stores the login of a profile, whose tokens are in a private file."""
        with file_lock(self.path.with_name(f"{self.path.name}.lock")):
            current, profiles = self._read()
            login = {"kind": "session", "account": account, "store": "file"}
            profiles[name] = {
                "api_url": hosts.api_url,
                "stream_url": hosts.stream_url,
                "tenant": hosts.tenant,
                "login": login,
            }
            content = {"current": current if current in profiles else name, "profiles": profiles}
            write_private_file(self.path, f"{json.dumps(content, indent=2, ensure_ascii=False)}\n")


def _variable(environment: Mapping[str, str], name: str) -> str | None:
    return environment.get(name) or None


def _pair(environment: Mapping[str, str], first: str, second: str) -> tuple[str, str] | None:
    one, other = _variable(environment, first), _variable(environment, second)
    if one is not None and other is not None:
        return one, other
    if one is None and other is None:
        return None
    present, missing = (second, first) if one is None else (first, second)
    raise UsageError(f"{present} is set without {missing}. Set both, or unset it.")


def environment_login(environment: Mapping[str, str]) -> Login | None:
    """Returns the login of the environment: a token before a client secret, and that before a password."""
    token = _variable(environment, "SLUICE_TOKEN")
    if token is not None:
        return Login("token", secret=_require_token("SLUICE_TOKEN", token))
    client = _pair(environment, "SLUICE_CLIENT_ID", "SLUICE_CLIENT_SECRET")
    if client is not None:
        return Login("client", *client)
    user = _pair(environment, "SLUICE_EMAIL", "SLUICE_PASSWORD")
    return None if user is None else Login("password", *user)


def _require_token(name: str, token: str) -> str:
    if TOKEN.fullmatch(token):
        return token
    raise UsageError(f"{name} must be an access token: printable characters of ASCII, without spaces.")


def argument_login(arguments: Mapping[str, str | None]) -> Login | None:
    """Returns the login of the arguments of `connect`.

    Raises:
        UsageError: for half of a pair, or more than one login
    """
    given = {name for name in ("email", "password", "client_id", "client_secret", "token") if arguments.get(name) is not None}
    if not given:
        return None
    if given == {"token"}:
        return Login("token", secret=_require_token("token", arguments["token"] or ""))
    if given == {"email", "password"}:
        return Login("password", arguments["email"] or "", arguments["password"] or "")
    if given == {"client_id", "client_secret"}:
        return Login("client", arguments["client_id"] or "", arguments["client_secret"] or "")
    raise UsageError("Pass one login: email= and password=, or client_id= and client_secret=, or token=.")


def resolve(arguments: Mapping[str, str | None], environment: Mapping[str, str] | None = None) -> Resolved:
    """Decides to which hosts and as whom to connect.

    The login is that of the arguments, else of `profile=`, else of the environment, else of the current profile of the
    command line. Addresses are looked up likewise, each by itself.

    Raises:
        UsageError: if an address is missing or invalid, or differs from that of the stored login
    """
    environment = os.environ if environment is None else environment
    folder = config_folder(environment)
    profiles = Profiles(folder)
    named = arguments.get("profile")
    name = named or _variable(environment, "SLUICE_PROFILE") or profiles.current
    if not PROFILE_NAME.fullmatch(name):
        raise UsageError("The name of a profile has at most 64 letters, digits, dots, hyphens and underscores.")
    if named is not None and named not in profiles.by_name:
        others = ", ".join(profiles.by_name) or "none"
        raise UsageError(f"There is no profile {named}. The profiles are: {others}. Run `sluice login --profile {named}`.")
    profile = profiles.by_name.get(name, {})
    login = argument_login(arguments) or (None if named else environment_login(environment))
    hosts = _resolve_hosts(arguments, {} if named else environment, profile)
    if login is None:
        login = _stored_login(profile, hosts, name)
    return Resolved(hosts, login, folder, name)


def _resolve_hosts(arguments: Mapping[str, str | None], environment: Mapping[str, str], profile: Mapping[str, Any]) -> Hosts:
    found: dict[str, str] = {}
    for field, variable in VARIABLES.items():
        argument, configured = arguments.get(ARGUMENTS[field]), _variable(environment, variable)
        text, where = (argument, f"{ARGUMENTS[field]}=") if argument is not None else (configured, variable)
        if text is not None:
            found[field] = text if field == "tenant" else base_url(where, text)
    guessed = guess_from_api_url(found["api_url"]) if "api_url" in found else {}
    # If the API host is another one than that of the profile, the profile says nothing about the rest.
    known = dict(profile) if found.get("api_url", profile.get("api_url")) == profile.get("api_url") else {}
    complete = {**known, **guessed, **found}
    missing = [f"{ARGUMENTS[field]}= or {variable}" for field, variable in VARIABLES.items() if field not in complete]
    if len(missing) == len(VARIABLES):
        raise NotLoggedIn(
            "No host is known. Run `sluice login`, or pass url=, stream_url= and tenant=, or set SLUICE_API_URL, "
            "SLUICE_STREAM_URL and SLUICE_TENANT."
        )
    if missing:
        raise UsageError(f"Pass {' and '.join(missing)} too.")
    return Hosts(complete["tenant"], complete["api_url"], complete["stream_url"])


def _stored_login(profile: Mapping[str, Any], hosts: Hosts, name: str) -> Login:
    """Returns the login of a profile. It is sent to its own hosts only."""
    login = profile.get("login")
    if not isinstance(login, dict):
        return Login("none")
    for field, own in (("api_url", hosts.api_url), ("stream_url", hosts.stream_url), ("tenant", hosts.tenant)):
        if profile[field] != own:
            raise UsageError(
                f"{VARIABLES[field]} or {ARGUMENTS[field]}= is {own}, but the profile {name} is logged in at "
                f"{profile[field]}. Leave it out, or choose a profile with profile=."
            )
    return Login("stored", str(login.get("account", "")), store=str(login.get("store", "file")))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
