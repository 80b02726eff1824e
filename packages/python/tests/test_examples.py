"""Examples that the other documents do not run, because they need a library of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet

from conftest import ANALYST, ROOT, Product

EXAMPLE = ROOT / "examples" / "python" / "dagster_asset.py"


def run_example(product: Product, folder: Path, password: str) -> subprocess.CompletedProcess[str]:
    login = {"SLUICE_EMAIL": ANALYST["email"], "SLUICE_PASSWORD": password}
    environment = {**os.environ, **product.environment, **login, "DAGSTER_HOME": ""}
    run = [sys.executable, str(EXAMPLE)]
    return subprocess.run(run, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_asset_of_dagster(product: Product, tmp_path: Path) -> None:
    run = run_example(product, tmp_path, ANALYST["password"])
    assert run.returncode == 0, run.stderr
    assert "busiest_airports.parquet is complete: 229 rows, query " in run.stdout
    assert pyarrow.parquet.read_table(tmp_path / "busiest_airports.parquet").num_rows == 229
