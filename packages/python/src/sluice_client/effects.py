"""Input and output of the package, described as values.

Everything that the synchronous and the asynchronous client have in common is written once, as generators that yield effects
and receive their results. `SyncIO` and `AsyncIO` perform them with `httpx`.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import sys
import threading
import time
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeVar, cast

import httpx

from .errors import SluiceError

HIDDEN_PACKAGES = frozenset({"sluice_client", "httpx", "httpcore", "anyio"}) | sys.stdlib_module_names
"""Packages between the caller and its connections, whose frames bury the sentence of an error in a notebook."""

T = TypeVar("T")


@dataclass
class Reply:
    """A response whose body is read piece by piece."""

    response: httpx.Response
    pieces: Iterator[bytes] | AsyncIterator[bytes] | None = None

    @property
    def status(self) -> int:
        """Status of the response."""
        return self.response.status_code

    def header(self, name: str) -> str | None:
        """Returns a header; None if it is absent."""
        value = self.response.headers.get(name)
        return None if value is None else str(value)


@dataclass(frozen=True)
class Send:
    """Sends a request. Its result is a Reply as soon as the headers have arrived."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    timeout: httpx.Timeout


@dataclass(frozen=True)
class Read:
    """Reads the next piece of a body, uncompressed. Its result is None at the end."""

    reply: Reply


@dataclass(frozen=True)
class Close:
    """Closes a response, read to its end or not."""

    reply: Reply


@dataclass(frozen=True)
class Sleep:
    """Waits for some seconds."""

    seconds: float


@dataclass(frozen=True)
class Run:
    """Calls a function that may block, such as one that waits for the lock of a file."""

    function: Callable[[], Any]


@dataclass(frozen=True)
class Cancel:
    """Cancels a query on its host, in a thread that no event loop can hold up."""

    function: Callable[[], None]


Effect = Send | Read | Close | Sleep | Run | Cancel
Program = Generator[Effect, Any, T]
"""A program whose result has the type T."""


def send(effect: Send) -> Program[Reply]:
    """Sends a request."""
    return cast("Reply", (yield effect))


def read(reply: Reply) -> Program[bytes | None]:
    """Returns the next piece of a body; None at its end."""
    return cast("bytes | None", (yield Read(reply)))


def read_all(reply: Reply) -> Program[bytes]:
    """Returns the rest of a body and closes the response."""
    pieces: list[bytes] = []
    try:
        while (piece := (yield from read(reply))) is not None:
            pieces.append(piece)
    finally:
        yield Close(reply)
    return b"".join(pieces)


def call(function: Callable[[], T]) -> Program[T]:
    """Returns the result of a function that may block."""
    return cast("T", (yield Run(function)))


def without_frames(error: SluiceError) -> SluiceError:
    """Returns an error, and its causes, with the frames of the caller's own functions only, such as `on_progress`."""
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        each.__traceback__ = _frames_of_caller(each.__traceback__)
        if isinstance(each, httpx.HTTPError):
            # Between it and the error of the system is the same error of the layers below.
            root = _system_error(each)
            each.__context__, each.__cause__ = None, root
            if root is not None:
                root.__traceback__, root.__context__, root.__cause__ = None, None, None
            break
        if each.__traceback__ is None:
            each.__context__ = None
        each = each.__cause__
    return error


