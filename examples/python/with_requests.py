"""Downloads a file with requests and checks it against its receipt. Needs: pip install requests"""

import hashlib
import os
import sys

import requests

STREAM_URL = os.environ.get("SLUICE_STREAM_URL", "http://127.0.0.1:8081")
ACCOUNT = (os.environ.get("SLUICE_EMAIL", "analyst@acme.example"), os.environ.get("SLUICE_PASSWORD", "sluice-demo"))
FILE = sys.argv[1] if len(sys.argv) > 1 else "flights.csv"
SQL = "SELECT * FROM flights ORDER BY date, origin, destination, distance, delay LIMIT 100000"

digest = hashlib.sha256()
with requests.post(f"{STREAM_URL}/query/download/csv", json={"sql": SQL}, auth=ACCOUNT, stream=True, timeout=60) as response:
    if not response.ok:
        sys.exit(f"{response.json()['error']}: {response.json()['message']}")
    with open(f"{FILE}.part", "wb") as part:
        # Raises ChunkedEncodingError if the transfer was cut.
        for piece in response.iter_content(1 << 20):
            digest.update(piece)
            part.write(piece)
receipt = requests.get(f"{STREAM_URL}/query/{response.headers['x-query-id']}", auth=ACCOUNT, timeout=60).json()
if receipt["sha256"] != digest.hexdigest():
    sys.exit(f"{FILE}.part is not the file that was sent.")
os.replace(f"{FILE}.part", FILE)
print(f"{FILE} is complete: {receipt['rows']} rows, {receipt['bytes']} bytes, SHA-256 {receipt['sha256']}")
