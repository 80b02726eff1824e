"""Reads a result into pandas without changing a digit. Needs: pip install 'sluice-client[pandas]'"""

import sluice_client

sluice = sluice_client.connect(
    "http://127.0.0.1:8080",
    stream_url="http://127.0.0.1:8081",
    tenant="acme",
    email="analyst@acme.example",
    password="sluice-demo",
)
frame = sluice.query(
    """SELECT origin, count(*) AS flights, sum(distance)::DECIMAL(38, 2) AS distance
       FROM flights GROUP BY origin ORDER BY flights DESC LIMIT 3"""
).to_pandas()
print(frame.to_string(index=False))
print(frame.dtypes.to_string())