def _frames_of_caller(trace: TracebackType | None) -> TracebackType | None:
    frames: list[TracebackType] = []
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__", "").partition(".")[0] not in HIDDEN_PACKAGES:
            frames.append(trace)
        trace = trace.tb_next
    rest: TracebackType | None = None
    for each in reversed(frames):
        rest = TracebackType(rest, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return rest


def _system_error(error: BaseException) -> OSError | None:
    """Returns the deepest cause that the operating system or TLS reported."""
    found: OSError | None = None
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        found = each if isinstance(each, OSError) else found
        each = each.__cause__ or each.__context__
    return found


@dataclass(frozen=True)
class HttpOptions:
    """Options of the connections, as httpx has them."""

    verify: Any = True
    proxy: Any = None
    limits: httpx.Limits = field(default_factory=lambda: httpx.Limits(max_connections=None, max_keepalive_connections=20))
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def arguments(self) -> dict[str, Any]:
        """Returns the arguments of a client of httpx."""
        return {
            "verify": self.verify,
            "proxy": self.proxy,
            "limits": self.limits,
            "headers": dict(self.headers),
            "follow_redirects": False,  # a redirect could send the token elsewhere
        }


def run_apart(function: Callable[[], object], name: str) -> None:
    """Calls a function in a thread that the interpreter waits for, or here if it starts no more threads."""
    try:
        threading.Thread(target=function, name=name).start()
    except RuntimeError:
        function()


class SyncIO:
    """Performs effects with the connections of this process. A process that was forked opens its own."""

    def __init__(self, options: HttpOptions) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._process = 0
        self._finalizer: weakref.finalize[..., SyncIO] | None = None

    @property
    def client(self) -> httpx.Client:
        """Pool of connections."""
        with self._lock:
            if self._client is None or self._process != os.getpid():
                # The connections of the parent process must not be closed here: it uses them.
                self._client = httpx.Client(**self._options.arguments())
                self._process = os.getpid()
                # If the caller forgets close(), the sockets are closed all the same, and Python does not warn of them.
                self._forget_finalizer()
                self._finalizer = weakref.finalize(self, _close_here, self._client, self._process)
            return self._client

    def perform(self, effect: Effect) -> Any:
        """Performs one effect and returns its result."""
        if isinstance(effect, Read):
            reply = effect.reply
            if reply.pieces is None:
                reply.pieces = reply.response.iter_bytes()
            return next(cast("Iterator[bytes]", reply.pieces), None)
        if isinstance(effect, Send):
            client = self.client
            request = client.build_request(
                effect.method,
                effect.url,
                headers=dict(effect.headers),
                content=effect.content,
                timeout=effect.timeout,
            )
            return Reply(client.send(request, stream=True))
        if isinstance(effect, Close):
            return effect.reply.response.close()
        if isinstance(effect, Sleep):
            return time.sleep(effect.seconds)
        return effect.function()

    def run(self, program: Program[T]) -> T:
        """Runs a program to its end and returns its result.

        Raises:
            SluiceError: with the frames of the caller only
        """
        try:
            return self._run(program)
        except SluiceError as error:
            raise without_frames(error)  # noqa: B904 (it is the same error)

    def _run(self, program: Program[T]) -> T:
        """Performs the effects of a program. An interruption, wherever it arrives, reaches the program."""
        step: Callable[[Any], Effect] = program.send
        value: Any = None
        while True:
            try:
                effect = step(value)
                value, step = self.perform(effect), program.send
            except StopIteration as end:  # noqa: PERF203 (each step can end the program)
                return cast("T", end.value)
            except BaseException as error:
                if inspect.getgeneratorstate(program) == inspect.GEN_CLOSED:  # the program has ended with this error
                    value = None  # it may be this error, whose frames refer to this one
                    raise
                value, step = error, cast("Callable[[Any], Effect]", program.throw)

    def close(self) -> None:
        """Closes all connections."""
        with self._lock:
            if self._client is not None and self._process == os.getpid():
                self._client.close()
            self._client = None
            self._forget_finalizer()

    def _forget_finalizer(self) -> None:
        if self._finalizer is not None:
            self._finalizer.detach()
            self._finalizer = None


def _close_here(client: httpx.Client, process: int) -> None:
    """Closes connections, unless they are those of the parent process."""
    if process == os.getpid():
        client.close()


class AsyncIO:
    """Performs effects in the event loop that runs. Each loop has connections of its own, which end with it."""

    def __init__(self, options: HttpOptions) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._pools: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Pool] = weakref.WeakKeyDictionary()

    async def _client(self) -> httpx.AsyncClient:
        """Returns the pool of connections of the loop that runs."""
        loop = asyncio.get_running_loop()
        with self._lock:
            pool = self._pools.get(loop)
            if pool is not None:
                return pool.client
            for each in [each for each in self._pools if each.is_closed()]:
                del self._pools[each]  # its connections refer to it
            client = httpx.AsyncClient(**self._options.arguments())
            pool = self._pools[loop] = _Pool(client, _close_with_loop(client))
        await anext(pool.end)
        return client

    async def perform(self, effect: Effect) -> Any:
        """Performs one effect and returns its result."""
        if isinstance(effect, Read):
            reply = effect.reply
            if reply.pieces is None:
                reply.pieces = reply.response.aiter_bytes()
            return await anext(cast("AsyncIterator[bytes]", reply.pieces), None)
        if isinstance(effect, Send):
            client = await self._client()
            request = client.build_request(
                effect.method,
                effect.url,
                headers=dict(effect.headers),
                content=effect.content,
                timeout=effect.timeout,
            )
            return Reply(await client.send(request, stream=True))
        if isinstance(effect, Close):
            # The pool may be closed already: at the end of a loop, asyncio closes everything at once.
            with contextlib.suppress(httpx.HTTPError, RuntimeError, OSError):
                await effect.reply.response.aclose()
            return None
        if isinstance(effect, Sleep):
            return await asyncio.sleep(effect.seconds)
        if isinstance(effect, Cancel):
            # The interpreter waits for it, at most as long as its time-out.
            return run_apart(effect.function, "sluice-cancel")
        return await asyncio.to_thread(effect.function)

    async def run(self, program: Program[T]) -> T:
        """Runs a program to its end and returns its result.

        Raises:
            SluiceError: with the frames of the caller only
        """
        try:
            return await self._run(program)
        except SluiceError as error:
            raise without_frames(error)  # noqa: B904 (it is the same error)

    async def _run(self, program: Program[T]) -> T:
        step: Callable[[Any], Effect] = program.send
        value: Any = None
        while True:
            try:
                effect = step(value)
            except StopIteration as end:
                return cast("T", end.value)
            finally:
                value = None  # it may be the error that ends the program, whose frames refer to this one
            try:
                value, step = await self.perform(effect), program.send
            except GeneratorExit:
                self._leave(program)
                raise
            except BaseException as error:  # a cancellation too: the program cancels its query
                value, step = error, cast("Callable[[Any], Effect]", program.throw)

    @staticmethod
    def _leave(program: Program[Any]) -> None:
        """Ends a program whose event loop has ended, so that only threads can work."""
        try:
            effect = program.throw(asyncio.CancelledError())
            while True:
                if isinstance(effect, Cancel):
                    run_apart(effect.function, "sluice-cancel")
                effect = program.send(None)
        except BaseException:  # noqa: S110 (the caller raises)
            pass

    async def close(self) -> None:
        """Closes all connections. Other loops that run close theirs soon."""
        with self._lock:
            pool = self._pools.pop(asyncio.get_running_loop(), None)
            self._pools.clear()
        if pool is not None:
            await pool.end.aclose()


@dataclass(frozen=True)
class _Pool:
    """Connections of one event loop. They are closed at the end of the loop, or when this object is forgotten."""

    client: httpx.AsyncClient
    end: AsyncGenerator[None, None]


async def _close_with_loop(client: httpx.AsyncClient) -> AsyncGenerator[None, None]:
    """Waits for the end of the loop: `asyncio.run` closes all asynchronous generators before it closes the loop."""
    try:
        yield
    finally:
        await client.aclose()
