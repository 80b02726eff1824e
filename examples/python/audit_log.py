"""Counts the actions of the last hour, page by page."""

import collections
import json
import time

import sluice

headers = sluice.login("auditor@acme.example")
search = {"size": 20, "start": int((time.time() - 3600) * 1000)}
counts = collections.Counter()
response = sluice.send(f"{sluice.API_URL}/audits/logs/search", headers, search)
while True:
    page = json.load(response)
    counts.update(record["action"] for record in page["data"])
    if "next_page_token" not in page:
        break
    response = sluice.send(f"{sluice.API_URL}/audits/logs/search?page_token={page['next_page_token']}", headers)
for action, count in sorted(counts.items()):
    print(action, count)
print(f"{counts.total()} of {page['total']} records")
