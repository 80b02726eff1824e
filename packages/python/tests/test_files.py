"""Files that get their names when they are whole. No test here needs a host."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import sluice_client
from sluice_client.files import PartFile

THREADS = 8
PIECES = 64
PIECE_BYTES = 16_384


def test_downloads_to_one_path(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    begun = threading.Barrier(THREADS)

    def download(number: int) -> None:
        file = PartFile(path)
        begun.wait()
        for _ in range(PIECES):
            file.write(bytes([number]) * PIECE_BYTES)
        file.commit()
        seen = path.read_bytes()
        assert len(seen) == PIECES * PIECE_BYTES
        assert len(set(seen)) == 1

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(download, range(THREADS)))
    assert list(tmp_path.iterdir()) == [path]


def test_failed_download_beside_another(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    failed, other = PartFile(path), PartFile(path)
    failed.write(b"half")
    other.write(b"whole")
    failed.abort()
    other.commit()
    assert path.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["x" * 251 + ".csv", "ü" * 125 + ".csv"])
def test_longest_names(tmp_path: Path, name: str) -> None:
    file = PartFile(tmp_path / name)
    file.write(b"1")
    file.commit()
    assert (tmp_path / name).read_bytes() == b"1"


def test_name_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(sluice_client.TargetFailed, match="cannot be written"):
        PartFile(tmp_path / ("x" * 256))
    assert list(tmp_path.iterdir()) == []
