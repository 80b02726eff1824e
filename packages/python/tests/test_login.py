"""Logins that the command line and this package share."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

import sluice_client
from conftest import ANALYST, ROOT, Product
from sluice_client import connecting, interactive_login
from sluice_client.interactive_login import log_in_by_browser
from sluice_client.requests import Connection
from sluice_client.tokens import AuthHost, LazyTokens


def run_cli(product: Product, *words: str, stdin: str = "") -> str:
    environment = {**os.environ, **product.environment, "SLUICE_CREDENTIAL_STORE": "file", "NO_COLOR": "1"}
    run = subprocess.run(
        ["node", "packages/cli/dist/sluice.js", *words],
        cwd=ROOT,
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.fixture
def stored(product: Product, tmp_path: Path) -> Path:
    run_cli(product, "login", "--email", ANALYST["email"], stdin=f"{ANALYST['password']}\n")
    return tmp_path / "config" / "sluice" / "credentials" / "default.json"


def make_old(path: Path) -> dict[str, Any]:
    credentials: dict[str, Any] = json.loads(path.read_text())
    credentials["access"] |= {"obtainedAt": 0, "expiresAt": 1}
    path.write_text(json.dumps(credentials))
    return credentials


@pytest.mark.short
def test_login_of_the_command_line(product: Product, stored: Path) -> None:
    with sluice_client.connect() as client:
        assert client.me()["user"] == ANALYST["email"]
        assert client.query("SELECT 1").fetchall() == [(1,)]
    assert ANALYST["email"] in run_cli(product, "whoami")


@pytest.mark.short
def test_renewal_is_shared_with_the_command_line(product: Product, stored: Path) -> None:
    before = make_old(stored)
    with sluice_client.connect() as client:
        assert client.query("SELECT 1").fetchall() == [(1,)]
    after = json.loads(stored.read_text())
    assert after["refreshToken"] != before["refreshToken"]
    assert stored.stat().st_mode & 0o777 == 0o600
    make_old(stored)
    assert ANALYST["email"] in run_cli(product, "whoami")
    with sluice_client.connect() as client:
        assert client.query("SELECT 2").fetchall() == [(2,)]


RENEW = "import sluice_client; print(sluice_client.connect().query('SELECT 7').fetchall())"


def test_many_processes_renew_once(product: Product, stored: Path) -> None:
    make_old(stored)

    def run(number: int) -> str:
        if number % 4 == 0:
            return "[(7,)]" if "7" in run_cli(product, "query", "SELECT 7") else ""
        done = subprocess.run([sys.executable, "-c", RENEW], capture_output=True, text=True, check=False)
        return done.stdout.strip() or done.stderr

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(run, range(8))) == {"[(7,)]"}
    assert list(stored.parent.glob("*.lock*")) == []


def test_stale_lock_is_taken_over(stored: Path) -> None:
    make_old(stored)
    dead = subprocess.Popen([sys.executable, "-c", "pass"])
    dead.wait()
    import socket

    stored.with_suffix(".lock").write_text(json.dumps({"id": "x", "pid": dead.pid, "host": socket.gethostname()}))
    with sluice_client.connect() as client:
        assert client.query("SELECT 1").fetchall() == [(1,)]


def test_session_that_has_ended(product: Product, stored: Path) -> None:
    copy = stored.read_text()
    run_cli(product, "logout")
    with pytest.raises(sluice_client.NotLoggedIn):
        sluice_client.connect()
    run_cli(product, "login", "--email", ANALYST["email"], stdin=f"{ANALYST['password']}\n")
    stored.write_text(copy)
    with sluice_client.connect() as client, pytest.raises(sluice_client.NotLoggedIn, match="session has ended"):
        client.query("SELECT 1").fetchall()


def test_login_goes_to_its_own_hosts_only(stored: Path) -> None:
    with pytest.raises(sluice_client.UsageError, match="is logged in at"):
        sluice_client.connect(tenant="globex")


def test_own_session_ends_with_the_client(product: Product) -> None:
    client = sluice_client.connect(**product.hosts, **ANALYST)
    client.query("SELECT 1").fetchall()
    token = client._connection.tokens.peek()
    client.close()
    response = httpx.get(f"{product.stream_url}/query", headers={"authorization": f"Bearer {token}"})
    assert response.status_code == 401


class Browser:
    """Plays the browser of a person: signs in, allows the login, and returns to the program."""

    def __init__(self, product: Product, decision: str = "approve") -> None:
        self._product = product
        self._decision = decision

    @contextlib.contextmanager
    def _signed_in(self) -> Iterator[httpx.Client]:
        api = self._product.api_url
        with httpx.Client(base_url=api, headers={"origin": api}) as browser:
            browser.post("/auth/sign-in/acme", data=ANALYST)
            yield browser

    def _account_id(self) -> str:
        api = self._product.api_url
        token = httpx.post(f"{api}/auth/login/acme", json=ANALYST).json()["access_token"]
        return str(httpx.get(f"{api}/me", headers={"authorization": f"Bearer {token}"}).json()["id"])

    def open(self, address: str) -> bool:
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        with self._signed_in() as browser:
            form = {**query, "account": self._account_id(), "decision": self._decision}
            sent = browser.post("/auth/acme/oauth2/consent", data=form)
            assert sent.is_redirect, sent.text
            httpx.get(sent.headers["location"])
        return True

    def decide_device(self, user_code: str) -> None:
        """Enters the code of another device, and allows its login or not."""
        with self._signed_in() as browser:
            form = {"user_code": user_code, "account": self._account_id(), "decision": self._decision}
            sent = browser.post("/auth/device/acme", data=form)
            assert sent.status_code == 200, sent.text


def auth_host(product: Product) -> AuthHost:
    return AuthHost(Connection("acme", product.api_url, product.stream_url, LazyTokens()))


def test_login_in_the_browser(product: Product) -> None:
    credentials = log_in_by_browser(auth_host(product), Browser(product).open)
    assert credentials.client_id == "sluice-cli"
    renewed = auth_host(product).renew(credentials)
    assert renewed.refresh_token != credentials.refresh_token
    assert credentials.token not in repr(credentials)


def test_login_that_is_denied(product: Product) -> None:
    with pytest.raises(sluice_client.NotLoggedIn, match="not allowed"):
        log_in_by_browser(auth_host(product), Browser(product, "deny").open)


def test_login_of_a_person_is_kept(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "log_in_person", lambda host: log_in_by_browser(host, Browser(product).open))
    with sluice_client.connect(**product.hosts, interactive=True) as client:
        assert client.query("SELECT 1").fetchall() == [(1,)]
    with sluice_client.connect() as client:
        assert client.me()["user"] == ANALYST["email"]
    assert ANALYST["email"] in run_cli(product, "whoami")


def test_person_logs_in_again_after_the_end_of_a_session(product: Product, stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "log_in_person", lambda host: log_in_by_browser(host, Browser(product).open))
    stored.unlink()  # as after a session that has ended
    with sluice_client.connect(interactive=False) as client:
        with pytest.raises(sluice_client.NotLoggedIn, match="Run `sluice login`"):
            client.query("SELECT 1").fetchall()
    assert not stored.exists()
    with sluice_client.connect(interactive=True) as client:
        assert client.query("SELECT 1").fetchall() == [(1,)]
    before = stored.read_text()
    with sluice_client.connect(interactive=True) as client:
        assert client.me()["user"] == ANALYST["email"]
    assert stored.read_text() == before
    assert ANALYST["email"] in run_cli(product, "whoami")


def answer_device(product: Product, monkeypatch: pytest.MonkeyPatch, decision: str) -> list[str]:
    """Lets a person enter the code of a device as soon as it is shown, and returns what is shown."""
    shown: list[str] = []

    def say(text: str) -> None:
        shown.append(text)
        found = re.search(r"enter the code ([A-Z-]+)\.", text)
        assert found is not None
        Browser(product, decision).decide_device(found[1])

    monkeypatch.setattr(interactive_login, "_say", say)
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return shown


def test_login_by_the_code_of_a_device_is_kept(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = answer_device(product, monkeypatch, "approve")
    with sluice_client.connect(**product.hosts, interactive=True) as client:
        assert client.query("SELECT 1").fetchall() == [(1,)]
    assert f"{product.api_url}/auth/device/acme" in shown[0]
    assert ANALYST["email"] in run_cli(product, "whoami")
    with sluice_client.connect() as client:
        assert client.me()["user"] == ANALYST["email"]


def test_code_of_a_device_that_is_denied(product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answer_device(product, monkeypatch, "deny")
    with pytest.raises(sluice_client.NotLoggedIn, match="not allowed on the page"):
        sluice_client.connect(**product.hosts, interactive=True)
    assert list((tmp_path / "config").rglob("*.json")) == []


ON_A_TERMINAL = "import sluice_client; print(sluice_client.connect().me()['user'])"
BROWSER = """
import sys
sys.path[:0] = [{tests!r}, {source!r}]
from conftest import Product
from test_login import Browser
Browser(Product(0, {api!r}, {stream!r})).open(sys.argv[1])
"""


def test_person_on_a_terminal_logs_in_by_browser(product: Product, tmp_path: Path) -> None:
    tests, source = str(Path(__file__).parent), str(ROOT / "packages" / "python" / "src")
    script = tmp_path / "browser.py"
    script.write_text(BROWSER.format(tests=tests, source=source, api=product.api_url, stream=product.stream_url))
    environment = {**os.environ, **product.environment, "BROWSER": f"{sys.executable} {script} %s"}
    for _ in range(2):  # the second time, the login is stored
        person, terminal = pty.openpty()
        run = subprocess.run(
            [sys.executable, "-c", ON_A_TERMINAL],
            stdin=terminal,
            stdout=subprocess.PIPE,
            stderr=terminal,
            env=environment,
            text=True,
            timeout=60,
            check=False,
        )
        os.close(terminal)
        os.close(person)
        assert run.stdout.strip() == ANALYST["email"]
        environment.pop("BROWSER", None)


def test_profile_of_the_command_line(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    run_cli(product, "login", "--profile", "work", "--email", ANALYST["email"], stdin=f"{ANALYST['password']}\n")
    with sluice_client.connect(profile="work") as client:
        assert client.me()["user"] == ANALYST["email"]
    monkeypatch.setenv("SLUICE_PROFILE", "work")
    with sluice_client.connect() as client:
        assert client.tenant == "acme"
