"""A client of Sluice in one file, with the standard library only. Copy it."""

import base64
import hashlib
import json
import os
import time
import urllib.error
import urllib.request
from decimal import Decimal

STREAM_URL = os.environ.get("SLUICE_STREAM_URL", "http://127.0.0.1:8081")
API_URL = os.environ.get("SLUICE_API_URL", "http://127.0.0.1:8080")
TENANT = os.environ.get("SLUICE_TENANT", "acme")
PASSWORD = os.environ.get("SLUICE_PASSWORD", "sluice-demo")
TRIES = 5


class SluiceError(Exception):
    """An error that Sluice reported: a code and one sentence."""


class IncompleteResult(SluiceError):
    """The connection ended before the result did. Do not use what arrived."""


def basic(email):
    """Returns the headers of a user with a password."""
    pair = f"{os.environ.get('SLUICE_EMAIL', email)}:{PASSWORD}"
    return {"authorization": "Basic " + base64.b64encode(pair.encode()).decode()}


def login(email):
    """Logs in and returns the headers that the API host takes."""
    body = {"email": os.environ.get("SLUICE_EMAIL", email), "password": PASSWORD}
    with send(f"{API_URL}/auth/login/{TENANT}", {}, body) as response:
        return {"idtoken": json.load(response)["id_token"]}


def send(url, headers, body=None):
    """Sends GET, or POST with a body. Tries again after 429 and 503, when nothing has run yet."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json", **headers})
    for attempt in range(TRIES):
        try:
            return urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == TRIES - 1:
                problem = json.load(error)
                raise SluiceError(f"{problem['error']}: {problem['message']} (request {problem['request_id']})") from None
            time.sleep(float(error.headers.get("retry-after", 1)))


def query(sql, headers):
    """Yields the rows of a query. Raises IncompleteResult if the stream was cut. Numbers keep every digit."""
    with send(f"{STREAM_URL}/query", headers, {"sql": sql}) as response:
        for line in response:
            if not line.startswith(b"data: "):
                continue
            event = json.loads(line[6:], parse_float=Decimal)
            if event["type"] == "row":
                yield event["data"]
            elif event["type"] == "error":
                raise SluiceError(f"{event['code']}: {event['error']}")
            elif event["type"] == "complete":
                return
    raise IncompleteResult("The stream ended without `complete`.")


def download(sql, file, headers, kind="csv"):
    """Writes a file and returns its receipt. The file gets its name only when its SHA-256 equals the receipt's."""
    digest = hashlib.sha256()
    with send(f"{STREAM_URL}/query/download/{kind}", headers, {"sql": sql}) as response, open(f"{file}.part", "wb") as part:
        while piece := response.read(1 << 20):
            digest.update(piece)
            part.write(piece)
        query_id = response.headers["x-query-id"]
    with send(f"{STREAM_URL}/query/{query_id}", headers) as response:
        receipt = json.load(response)
    if receipt["sha256"] != digest.hexdigest():
        raise IncompleteResult(f"{file}.part is not the file that was sent.")
    os.replace(f"{file}.part", file)
    return receipt
