"""Each bad input gets one exception: a class, a sentence that says what to do, a code, the id of the query, and no secret."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sluice_client
from conftest import ANALYST, Product
from proxies import ReceiptProxy, running
from sluice_client import Client, IncompleteResult, SluiceError
from test_client import ENDLESS

SECRET = "a-very-secret-word"
SENTENCE_CHARACTERS_MAX = 400
OTHER_QUERY = "00000000-0000-4000-8000-000000000000"


def raised(function: Callable[[], object]) -> SluiceError:
    with pytest.raises(SluiceError) as found:
        function()
    return found.value


def check(error: SluiceError, kind: type[SluiceError], code: str, words: str, has_query: bool = False) -> None:
    text = str(error)
    assert type(error) is kind, text
    assert error.code == code
    assert words in error.message
    if kind is not sluice_client.QueryFailed:  # its text is that of the engine
        assert "\n" not in error.message
        assert error.message.endswith((".", "?"))
        assert len(error.message) <= SENTENCE_CHARACTERS_MAX
    assert f"({code}" in text
    assert (error.query_id is not None) is has_query, text
    assert not has_query or f"query {error.query_id}" in text
    whole = "".join(traceback.format_exception(error))
    assert SECRET not in whole + repr(error) + repr(vars(error))


def connect_and_query(**arguments: Any) -> object:
    with sluice_client.connect(**arguments) as client:
        return client.query("SELECT 1").fetchall()


WRONG_CONNECTIONS: dict[str, tuple[dict[str, Any], type[SluiceError], str, str]] = {
    "address": ({"url": "http://127.0.0.1:1"}, sluice_client.ConnectionFailed, "connection_failed", "Check the address"),
    "name": ({"url": "http://acme.invalid"}, sluice_client.ConnectionFailed, "connection_failed", "Check the address"),
    "scheme": ({"url": "ftp://x"}, sluice_client.UsageError, "usage", "must be an http or https URL"),
    "tenant": ({"tenant": "unknown"}, sluice_client.ResponseError, "not_found", "has no tenant unknown. Check tenant="),
    "password": ({"password": SECRET}, sluice_client.NotLoggedIn, "not_logged_in", "Check the e-mail and the password"),
}


@pytest.mark.parametrize("wrong", WRONG_CONNECTIONS)
def test_connection(product: Product, wrong: str) -> None:
    changes, kind, code, words = WRONG_CONNECTIONS[wrong]
    arguments: dict[str, Any] = {**product.hosts, **ANALYST, "retries": 0, **changes}
    check(raised(lambda: connect_and_query(**arguments)), kind, code, words)


def test_no_login_in_a_process_without_a_terminal(product: Product) -> None:
    error = raised(lambda: sluice_client.connect(**product.hosts))
    check(error, sluice_client.NotLoggedIn, "not_logged_in", "Run `sluice login`")


def test_token_and_client_that_are_wrong(product: Product) -> None:
    error = raised(lambda: connect_and_query(**product.hosts, token=SECRET))
    check(error, sluice_client.NotLoggedIn, "not_logged_in", "The access token is not accepted")
    error = raised(lambda: connect_and_query(**product.hosts, client_id="acme-etl", client_secret=SECRET))
    check(error, sluice_client.NotLoggedIn, "not_logged_in", "its secret")


STATEMENTS: dict[str, tuple[Any, dict[str, Any], type[SluiceError], str, str]] = {
    "a parameter without a type": ("SELECT $a", {"a": b"x"}, sluice_client.UsageError, "usage", "parameter a is a bytes"),
    "a missing parameter": ("SELECT $a", {}, sluice_client.RequestRejected, "invalid_request", "a"),
    "a surplus parameter": ("SELECT 1", {"a": SECRET}, sluice_client.RequestRejected, "invalid_request", "a"),
    "two statements": ("SELECT 1; SELECT 2", {}, sluice_client.QueryFailed, "read_only", ""),
    "no statement": ("  ", {}, sluice_client.UsageError, "usage", "not blank"),
    "a list of parameters": ("SELECT $a", [1], sluice_client.UsageError, "usage", "by name"),  # type: ignore[dict-item]
}


@pytest.mark.parametrize("wrong", STATEMENTS)
def test_statement(client: Client, wrong: str) -> None:
    sql, values, kind, code, words = STATEMENTS[wrong]
    for way in ("fetchall", "to_pandas"):
        error = raised(lambda: getattr(client.query(sql, values), way)())  # noqa: B023 (it is called at once)
        check(error, kind, code, words, has_query=error.query_id is not None)


def test_targets(client: Client, tmp_path: Path) -> None:
    error = raised(lambda: client.download("SELECT 1", tmp_path, "csv"))
    check(error, sluice_client.TargetFailed, "target_failed", "is a folder. Name a file in it.")
    error = raised(lambda: client.download("SELECT 1", tmp_path / "missing" / "a.csv"))
    check(error, sluice_client.TargetFailed, "target_failed", "Check its folder")


@pytest.fixture
def changing(product: Product) -> Iterator[tuple[Client, ReceiptProxy]]:
    with running(ReceiptProxy(product.stream_url)) as proxy:
        with sluice_client.connect(**{**product.hosts, "stream_url": proxy.url}, **ANALYST, retries=0) as client:
            yield client, proxy


def test_receipt_of_another_query(changing: tuple[Client, ReceiptProxy], tmp_path: Path) -> None:
    client, proxy = changing
    proxy.change = lambda receipt: {**receipt, "query_id": OTHER_QUERY}
    for way in (
        lambda: client.query("SELECT 1").fetchall(),
        lambda: client.query("SELECT 1").to_pandas(),
        lambda: client.download("SELECT 1", tmp_path / "a.csv"),
    ):
        error = raised(way)
        check(error, IncompleteResult, "incomplete_result", f"that of another query, {OTHER_QUERY}", has_query=True)


def test_traceback_is_that_of_the_caller(product: Product, client: Client, tmp_path: Path) -> None:
    def unreachable() -> None:
        connect_and_query(**{**product.hosts, "stream_url": "http://127.0.0.1:1"}, token="x", retries=0)

    async def run() -> None:
        async with sluice_client.connect_async(**product.hosts, **ANALYST) as other:
            await other.query("SELECT nope FROM flights").to_arrow()

    result = client.query("SELECT nope FROM flights")
    for way in (
        result.to_pandas,
        result.fetchall,
        client.query("SELECT nope FROM flights").fetchall,
        lambda: client.download(sluice_client.Datamap("unknown"), tmp_path / "a.csv"),
        unreachable,
        lambda: asyncio.run(run()),
    ):
        error = raised(way)
        frames = [each.filename for each in traceback.extract_tb(error.__traceback__) if "sluice_client" in each.filename]
        assert len(frames) <= 4
        lines = traceback.format_exception(error)
        assert not any("httpcore" in line or "_program" in line for line in lines)
    assert "httpx.ConnectError" in "".join(traceback.format_exception(raised(unreachable)))


def test_failures_of_the_engine_have_the_query(client: Client) -> None:
    check(
        raised(lambda: client.query("SELECT nope FROM flights").to_pandas()),
        sluice_client.QueryFailed,
        "column_not_found",
        "nope",
        has_query=True,
    )
    check(
        raised(lambda: client.query("SELECT DATE '-0044-03-15'").fetchall()),
        sluice_client.PrecisionError,
        "precision",
        "Cast the column to VARCHAR",
        has_query=True,
    )
    result = client.query(ENDLESS)
    assert result.columns
    result.cancel()
    check(raised(result.fetchall), sluice_client.QueryEnded, "query_cancelled", "", has_query=True)
