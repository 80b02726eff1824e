"""Downloads a CSV file, which gets its name only when its SHA-256 equals the receipt's."""

import sys

import sluice_client

FILE = sys.argv[1] if len(sys.argv) > 1 else "flights.csv"
SQL = "SELECT * FROM flights ORDER BY date, origin, destination, distance, delay LIMIT 100000"
sluice = sluice_client.connect(
    "http://127.0.0.1:8080",
    stream_url="http://127.0.0.1:8081",
    tenant="acme",
    email="analyst@acme.example",
    password="sluice-demo",
)
saved = sluice.download(SQL, FILE)
print(f"{FILE} is complete: {saved.rows} rows, {saved.bytes} bytes, SHA-256 {saved.sha256}")
