"""Downloads a CSV file and checks it against its receipt."""

import sys

import sluice

FILE = sys.argv[1] if len(sys.argv) > 1 else "flights.csv"
SQL = "SELECT * FROM flights ORDER BY date, origin, destination, distance, delay LIMIT 100000"
receipt = sluice.download(SQL, FILE, sluice.basic("analyst@acme.example"))
print(f"{FILE} is complete: {receipt['rows']} rows, {receipt['bytes']} bytes, SHA-256 {receipt['sha256']}")
