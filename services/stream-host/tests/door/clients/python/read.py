"""Reads the statement on stdin to its end, and prints its rows and the sums of its first column. Fails as the client does."""

import json
import sys

import dbapi_checks


def read(sql):
    rows, total, squares = 0, 0, 0
    cursor = dbapi_checks.connect().cursor()
    for n, *_ in cursor.execute(sql):
        rows, total, squares = rows + 1, total + n, (squares + n * n) % 1_000_003
    return {"rows": rows, "sum": total, "squares": squares}


if __name__ == "__main__":
    print(json.dumps(read(sys.stdin.read())))
