"""Bad input gets one exception with one sentence, which has no secret."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import errno
import gc
import inspect
import json
import os
import re
import subprocess
import sys
import traceback
import uuid
import weakref
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import numpy
import pandas
import polars
import pytest

import sluice_client
from conftest import ANALYST, ROOT, Product
from sluice_client import Client, SluiceError
from sluice_client.effects import AsyncIO, HttpOptions, Program, SyncIO, call
from sluice_client.errors import Detail
from sluice_client.operations import _milliseconds
from sluice_client.parameters import encode_parameters
from sluice_client.requests import connection_failure
from test_types import code, tables

SECRET = "a-very-secret-word"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ({}, "not_logged_in", "sluice login"),
        ({"url": "ftp://x"}, "usage", "url= must be an http or https URL"),
        ({"url": "http://u:p@x"}, "usage", "must not contain a user name"),
        ({"url": "http://[x"}, "usage", "url= must be"),
        ({"url": "http://127.0.0.1:1", "tenant": "acme"}, "usage", "stream_url="),
        ({"email": "a@b.example"}, "usage", "one login"),
        ({"token": "a b"}, "usage", "printable"),
        ({"token": SECRET, "password": SECRET}, "usage", "one login"),
        ({"profile": "../x"}, "usage", "name of a profile"),
        ({"profile": "other"}, "usage", "There is no profile other"),
        ({"timeout": 0}, "usage", "timeout"),
        ({"idle_timeout": -1}, "usage", "idle_timeout"),
    ],
)
def test_arguments_of_connect(arguments: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(SluiceError, match=words) as raised:
        sluice_client.connect(**arguments)
    assert raised.value.code == code
    assert SECRET not in str(raised.value)


def test_no_login_without_a_person(product: Product) -> None:
    with pytest.raises(sluice_client.NotLoggedIn, match="sluice login"):
        sluice_client.connect(**product.hosts)


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"url": "http://127.0.0.1:1"}, "connection_failed", "could not be reached"),
        ({"url": "PLAIN"}, "connection_failed", "does not use TLS .* write http://127.0.0.1:"),
        ({"url": "http://acme.invalid"}, "connection_failed", "acme.invalid"),
        ({"tenant": "unknown"}, "not_found", ""),
        ({"password": SECRET}, "not_logged_in", "rejected"),
        ({"stream_url": "API"}, "not_found", ""),
    ],
)
def test_wrong_hosts(product: Product, changes: dict[str, str], code: str, words: str) -> None:
    arguments: dict[str, Any] = {**product.hosts, **ANALYST, **changes, "retries": 0}
    if arguments["stream_url"] == "API":
        arguments["stream_url"] = product.api_url
    if arguments["url"] == "PLAIN":
        arguments["url"] = product.api_url.removeprefix("http://")
    with sluice_client.connect(**arguments) as client, pytest.raises(SluiceError, match=words) as raised:
        client.query("SELECT 1").fetchall()
    assert raised.value.code == code
    assert SECRET not in str(raised.value)


def test_token_that_is_not_accepted(product: Product) -> None:
    with sluice_client.connect(**product.hosts, token=SECRET) as client:
        with pytest.raises(sluice_client.NotLoggedIn) as raised:
            client.query("SELECT 1").fetchall()
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    ("sql", "values", "error", "words"),
    [
        ("", {}, sluice_client.UsageError, "not blank"),
        (7, {}, sluice_client.UsageError, "string"),
        ("SELECT 1; SELECT 2", {}, sluice_client.QueryFailed, "read_only"),
        ("DROP TABLE flights", {}, sluice_client.QueryFailed, "read_only"),
        ("SELECT $a", {}, sluice_client.RequestRejected, "a"),
        ("SELECT 1", {"a": 1}, sluice_client.RequestRejected, "a"),
        ("SELECT $a", {"a": object()}, sluice_client.UsageError, "is an object, which has no type"),
        ("SELECT $a", {"a": b"x"}, sluice_client.UsageError, "is a bytes, which has no type in SQL. Pass a.hex"),
        ("SELECT $a", {"a": {"x": 1}}, sluice_client.UsageError, "type and value"),
        ("SELECT $a", {"a": [[1]]}, sluice_client.UsageError, "list in a list"),
        ("SELECT $a", {"a": [1.5, "x"]}, sluice_client.UsageError, "another type"),
        ("SELECT $a", {"a": Decimal("NaN")}, sluice_client.UsageError, "Use a float"),
        ("SELECT $a", {"a": Decimal(10) ** 40}, sluice_client.UsageError, "at most 38"),
        ("SELECT nope FROM flights", {}, sluice_client.QueryFailed, "nope"),
    ],
)
def test_statements(client: Client, sql: Any, values: dict[str, Any], error: type[SluiceError], words: str) -> None:
    for way in ("fetchall", "to_arrow"):
        with pytest.raises(error, match=words):
            getattr(client.query(sql, values), way)()


@pytest.mark.parametrize("options", [{"limit": 0}, {"limit": True}, {"limit": "9"}, {"keep": "soon"}])
def test_options(client: Client, options: dict[str, Any]) -> None:
    with pytest.raises(sluice_client.UsageError):
        client.query("SELECT 1", **options)


def test_time_zone_is_checked_by_the_host(client: Client) -> None:
    with pytest.raises(sluice_client.RequestRejected, match="IANA"):
        client.query("SELECT 1", time_zone="Mars/Olympus").fetchall()


def test_place_of_an_error(client: Client) -> None:
    sql = "SELECT 1,\n       nope\nFROM flights"
    with pytest.raises(sluice_client.QueryFailed) as raised:
        client.query(sql).fetchall()
    assert raised.value.excerpt() == "LINE 2:        nope\n               ^"
    assert str(raised.value).endswith("\n\nLINE 2:        nope\n               ^")
    assert raised.value.query_id in str(raised.value)


def test_place_in_one_line_has_no_number(client: Client) -> None:
    with pytest.raises(sluice_client.QueryFailed, match='Did you mean "flights"') as raised:
        client.query("SELECT 1 FROM flihgts").fetchall()
    assert raised.value.excerpt() == "SELECT 1 FROM flihgts\n              ^"


@pytest.mark.parametrize(
    ("sql", "values", "sentence"),
    [
        ("SELECT $a", {}, "The parameter a is missing: the SQL names $a at line 1, column 8."),
        ("SELECT 1", {"a": 1}, "The parameter a is not used: the SQL does not name $a outside string literals and comments."),
        ("SELECT 1", {"A": 1}, "The parameter A must be 1 to 128 of a-z, 0-9 and _, and not begin with a digit."),
        ("SELECT $a", {"a": ["x", 1]}, "The parameter a[1] is a number, but the first item is a varchar"),
    ],
)
def test_rejected_parameter_has_one_sentence(client: Client, sql: str, values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(sluice_client.RequestRejected) as raised:
        client.query(sql, values).fetchall()
    text = str(raised.value)
    assert text.startswith(sentence)
    assert (text.count(sentence), text.count("body.")) == (1, 0)
    assert raised.value.details[0].path.startswith("body.parameters.")


def test_rejected_option_has_one_sentence(client: Client) -> None:
    with pytest.raises(sluice_client.RequestRejected) as raised:
        client.query("SELECT 1", time_zone="Mars/Olympus").fetchall()
    assert str(raised.value).startswith("time_zone must be an IANA name such as Europe/Berlin. (invalid_request, ")


def test_second_way_out(client: Client) -> None:
    result = client.query("SELECT 1")
    assert result.fetchall() == [(1,)]
    for way in (result.rows, result.to_arrow):
        with pytest.raises(sluice_client.UsageError, match="read already"):
            way()
    assert repr(result) == "<Result: Complete, 1 row>"


def test_targets(client: Client, tmp_path: Path) -> None:
    with pytest.raises(sluice_client.TargetFailed, match="is a folder"):
        client.download("SELECT 1", tmp_path, "csv")
    with pytest.raises(sluice_client.UsageError, match="format="):
        client.download("SELECT 1", tmp_path / "a.txt")
    with pytest.raises(sluice_client.TargetFailed, match="cannot be written"):
        client.download("SELECT 1", tmp_path / "missing" / "a.csv")
    with pytest.raises(sluice_client.ResponseError):
        client.download(sluice_client.Item("unknown"), tmp_path / "a.csv")
    assert list(tmp_path.glob("*")) == []


FULL = """
import resource, signal, sluice_client
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    sluice_client.connect().download("SELECT * FROM range(100000)", "full.csv")
except sluice_client.TargetFailed as error:
    print(error)
