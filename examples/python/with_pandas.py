"""Reads a verified CSV file into pandas without changing a digit. Needs: pip install pandas"""

import pandas

import sluice

SQL = """SELECT origin, count(*) AS flights, sum(distance)::DECIMAL(38, 2) AS distance
         FROM flights GROUP BY origin ORDER BY flights DESC LIMIT 3"""
sluice.download(SQL, "by-origin.csv", sluice.basic("analyst@acme.example"))
# dtype=str keeps decimals exact; convert the columns that you compute with.
frame = pandas.read_csv("by-origin.csv", dtype={"distance": str})
print(frame.to_string(index=False))
