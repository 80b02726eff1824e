"""Loads a CSV file with a header into a new SQLite database: python make_sqlite.py CSV DATABASE TABLE COLUMN_TYPES."""

import csv
import sqlite3
import sys

source, target, table, types = sys.argv[1:]
database = sqlite3.connect(target)
with open(source, newline="", encoding="utf-8") as file:
    rows = csv.reader(file)
    columns = ", ".join(f'"{name}" {kind}' for name, kind in zip(next(rows), types.split(",")))
    database.execute(f"CREATE TABLE {table} ({columns})")
    marks = ", ".join("?" for _ in types.split(","))
    database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
database.commit()
database.close()
