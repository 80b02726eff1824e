"""Streams a query row by row. Numbers keep every digit."""

import sluice_client

sluice = sluice_client.connect(
    "http://127.0.0.1:8080",
    stream_url="http://127.0.0.1:8081",
    tenant="acme",
    email="analyst@acme.example",
    password="sluice-demo",
)
result = sluice.query(
    """SELECT origin, count(*) AS flights, avg(delay)::DECIMAL(5, 1) AS average_delay
       FROM flights GROUP BY origin ORDER BY flights DESC LIMIT 3"""
)
for row in result:
    print(row)
print(result)
