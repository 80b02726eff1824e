"""Describes every table of the demo, in calls of 50 objects. Prints what failed."""

import sys

import sluice_client

sluice = sluice_client.connect(
    "http://127.0.0.1:8080",
    stream_url="http://127.0.0.1:8081",
    tenant="acme",
    email="steward@acme.example",
    password="sluice-demo",
)
names = ['"' + table["name"].replace('"', '""') + '"' for table in sluice.catalog.tables("demo", "vega")]
results = sluice.metadata.apply({"type": "TABLE", "id": f"demo.vega.{name}", "add_tags": ["demo"]} for name in names)
failed = [result for result in results if not result["success"]]
for result in failed:
    print(f"{result['id']}: {result['error_message']}", file=sys.stderr)
print(f"{len(results) - len(failed)} described, {len(failed)} failed")
sys.exit(1 if failed else 0)
