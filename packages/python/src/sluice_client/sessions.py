"""Ends the sessions of clients that are closed, forgotten, or left at the end of the process."""

from __future__ import annotations

import asyncio
import atexit
import os
import weakref
from typing import Any

from .effects import run_apart
from .requests import Connection


def end_session_with(owner: object, connection: Connection) -> weakref.finalize[..., Any]:
    """Ends the session of a connection when an object is forgotten, at the end of the process, or when the result is called."""
    finalizer = weakref.finalize(owner, _end_session, connection, os.getpid())
    finalizer.atexit = False
    # Threads of the interpreter still run in functions of atexit, and no longer in a finalizer after them.
    atexit.register(finalizer)
    return finalizer


def _end_session(connection: Connection, process: int) -> None:
    """Ends a session. A process that was forked leaves it to its parent, and a thread does it for an event loop."""
    if process != os.getpid():
        return
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        connection.tokens.close()
    else:
        run_apart(connection.tokens.close, "sluice-close")
