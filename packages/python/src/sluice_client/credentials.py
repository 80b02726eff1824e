"""Stored logins, in the form and at the places of the command line (packages/cli/src/credentials)."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import NotLoggedIn
from .private_files import read_private_file, write_private_file

LIFETIME_SHARE = 0.8
"""A token is replaced after this share of its lifetime."""
UNLOCK_SECONDS = 60
"""Time for a person to unlock the keyring."""


@dataclass(frozen=True)
class Credentials:
    """Tokens of a session, or of a service account with its secret. Times are epoch milliseconds."""

    token: str
    obtained_at: int
    expires_at: int
    refresh_token: str | None = None
    client_id: str | None = None
    client_secret: str | None = None

    @property
    def is_fresh(self) -> bool:
        """Whether the token is not about to end."""
        return time.time() * 1000 < self.obtained_at + (self.expires_at - self.obtained_at) * LIFETIME_SHARE

    def __repr__(self) -> str:
        """Returns a text without any secret."""
        return f"Credentials(client_id={self.client_id!r}, expires_at={self.expires_at})"

    def to_json(self) -> str:
        """Returns the text that is stored."""
        access = {"value": self.token, "obtainedAt": self.obtained_at, "expiresAt": self.expires_at}
        if self.client_secret is not None:
            fields: dict[str, Any] = {
                "kind": "client",
                "clientId": self.client_id,
                "clientSecret": self.client_secret,
                "access": access,
            }
        else:
            client = {} if self.client_id is None else {"clientId": self.client_id}
            fields = {"kind": "session", **client, "refreshToken": self.refresh_token, "access": access}
        return json.dumps(fields, separators=(",", ":"))

    @classmethod
    def parse(cls, text: str) -> Credentials | None:
        """Reads stored credentials; None if the text is damaged or of another version."""
        try:
            stored = json.loads(text)
            access = stored["access"]
            token = access["value"]
            times = (int(access["obtainedAt"]), int(access["expiresAt"]))
            kind = stored["kind"]
            found = cls(
                token,
                *times,
                refresh_token=stored["refreshToken"] if kind == "session" else None,
                client_id=stored.get("clientId"),
                client_secret=stored["clientSecret"] if kind == "client" else None,
            )
        except (KeyError, TypeError, ValueError):
            return None
        return found if kind in ("session", "client") and isinstance(token, str) else None


@dataclass(frozen=True)
class Store:
    """Place of the login of one profile below a folder of configuration: a private file, or the keyring of the system."""

    folder: Path
    profile: str
    kind: str

    @property
    def lock(self) -> Path:
        """Lock file under which the login is renewed."""
        return self.folder / "credentials" / f"{self.profile}.lock"

    @property
    def _path(self) -> Path:
        return self.folder / "credentials" / f"{self.profile}.json"

    @property
    def location(self) -> str:
        """Place of the login, for messages."""
        return "the keyring" if self.kind == "keyring" else str(self._path)

    def read(self) -> Credentials:
        """Returns the stored login.

        Raises:
            NotLoggedIn: if there is none, or it cannot be read
        """
        text = self._look_up() if self.kind == "keyring" else read_private_file(self._path)
        if text is None:
            raise NotLoggedIn(f"The login of the profile {self.profile} is no longer in {self.location}. Run `sluice login`.")
        found = Credentials.parse(text)
        if found is None:
            raise NotLoggedIn(
                f"{self.location} does not contain a login that this version of sluice-client reads. Update sluice-client, "
                "or run `sluice login` to replace it."
            )
        return found

    def is_empty(self) -> bool:
        """Returns whether it has no login. A keyring that cannot be read may have one."""
        try:
            return (self._look_up() if self.kind == "keyring" else read_private_file(self._path)) is None
        except NotLoggedIn:
            return False

    def write(self, credentials: Credentials) -> None:
        """Stores a login."""
        if self.kind == "keyring":
            self._run_tool(["store", f"--label=Sluice: {self.profile}"], credentials.to_json())
        else:
            write_private_file(self._path, f"{credentials.to_json()}\n")

    def remove(self) -> None:
        """Removes the login."""
        if self.kind == "keyring":
            self._run_tool(["clear"])
        else:
            self._path.unlink(missing_ok=True)

    def _look_up(self) -> str | None:
        return self._run_tool(["lookup"]) or None

    def _run_tool(self, words: list[str], secret: str = "") -> str:
        """Runs secret-tool(1), as the command line does. The secret goes through a pipe, which others cannot see."""
        tool = shutil.which("secret-tool")
        if tool is None or sys.platform in ("darwin", "win32"):
            raise NotLoggedIn(
                f"The login of the profile {self.profile} is in a keyring that sluice-client cannot read here. Log in with "
                "SLUICE_CREDENTIAL_STORE=file, or set SLUICE_TOKEN."
            )
        names = ["service", "sluice", "profile", self.profile, "folder", str(self.folder)]
        try:
            run = subprocess.run(  # noqa: S603
                [tool, *words, *names],
                input=secret,
                capture_output=True,
                text=True,
                timeout=UNLOCK_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as cause:
            raise NotLoggedIn(f"The keyring did not respond within {UNLOCK_SECONDS} s. Unlock it.") from cause
        if run.returncode != 0 and run.stderr.strip():
            raise NotLoggedIn(f'The keyring cannot be used: secret-tool says "{run.stderr.strip()}". Unlock it.')
        return run.stdout
