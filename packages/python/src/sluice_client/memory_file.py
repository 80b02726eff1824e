"""A file in memory that is checked before it is read."""

from __future__ import annotations

from types import TracebackType
from typing import Any


class MemoryFile:
    """Bytes of one file, held once: the array grows in place, and pyarrow reads it without a copy."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._size = 0

    @property
    def size(self) -> int:
        """Number of bytes that arrived, also after `close`."""
        return self._size

    def write(self, piece: bytes) -> None:
        """Adds bytes, which is not possible any more after `open`."""
        self._bytes += piece
        self._size += len(piece)

    def open(self, arrow: Any) -> Any:
        """Returns a source of bytes for pyarrow, which is `arrow`."""
        return arrow.BufferReader(arrow.py_buffer(self._bytes))

    def close(self) -> None:
        """Frees the bytes, once pyarrow does not read them any more."""
        self._bytes = bytearray()

    def __enter__(self) -> MemoryFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
