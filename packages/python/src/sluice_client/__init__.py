"""Client of Sluice: from a statement to a dataframe that is provably whole.

import sluice_client

sluice = sluice_client.connect()
df = sluice.query("SELECT * FROM flights WHERE origin = $o", o="SFO").to_pandas()
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._version import __version__
from .errors import (
    ConnectionFailed,
    DatabaseError,
    DataError,
    Detail,
    Error,
    IncompleteResult,
    IntegrityError,
    InterfaceError,
    InternalError,
    Location,
    NotLoggedIn,
    NotSupported,
    NotSupportedError,
    OperationalError,
    PrecisionError,
    ProgrammingError,
    QueryEnded,
    QueryFailed,
    RequestRejected,
    ResponseError,
    SluiceError,
    TargetFailed,
    UsageError,
)

if TYPE_CHECKING:
    from .async_client import AsyncClient
    from .async_result import AsyncResult
    from .client import Client
    from .events import Progress
    from .files import SavedFile
    from .receipts import Receipt
    from .requests import Connection
    from .result import Result
    from .resuming import Resumption
    from .sources import Datamap, Item
    from .types import Column

# The modules of these names are imported when one of them is used: httpx and asyncio take most of the time of an import,
# and schedulers import programs every few seconds only to see which tasks they have.
_MODULES = {
    "AsyncClient": "async_client",
    "AsyncResult": "async_result",
    "Client": "client",
    "Column": "types",
    "Datamap": "sources",
    "Item": "sources",
    "Progress": "events",
    "Receipt": "receipts",
    "Result": "result",
    "Resumption": "resuming",
    "SavedFile": "files",
}

__all__ = [
    "AsyncClient",
    "AsyncResult",
    "Client",
    "Column",
    "ConnectionFailed",
    "DataError",
    "DatabaseError",
    "Datamap",
    "Detail",
    "Error",
    "IncompleteResult",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "Item",
    "Location",
    "NotLoggedIn",
    "NotSupported",
    "NotSupportedError",
    "OperationalError",
    "PrecisionError",
    "ProgrammingError",
    "Progress",
    "QueryEnded",
    "QueryFailed",
    "Receipt",
    "RequestRejected",
    "ResponseError",
    "Result",
    "Resumption",
    "SavedFile",
    "SluiceError",
    "TargetFailed",
    "UsageError",
    "__version__",
    "connect",
    "connect_async",
]


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _open(arguments: Mapping[str, Any]) -> Connection:
    from .client import http_options
    from .connecting import open_connection

    names = ("url", "stream_url", "tenant", "email", "password", "client_id", "client_secret", "token", "profile")
    headers = {"user-agent": f"sluice-client/{__version__}"}
    return open_connection(
        {name: arguments[name] for name in names},
        http_options(arguments["verify"], arguments["proxy"], arguments["limits"], headers),
        timeout=arguments["timeout"],
        idle_timeout=arguments["idle_timeout"],
        retries=arguments["retries"],
        interactive=arguments["interactive"],
    )


def connect(
    url: str | None = None,
    *,
    stream_url: str | None = None,
    tenant: str | None = None,
    email: str | None = None,
    password: str | None = None,
    client_id: str | None = None,
    client_secret: str | None = None,
    token: str | None = None,
    profile: str | None = None,
    verify: Any = True,
    proxy: Any = None,
    limits: Any = None,
    timeout: float = 60.0,
    idle_timeout: float | None = None,
    retries: int = 3,
    interactive: bool | None = None,
) -> Client:
    """Connects to the hosts of a tenant. What is not passed is that of the environment, else of `sluice login`.

    Args:
        url: URL of the API host. `https://acme-api.example.com` also names the tenant and the stream host
        stream_url: URL of the stream host
        tenant: name of the tenant
        email: e-mail of a user with a password
        password: password of that user
        client_id: client id of a service account
        client_secret: secret of that service account
        token: access token that was obtained elsewhere. It is not renewed
        profile: profile of the command line, before the environment
        verify: certificates to trust, as httpx takes it
        proxy: URL of a proxy. Default: HTTPS_PROXY and HTTP_PROXY
        limits: `httpx.Limits` of the pool of connections
        timeout: time limit in seconds of what is not a query or download
        idle_timeout: longest silence of a stream of rows in seconds. Default: SLUICE_IDLE_TIMEOUT, else 60
        retries: maximum number of retries of a request that cannot have run, or has no effect when it runs twice
        interactive: whether a person may be asked to log in. Default: on a terminal and in a notebook

    Raises:
        UsageError: if an argument or a variable is invalid, or an address is missing
        NotLoggedIn: if there is no login
    """
    arguments = locals()  # before the import, which adds a name
    from .client import Client

    return Client(_open(arguments))


def connect_async(
    url: str | None = None,
    *,
    stream_url: str | None = None,
    tenant: str | None = None,
    email: str | None = None,
    password: str | None = None,
    client_id: str | None = None,
    client_secret: str | None = None,
    token: str | None = None,
    profile: str | None = None,
    verify: Any = True,
    proxy: Any = None,
    limits: Any = None,
    timeout: float = 60.0,
    idle_timeout: float | None = None,
    retries: int = 3,
    interactive: bool | None = None,
) -> AsyncClient:
    """Connects to the hosts of a tenant for programs with `asyncio`. See `connect`."""
    arguments = locals()  # before the import, which adds a name
    from .async_client import AsyncClient

    return AsyncClient(_open(arguments))


def load_ipython_extension(shell: Any) -> None:
    """Adds `%%sluice` to a notebook: `%load_ext sluice_client`."""
    from .notebook import load

    load(shell)
