"""Prints a line of JSON for each check of a program: ``{"check": name, "ok": true, "value": ...}``."""

import json
import os
import re
import sys
import time
import traceback
from urllib.parse import urlsplit

URL = urlsplit(os.environ["DOOR_URL"])
USER = os.environ["DOOR_USER"]
PASSWORD = os.environ.get("DOOR_PASSWORD")
CA = os.environ.get("DOOR_CA")
CATALOG = os.environ["DOOR_CATALOG"]
SCHEMA = os.environ["DOOR_SCHEMA"]
VERBOSE = "DOOR_VERBOSE" in os.environ
# Libraries repeat the driver's text of an error, which has the id of the query.
QUERY_ID = re.compile(r", query_id=[^)]*")


def check(name, work):
    """Runs ``work``, and prints its result, or the type and message of what it raises, which no target may have in common."""
    started = time.monotonic()
    try:
        line = {"check": name, "ok": True, "value": work()}
    except Exception as error:  # noqa: BLE001
        line = {"check": name, "ok": False, "value": failure_of(error)}
        if VERBOSE:
            traceback.print_exc()
    print(json.dumps(line, default=repr), flush=True)
    if VERBOSE:
        print(f"{name}: {time.monotonic() - started:.2f} s", file=sys.stderr)


def failure_of(error):
    """Returns what identifies an error of a statement on every server: the names and the position, not the words."""
    origin = getattr(error, "orig", None) or error
    name = getattr(origin, "error_name", None)
    if not name:
        return f"{type(origin).__name__}: {QUERY_ID.sub('', str(origin))[:200]}"
    location = (getattr(origin, "_error", None) or {}).get("errorLocation") or {}
    return [type(origin).__name__, name, origin.error_type, location.get("lineNumber"), location.get("columnNumber")]


def fails(work):
    """Returns how ``work`` fails. Raises if it does not."""
    try:
        result = work()
    except Exception as error:  # noqa: BLE001
        return failure_of(error)
    raise AssertionError(f"no error, but {result!r}")
