"""A place for a file that is checked before it is read: memory while it is small, else the folder of temporary files."""

from __future__ import annotations

import tempfile
from types import TracebackType
from typing import Any

from .errors import TargetFailed

MEMORY_BYTES_MAX = 16 * 1024 * 1024


class Spool:
    """Bytes of one file. They are removed when the object is closed or forgotten."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self._file: Any = None

    @property
    def size(self) -> int:
        """Number of bytes so far."""
        return self._size

    def write(self, piece: bytes) -> None:
        """Adds bytes.

        Raises:
            TargetFailed: if the folder of temporary files is full
        """
        self._size += len(piece)
        if self._file is None and self._size <= MEMORY_BYTES_MAX:
            self._pieces.append(piece)
            return
        try:
            if self._file is None:
                self._file = tempfile.NamedTemporaryFile(prefix="sluice-", suffix=".parquet")  # noqa: SIM115
                self._file.writelines(self._pieces)
                self._pieces = []
            self._file.write(piece)
        except OSError as cause:
            raise TargetFailed(
                f"{tempfile.gettempdir()} cannot hold the result ({cause.strerror}). Free some space, or set TMPDIR."
            ) from cause

    def open(self, arrow: Any) -> Any:
        """Returns a source of bytes for pyarrow, which is `arrow`."""
        if self._file is None:
            return arrow.BufferReader(b"".join(self._pieces))
        try:
            self._file.flush()
        except OSError as cause:
            raise TargetFailed(
                f"{tempfile.gettempdir()} cannot hold the result ({cause.strerror}). Free some space, or set TMPDIR."
            ) from cause
        return arrow.memory_map(self._file.name)

    def close(self) -> None:
        """Removes the bytes."""
        self._pieces = []
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
