"""One real Sluice for all tests: the embedded product with its own ports and its own home."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# Processes that the tests start import the package of the checkout too.
os.environ["PYTHONPATH"] = str(ROOT / "packages" / "python" / "src")
sys.path.insert(0, os.environ["PYTHONPATH"])

import sluice_client  # noqa: E402

ANALYST = {"email": "analyst@acme.example", "password": "sluice-demo"}
STEWARD = {"email": "steward@acme.example", "password": "sluice-demo"}

ALL_CASES = os.environ.get("SLUICE_CASES") == "all"
CUTS = 300 if ALL_CASES else 40
"""Number of random bytes at which results are cut, in all ways out together."""


def free_ports(count: int) -> list[int]:
    """Returns ports that differ, because all are held until the last is chosen."""
    with contextlib.ExitStack() as held:
        listeners = [held.enter_context(socket.socket()) for _ in range(count)]
        for listener in listeners:
            listener.bind(("127.0.0.1", 0))
        return [int(listener.getsockname()[1]) for listener in listeners]


@dataclass(frozen=True)
class Product:
    """Addresses of a running Sluice."""

    pid: int
    api_url: str
    stream_url: str

    @property
    def hosts(self) -> dict[str, str]:
        return {"url": self.api_url, "stream_url": self.stream_url, "tenant": "acme"}

    @property
    def environment(self) -> dict[str, str]:
        return {"SLUICE_API_URL": self.api_url, "SLUICE_STREAM_URL": self.stream_url, "SLUICE_TENANT": "acme"}


@contextlib.contextmanager
def started(changes: dict[str, str]) -> Iterator[Product]:
    """Starts Sluice, and stops it at the end."""
    with tempfile.TemporaryDirectory(prefix="sluice-python-", ignore_cleanup_errors=True) as home:
        api, stream, provider = free_ports(3)
        environment = {
            **os.environ,
            "SLUICE_HOME": f"{home}/sluice",
            "API_PORT": str(api),
            "STREAM_PORT": str(stream),
            "IDP_PORT": str(provider),
            "LOG_LEVEL": os.environ.get("LOG_LEVEL", "error"),
            **changes,
        }
        process = subprocess.Popen(
            ["node", "services/embedded/dist/main.js"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        printed: list[str] = []
        for line in process.stdout:
            printed.append(line)
            if "Sluice is ready" in line:
                break
        else:
            raise AssertionError(f"Sluice did not start: {''.join(printed)}")
        try:
            yield Product(process.pid, f"http://127.0.0.1:{api}", f"http://127.0.0.1:{stream}")
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)


@pytest.fixture(scope="session")
def product() -> Iterator[Product]:
    with started({}) as running:
        yield running


@pytest.fixture(autouse=True)
def _no_own_login(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable and no profile of the person who runs the tests."""
    for name in list(os.environ):
        if name.startswith("SLUICE_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def client(product: Product) -> Iterator[sluice_client.Client]:
    with sluice_client.connect(**product.hosts, **ANALYST) as connected:
        yield connected


@pytest.fixture(scope="session")
def analyst_token(product: Product) -> str:
    import httpx

    response = httpx.post(f"{product.api_url}/auth/login/acme", json=ANALYST)
    return str(response.json()["access_token"])
