"""Reads a Parquet file with chDB in this process and discards the rows: python read_chdb.py FILE FORMAT.

Prints one line of JSON: {"ms":..., "cpuSeconds":..., "bytes":...}, without the start of Python and of the engine.
"""

import json
import sys
import time

from chdb.session import Session

file, output_format = sys.argv[1:]
session = Session()
session.query("SELECT 1")
cpu_before = time.process_time()
start = time.perf_counter()
size = 0
for block in session.send_query(f"SELECT * FROM file('{file}')", output_format):
    size += block.size()
print(
    json.dumps(
        {
            "ms": (time.perf_counter() - start) * 1000,
            "cpuSeconds": time.process_time() - cpu_before,
            "bytes": size,
        }
    )
)
session.close()
