"""Describes every table of the demo, in calls of 50 objects. Prints what failed."""

import json
import sys
import uuid

import sluice

headers = sluice.login("steward@acme.example")
tables = list(sluice.query("SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'vega' ORDER BY 1",
                           sluice.basic("analyst@acme.example")))
names = ['"' + table["name"].replace('"', '""') + '"' for table in tables]
objects = [{"type": "TABLE", "id": f"demo.vega.{name}", "add_tags": ["demo"]} for name in names]
failed = 0
for first in range(0, len(objects), 50):
    # The key makes it safe to send the same call again: it is applied once.
    key = {"idempotency-key": str(uuid.uuid4())}
    with sluice.send(f"{sluice.API_URL}/metadata/import", {**headers, **key},
                     {"metadata_objects": objects[first:first + 50]}) as response:
        for result in json.load(response)["metadata_results"]:
            if not result["success"]:
                failed += 1
                print(f"{result['id']}: {result['error_message']}", file=sys.stderr)
print(f"{len(objects) - failed} described, {failed} failed")
sys.exit(1 if failed else 0)
