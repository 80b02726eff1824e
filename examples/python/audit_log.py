"""Counts the actions of the last hour, page by page, with the standard library only."""

import collections
import json
import os
import time
import urllib.request

API_URL = os.environ.get("SLUICE_API_URL", "http://127.0.0.1:8080")
TENANT = os.environ.get("SLUICE_TENANT", "acme")
LOGIN = {
    "email": os.environ.get("SLUICE_EMAIL", "auditor@acme.example"),
    "password": os.environ.get("SLUICE_PASSWORD", "sluice-demo"),
}


def send(path, headers, body=None):
    """Sends GET, or POST with a body, and returns the JSON of the response."""
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(API_URL + path, data, {"content-type": "application/json", **headers})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


headers = {"idtoken": send(f"/auth/login/{TENANT}", {}, LOGIN)["id_token"]}
search = {"size": 20, "start": int((time.time() - 3600) * 1000)}
counts = collections.Counter()
page = send("/audits/logs/search", headers, search)
counts.update(record["action"] for record in page["data"])
while "next_page_token" in page:
    page = send(f"/audits/logs/search?page_token={page['next_page_token']}", headers)
    counts.update(record["action"] for record in page["data"])
for action, count in sorted(counts.items()):
    print(action, count)
print(f"{counts.total()} of {page['total']} records")
