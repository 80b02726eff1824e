"""Private files and the lock files that the command line uses too (packages/cli/src/credentials)."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import socket
import stat
import sys
import threading
import time
import uuid
from collections.abc import Generator
from pathlib import Path

from .errors import NotLoggedIn, SluiceError

FILE_MODE = 0o600
FOLDER_MODE = 0o700
HEARTBEAT_SECONDS = 2.0
STALE_SECONDS = 20.0
POLL_SECONDS = 0.025
WAIT_SECONDS_MAX = 120.0


def _require_private(path: Path, status: os.stat_result, allowed: int) -> None:
    if sys.platform == "win32":  # the folder is below %APPDATA%, which other users cannot read
        return
    if status.st_uid != os.geteuid():
        raise NotLoggedIn(f"{path} belongs to another user (id {status.st_uid}), so it is not used. Remove it.")
    mode = stat.S_IMODE(status.st_mode)
    if mode & 0o777 & ~allowed:
        raise NotLoggedIn(
            f"{path} is open to other users (mode {mode & 0o777:04o}), so it is not used. Run `chmod {allowed:o} {path}`; "
            "if others use this computer, log in again too."
        )


def read_private_file(path: Path) -> str | None:
    """Reads a file that only its owner may read; None if there is none. A symbolic link is not followed.

    Raises:
        NotLoggedIn: if it cannot be read, or is not private
    """
    try:
        folder = os.lstat(path.parent)
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(file, encoding="utf-8") as opened:
            _require_private(path.parent, folder, FOLDER_MODE)
            _require_private(path, os.fstat(opened.fileno()), FILE_MODE)
            return opened.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as cause:
        raise NotLoggedIn(f"{path} cannot be read ({cause}). Check its owner and mode.") from cause


def create_private_folder(path: Path) -> None:
    """Creates a folder that only its owner may use, with those above it."""
    # With parents=True, mkdir would make the folders above with the default mode, which others can read.
    for folder in (*reversed(path.parents), path):
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
    _require_private(path, os.lstat(path), FOLDER_MODE)


def write_private_file(path: Path, text: str) -> None:
    """Replaces a file in one step, so that a reader sees the old or the new text. Creates its folder.

    Raises:
        NotLoggedIn: if it cannot be written
    """
    unfinished = path.with_name(f"{path.name}.{uuid.uuid4()}")
    try:
        create_private_folder(path.parent)
        file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
        with os.fdopen(file, "w", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        os.replace(unfinished, path)
    except OSError as cause:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise NotLoggedIn(f"{path} cannot be written ({cause}). Check its folder and the free space.") from cause


def _create_lock(path: Path, holder: str) -> bool:
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    except FileExistsError:
        return False
    except OSError as cause:
        raise NotLoggedIn(f"The lock {path} cannot be created ({cause}). Check its folder.") from cause
    with os.fdopen(file, "w", encoding="utf-8") as opened:
        opened.write(holder)
    return True


def _holder(path: Path) -> dict[str, object]:
    """Returns what the lock file says; empty while it is written, or when it has gone."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _is_alive(holder: dict[str, object]) -> bool:
    pid = holder.get("pid")
    if holder.get("host") != socket.gethostname() or not isinstance(pid, int) or sys.platform == "win32":
        return True
    try:
        os.kill(pid, 0)
    except OSError as error:
        return error.errno == errno.EPERM
    return True


def _is_stale(path: Path) -> bool:
    """Returns whether the holder has ended without removing its lock."""
    holder = _holder(path)
    if holder and not _is_alive(holder):
        return True
    try:
        return time.time() - path.stat().st_mtime > STALE_SECONDS
    except OSError:
        return False


def _remove_stale(path: Path, holder: str) -> None:
    """Removes a stale lock under a second lock, so that a slow process does not remove the new lock of a faster one."""
    guard = path.with_name(f"{path.name}.takeover")
    if _create_lock(guard, holder):
        try:
            if _is_stale(path):
                path.unlink(missing_ok=True)
        finally:
            guard.unlink(missing_ok=True)
    elif _is_stale(guard):
        guard.unlink(missing_ok=True)


@contextlib.contextmanager
def file_lock(path: Path) -> Generator[None]:
    """Holds the lock file while no other process of this computer does, of this package or of the command line.

    Raises:
        NotLoggedIn: if the lock file cannot be created, or another process does not release it
    """
    identity = str(uuid.uuid4())
    holder = json.dumps({"id": identity, "pid": os.getpid(), "host": socket.gethostname()})
    try:
        create_private_folder(path.parent)
    except OSError as cause:
        raise NotLoggedIn(f"{path.parent} cannot be used ({cause}). Check its owner and mode.") from cause
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    while not _create_lock(path, holder):
        if _is_stale(path):
            _remove_stale(path, holder)
        if time.monotonic() > deadline:
            raise SluiceError("timeout", f"Another process has held {path} for {WAIT_SECONDS_MAX:.0f} s. End it.")
        time.sleep(POLL_SECONDS * (1 + random.random()))  # noqa: S311
    ended = threading.Event()

    def send_heartbeat() -> None:
        while not ended.wait(HEARTBEAT_SECONDS):
            with contextlib.suppress(OSError):
                os.utime(path)

    heartbeat = threading.Thread(target=send_heartbeat, name="sluice-lock", daemon=True)
    heartbeat.start()
    try:
        yield
    finally:
        ended.set()
        # After a long sleep of the computer another process may have taken it over.
        if _holder(path).get("id") == identity:
            path.unlink(missing_ok=True)