"""


def test_full_disk(product: Product, tmp_path: Path) -> None:
    login = {"SLUICE_EMAIL": ANALYST["email"], "SLUICE_PASSWORD": ANALYST["password"]}
    environment = {**os.environ, **product.environment, **login}
    run = [sys.executable, "-c", FULL]
    printed = subprocess.run(run, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "full.csv cannot be written (File too large)" in printed
    assert re.search(r"\(target_failed, query [\w-]{36}\)", printed)
    assert [each.name for each in tmp_path.iterdir() if each.name != "config"] == []


def test_stored_login_of_a_newer_version(product: Product, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "sluice"
    (folder / "credentials").mkdir(parents=True, mode=0o700)
    folder.chmod(0o700)
    addresses = {"api_url": product.api_url, "stream_url": product.stream_url, "tenant": "acme"}
    login = {"kind": "session", "account": "a", "store": "file"}
    profiles = {"current": "default", "profiles": {"default": {**addresses, "login": login}}}
    for path, text in ((folder / "profiles.json", profiles), (folder / "credentials" / "default.json", {"version": 9})):
        path.write_text(json.dumps(text))
        path.chmod(0o600)
    with sluice_client.connect() as client:
        with pytest.raises(sluice_client.NotLoggedIn, match="this version of sluice-client"):
            client.query("SELECT 1").fetchall()
    (folder / "credentials" / "default.json").chmod(0o644)
    with sluice_client.connect() as client, pytest.raises(sluice_client.NotLoggedIn, match="open to other users"):
        client.query("SELECT 1").fetchall()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is damaged"),
        ('{"version": 2, "accounts": []}', "If a newer version has written it, update sluice-client"),
        ('{"current": "a", "profiles": {"a": {"hosts": []}}}', "update sluice-client"),
        ('{"current": "a", "profiles": []}', "update sluice-client"),
        ("[]", "update sluice-client"),
    ],
)
def test_profiles_of_another_form(tmp_path: Path, text: str, words: str) -> None:
    folder = tmp_path / "config" / "sluice"
    folder.mkdir(parents=True, mode=0o700)
    path = folder / "profiles.json"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(sluice_client.NotLoggedIn, match=words):
        sluice_client.connect()
    assert path.read_text() == text


VALUES: list[tuple[Any, str, Any]] = [
    (None, "integer", None),
    (True, "boolean", True),
    ("a'b", "varchar", "a'b"),
    (9007199254740993, "bigint", 9007199254740993),
    (2**70, "decimal(22,0)", Decimal(2**70)),
    (0.1, "double", 0.1),
    (float("inf"), "double", float("inf")),
    (Decimal("250.00"), "decimal(5,2)", Decimal("250.00")),
    (Decimal("1E+3"), "decimal(4,0)", Decimal(1000)),
    (Decimal("-0.05"), "decimal(2,2)", Decimal("-0.05")),
    (datetime.date(2026, 3, 29), "date", datetime.date(2026, 3, 29)),
    (datetime.time(12, 30, 0, 5), "time(6)", datetime.time(12, 30, 0, 5)),
    (datetime.datetime(2026, 3, 29, 12), "timestamp(6)", datetime.datetime(2026, 3, 29, 12)),
    (
        datetime.datetime(2026, 3, 29, 12, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
        "timestamp(6) with time zone",
        datetime.datetime(2026, 3, 29, 10, tzinfo=datetime.timezone.utc),
    ),
    (pandas.Timestamp("2026-03-29 12:00:00.123456789"), "timestamp(9)", "2026-03-29 12:00:00.123456789"),
    (uuid.UUID(int=7), "uuid", uuid.UUID(int=7)),
    (numpy.int64(7), "bigint", 7),
    ([1, None, 2], "array(bigint)", [1, None, 2]),
    ([Decimal("1.5"), 10], "array(decimal(3,1))", [Decimal("1.5"), Decimal("10.0")]),
    ([1.5, 2.5], "array(double)", [1.5, 2.5]),
    ({"type": "array(varchar)", "value": []}, "array(varchar)", []),
]


@pytest.mark.parametrize(("value", "kind", "expected"), VALUES)
def test_parameters(client: Client, value: Any, kind: str, expected: Any) -> None:
    result = client.query("SELECT $v AS v", v=value)
    assert result.columns[0].type == kind
    assert result.fetchall() == [(expected,)]


CONVERSIONS: list[tuple[Any, str, str | None]] = [
    ({"SFO", "JFK"}, "It has no order: pass sorted(v).", "sorted(v)"),
    (frozenset("a"), "It has no order: pass sorted(v).", "sorted(v)"),
    (numpy.array([1, 2]), "Pass a list: v.tolist().", "v.tolist()"),
    (pandas.Series(["a", None]), "Pass a list: v.tolist().", "v.dropna().tolist()"),
    (pandas.Index([1]), "Pass a list: v.tolist().", "v.tolist()"),
    (numpy.array(["2026-03-29"], "datetime64[ns]"), "pandas.Series(v).tolist().", "pandas.Series(v).tolist()"),
    (numpy.datetime64("2026-03-29", "ns"), "Pass pandas.Timestamp(v), or a datetime.", "pandas.Timestamp(v)"),
    (pandas.Timedelta(seconds=5), "Pass its seconds as a number, and write $v * INTERVAL", "v.total_seconds()"),
    (numpy.timedelta64(5, "s"), "Pass its seconds as a number", None),
    (b"\xff", "Pass v.hex(), and write unhex($v) on DuckDB", "v.hex()"),
    (pandas.DataFrame({"a": [1]}), 'v["..."].to_list().', 'v["a"].to_list()'),
    (polars.DataFrame({"a": [1]}), 'v["..."].to_list().', 'v["a"].to_list()'),
    (polars.Series([1]), "Pass a list: v.to_list().", "v.to_list()"),
    ([datetime.timedelta(1)], "Pass its seconds as a number.", "[each.total_seconds() for each in v]"),
    ([b"\xff"], "Pass v[0].hex().upper(), and compare it with hex(column)", "[v[0].hex().upper()]"),
    (range(3), "Pass a list: list(v).", "list(v)"),
]


@pytest.mark.parametrize(("value", "words", "conversion"), CONVERSIONS)
def test_values_without_a_type(value: Any, words: str, conversion: str | None) -> None:
    with pytest.raises(sluice_client.UsageError, match=re.escape(words)):
        encode_parameters({"v": value})
    if conversion is not None:
        assert encode_parameters({"v": eval(conversion, {"v": value, "pandas": pandas})})


NAN = float("nan")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["a", NAN], "v[1] is NaN among values that are not floats"),
        ([1, NAN, 3], "v[1] is NaN among values that are not floats"),
        ([datetime.date(2026, 3, 29), NAN], "v[1] is NaN among values that are not floats"),
        ([1.5, NAN, 3], "v[2] has another type than v[0]. Convert them to one."),
        ([3, 1.5], "v[0] has another type than v[1]. Convert them to one."),
    ],
)
def test_lists_of_several_types(values: list[Any], words: str) -> None:
    with pytest.raises(sluice_client.UsageError, match=re.escape(words)):
        encode_parameters({"v": values})
    assert encode_parameters({"v": [1.5, NAN, None]}) == {"v": {"type": "array(double)", "value": ["1.5", "NaN", None]}}


def rejection(body: dict[str, Any]) -> SluiceError:
    """Returns the error for a 400 with a body."""
    answer = httpx.MockTransport(lambda _: httpx.Response(400, json=body))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HttpOptions, "arguments", lambda _: {"transport": answer})
        with sluice_client.connect("http://x", stream_url="http://x", tenant="acme", token="x") as client:
            with pytest.raises(SluiceError) as raised:
                client.query("SELECT 1", limit=5).fetchall()
    return raised.value


def described(*details: tuple[str, str], message: str | None = None) -> str:
    listed = [{"path": path, "message": text} for path, text in details]
    sentence = message or f"The request is not valid: {details[0][0]}: {details[0][1]}."
    return str(rejection({"error": "invalid_request", "message": sentence, "details": listed}))


def test_sentence_of_the_host_stays() -> None:
    text = described(("header.host", "was sent 2 times"), message="Send exactly one Host header.")
    assert text == "Send exactly one Host header. header.host: was sent 2 times. (invalid_request)"


def test_details_in_words_of_arguments() -> None:
    assert described(("body.size", "must be at most 10")) == "limit must be at most 10. (invalid_request)"
    assert described(("body.size", "size must be at most 10")) == "limit must be at most 10. (invalid_request)"
    assert described(("body", "must be an object")) == "The request must be an object. (invalid_request)"


def test_each_detail_is_told_with_its_place() -> None:
    details = [Detail("body.a", "is required"), Detail("body.b", "is required")]
    error = SluiceError("other", "The object has a fault: body.a: is required.", details=details)
    assert str(error) == "The object has a fault: body.a: is required. body.b: is required. (other)"


def failing_program(function: Callable[[], None]) -> Program[None]:
    yield from call(function)


def own_function() -> None:
    raise sluice_client.UsageError("mine")


def functions_of(error: BaseException) -> list[str]:
    return [each.name for each in traceback.extract_tb(error.__traceback__)]


def test_frames_of_the_caller_stay() -> None:
    with pytest.raises(sluice_client.UsageError) as raised:
        SyncIO(HttpOptions()).run(failing_program(own_function))
    assert functions_of(raised.value)[-3:] == ["run", "failing_program", "own_function"]
    with pytest.raises(sluice_client.UsageError) as raised:
        asyncio.run(AsyncIO(HttpOptions()).run(failing_program(own_function)))
    assert functions_of(raised.value)[-3:] == ["run", "failing_program", "own_function"]


def test_error_of_the_system_stays() -> None:
    async def run() -> None:
        async with sluice_client.connect_async(**UNREACHABLE) as client:
            await client.query("SELECT 1").fetchall()

    def run_plain() -> None:
        with sluice_client.connect(**UNREACHABLE) as client:
            client.query("SELECT 1").fetchall()

    for way in (run_plain, lambda: asyncio.run(run())):
        with pytest.raises(sluice_client.ConnectionFailed) as raised:
            way()
        cause = raised.value.__cause__
        assert isinstance(cause, httpx.ConnectError)
        assert isinstance(cause.__cause__, OSError)
        assert (cause.__cause__.errno, cause.__cause__.__cause__) == (errno.ECONNREFUSED, None)


UNREACHABLE: Any = {"url": "http://127.0.0.1:1", "stream_url": "http://127.0.0.1:1", "tenant": "acme", "token": "x", "retries": 0}


def test_failure_keeps_no_connections() -> None:
    gc.disable()
    try:
        io = SyncIO(HttpOptions())
        kept = weakref.ref(io)
        with contextlib.suppress(SluiceError):
            io.run(failing_program(own_function))
        del io
        assert kept() is None
    finally:
        gc.enable()


def test_closed_connections_leave_no_finalizer() -> None:
    io = SyncIO(HttpOptions())
    for _ in range(3):
        client = weakref.ref(io.client)
        io.close()
        gc.collect()
        assert client() is None


def test_times_may_be_integers_of_numpy() -> None:
    assert _milliseconds("since", numpy.int64(1_700_000_000_000)) == 1_700_000_000_000
    for value in (True, 1.5, "2026-03-29"):
        with pytest.raises(sluice_client.UsageError, match="since must be a datetime"):
            _milliseconds("since", value)


def test_advice_about_tls_names_http_for_this_machine_only() -> None:
    cause = httpx.ConnectError("[SSL: WRONG_VERSION_NUMBER] wrong version number")
    for host in ("127.0.0.1:1", "localhost:1", "[::1]:1"):
        assert f"write http://{host}" in str(connection_failure(f"https://{host}/x", cause))
    assert "http://" not in str(connection_failure("https://sluice.example:1/x", cause))


def test_download_of_the_asynchronous_client_is_a_coroutine_function() -> None:
    assert inspect.iscoroutinefunction(sluice_client.AsyncClient.download)
    assert not inspect.iscoroutinefunction(Client.download)


def test_conversions_in_sql(client: Client) -> None:
    sql = "SELECT unhex($bytes) AS b, $seconds * INTERVAL '1' SECOND AS i, 2 IN $list AS found"
    row = client.query(sql, bytes=b"\xff".hex(), seconds=1.5, list=[1, 2]).fetchall()[0]
    assert (row[0], row[2]) == (b"\xff", True)
    assert "1.5" in str(row[1])


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"dtype_backend": "pyarrow"}, "Pass it to to_pandas()"),
        ({"format": "csv"}, "Files are written by download"),
        ({"timezone": "UTC"}, "Did you mean time_zone=?"),
        ({"limits": 3}, "Did you mean limit=?"),
    ],
)
def test_option_of_another_function(client: Client, named: dict[str, Any], words: str) -> None:
    for kind in (TypeError, sluice_client.UsageError):
        with pytest.raises(kind, match=re.escape(words)):
            client.query("SELECT 1 AS a", **named)
    name = next(iter(named))
    assert client.query(f"SELECT ${name} IS NULL", **named).fetchall() == [(False,)]


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"s": "HI"}, 'A parameter is passed in a mapping: parameters={"s": ...}.'),
        ({"limit": 3}, "Write LIMIT into the statement."),
        ({"timezone": "UTC"}, "Did you mean time_zone=?"),
    ],
)
def test_unknown_option_of_a_download(client: Client, tmp_path: Path, named: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=re.escape(words)):
        client.download("SELECT 1", tmp_path / "a.csv", **named)
    assert list(tmp_path.iterdir()) == []


NAMES = {"datetime": datetime, "Decimal": Decimal, "numpy": numpy, "pandas": pandas, "uuid": uuid}
DOCUMENTED = [
    (example, row["Type in SQL"])
    for table in tables("docs/python.md")
    if "Type in SQL" in table[0]
    for row in table
    for example in re.findall("`([^`]*)`", row["Python"])
]


@pytest.mark.parametrize(("example", "kind"), DOCUMENTED)
def test_table_of_parameters(client: Client, example: str, kind: str) -> None:
    result = client.query("SELECT $v AS v", v=eval(example, NAMES))
    if kind == "NULL":
        assert result.fetchall() == [(None,)]
    else:
        assert result.columns[0].type == code(kind.split(", ")[0])


def test_pandas_null_is_null() -> None:
    assert encode_parameters({"a": pandas.NA, "b": pandas.NaT}) == {"a": None, "b": None}


def test_import_needs_httpx_alone() -> None:
    source = "import sys, sluice_client; print([m for m in ('pyarrow', 'pandas', 'polars', 'IPython') if m in sys.modules])"
    printed = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True, cwd=ROOT)
    assert printed.stdout.strip() == "[]"
