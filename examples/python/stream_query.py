"""Streams a query row by row."""

import sluice

SQL = """SELECT origin, count(*) AS flights, round(avg(delay), 1)::VARCHAR AS average_delay
         FROM flights GROUP BY origin ORDER BY flights DESC LIMIT 3"""
rows = 0
for row in sluice.query(SQL, sluice.basic("analyst@acme.example")):
    print(row)
    rows += 1
print(f"complete: {rows} rows")
