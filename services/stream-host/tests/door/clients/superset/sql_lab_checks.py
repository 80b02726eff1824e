"""Checks of SQL Lab: statements, results, limits, errors, estimates and Stop."""

import secrets
import threading
import time

from application import app
from checks import CATALOG, SCHEMA, check, fails, failure_of

ORDERS = "SELECT o_orderkey, o_status, o_total, o_date, o_at FROM orders WHERE o_orderkey <= 3 ORDER BY o_orderkey"
SLOW = "SELECT sum((a.n * b.n + c.n) % 7) FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers c"
STOP_WITHIN_SECONDS = 15
TYPES = {
    "numbers": "SELECT CAST(1 AS tinyint) a, CAST(2 AS bigint) b, CAST(1.5 AS real) c, CAST(0.1 AS double) d, CAST('1.50' AS decimal(5,2)) e",
    "large numbers": "SELECT CAST(9223372036854775807 AS bigint) a, CAST('1234567890123456789012345678.0123456789' AS decimal(38,10)) b",
    "texts": "SELECT CAST('it''s é 😀' AS varchar) a, CAST(NULL AS varchar) b, true c, UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' d",
    "times": "SELECT DATE '2026-03-29' a, TIMESTAMP '2026-03-29 12:30:00.123456' b, TIME '12:34:56.789123' c",
    "time with a zone": "SELECT CAST('2026-03-29 12:30:00.123 UTC' AS timestamp(3) with time zone) a",
    "arrays": "SELECT ARRAY[1, NULL, 3] a, ARRAY['x', 'y'] b",
    "maps and rows": "SELECT MAP(ARRAY['a', 'b'], ARRAY[1, NULL]) a, CAST(ROW(1, 'x') AS ROW(i integer, s varchar)) b",
}
ERRORS = {
    "syntax": "SELECT FROM WHERE",
    "table": "SELECT * FROM no_such_table",
    "column": "SELECT absent FROM nation",
    "function": "SELECT no_such_function(1)",
    "in a row": "SELECT CAST(n_name AS integer) FROM nation",
    "write": "CREATE TABLE own (a integer)",
}


class SqlLab:
    """A tab of SQL Lab."""

    def __init__(self, user, database):
        self._user, self._database = user, database

    def execute(self, sql, **more):
        body = {
            "database_id": self._database,
            "catalog": CATALOG,
            "schema": SCHEMA,
            "sql": sql,
            "client_id": secrets.token_hex(5),
            "runAsync": False,
            "tab": "a tab",
            "queryLimit": 1000,
            **more,
        }
        return self._user.post("/api/v1/sqllab/execute/", body)

    def rows(self, sql, **more):
        return [list(row.values()) for row in self.execute(sql, **more)["data"]]

    def described(self, sql):
        found = self.execute(sql)
        columns = [[column["column_name"], column["type"], column["is_dttm"]] for column in found["columns"]]
        return [found["status"], columns, found["data"]]


def check_statements(user, lab):
    def limited(sql, **more):
        found = lab.execute(sql, **more)
        return [len(found["data"]), found["query"]["rows"], found["query"]["limitingFactor"]]

    def tracking_url():
        query = lab.execute("SELECT 1 AS one")["query"]
        path = query["trackingUrl"].split("?")[0].rstrip("/")
        return [query["state"], query["progress"], path.startswith("http")]

    def exported():
        client = secrets.token_hex(5)
        lab.execute(ORDERS, client_id=client)
        return user.get(f"/api/v1/sqllab/export/{client}/")

    check("sql: orders", lambda: lab.described(ORDERS))
    for name, sql in TYPES.items():
        check(f"sql: {name}", lambda: lab.described(sql))
    check("sql: no rows", lambda: lab.described("SELECT n_nationkey, n_name FROM nation WHERE n_nationkey < 0"))
    check("sql: with a CTE", lambda: lab.rows("WITH t AS (SELECT n_regionkey r FROM nation) SELECT r, count(*) FROM t GROUP BY r ORDER BY r"))
    check("sql: two statements", lambda: lab.rows("SELECT 1; SELECT n_name FROM nation ORDER BY n_nationkey LIMIT 2"))
    check("sql: a comment", lambda: lab.rows("-- the first\nSELECT n_name /* own */ FROM nation ORDER BY 1 LIMIT 1;"))
    check("sql: a template", lambda: lab.rows(
        "SELECT n_name FROM nation WHERE n_nationkey = {{ key }}", templateParams='{"key": 3}'))
    check("sql: SHOW TABLES", lambda: lab.rows("SHOW TABLES"))
    check("sql: DESCRIBE", lambda: lab.rows("DESCRIBE nation"))
    check("sql: EXPLAIN", lambda: len(lab.rows("EXPLAIN SELECT * FROM nation")) > 0)
    check("sql: SHOW CREATE TABLE", lambda: lab.rows("SHOW CREATE TABLE region"))
    check("limit: of the menu", lambda: limited("SELECT * FROM orders", queryLimit=10))
    check("limit: of the statement", lambda: limited("SELECT * FROM orders LIMIT 5", queryLimit=10))
    check("limit: of the menu below that of the statement", lambda: limited("SELECT * FROM orders LIMIT 50", queryLimit=10))
    check("limit: more rows than a page", lambda: limited("SELECT n FROM numbers", queryLimit=100_000))
    check("sql: tracking URL", tracking_url)
    check("sql: downloaded as CSV", exported)
    for name, sql in ERRORS.items():
        check(f"error: {name}", lambda: fails(lambda: lab.execute(sql)))


def check_estimates(user, database):
    def estimate(sql):
        body = {"database_id": database, "catalog": CATALOG, "schema": SCHEMA, "sql": sql, "template_params": {}}
        return user.post("/api/v1/sqllab/estimate/", body)["result"]

    check("estimate: names", lambda: [sorted(cost) for cost in estimate("SELECT n_name FROM nation")])
    check("estimate: error", lambda: fails(lambda: estimate("SELECT absent FROM nation")))


def outcome_of(work):
    try:
        return work()
    except Exception as error:  # noqa: BLE001
        return failure_of(error)


class Running:
    """Work in a thread of its own."""

    def __init__(self, work):
        self._outcomes, self._stopping = [], None
        self._thread = threading.Thread(target=lambda: self._outcomes.append(outcome_of(work)))
        self._thread.start()

    def wait_for(self, find):
        """Returns what ``find`` finds, or its last result if the work has ended."""
        while not (found := find()) and self._thread.is_alive():
            time.sleep(0.1)
        return found

    def stop(self, work):
        """Returns the result of ``work``, which stops it."""
        self._stopping = time.monotonic()
        return work()

    def end(self):
        """Returns the outcome, and whether it came in time after the stop."""
        self._thread.join()
        return [*self._outcomes, time.monotonic() - self._stopping < STOP_WITHIN_SECONDS]


def check_stop(user, lab, database):
    def cancel_key(client):
        from superset import db
        from superset.models.sql_lab import Query

        with app.app_context():
            query = db.session.query(Query).filter_by(client_id=client).one_or_none()
            return query and query.extra.get("cancel_query")

    def stopped():
        client = secrets.token_hex(5)
        running = Running(lambda: lab.execute(SLOW, client_id=client))
        running.wait_for(lambda: cancel_key(client))
        answer = running.stop(lambda: user.post("/api/v1/query/stop", {"client_id": client}))
        # Superset takes it for a failure if the server is faster than the command that stops it, so the outcome is not compared.
        *_, in_time = running.end()
        return [answer, in_time]

    def stopped_by_its_id():
        from superset import db
        from superset.models.core import Database

        with app.test_request_context():
            found = db.session.get(Database, database)
            with found.get_raw_connection(CATALOG, SCHEMA) as one, found.get_raw_connection(CATALOG, SCHEMA) as other:
                cursor = one.cursor()
                running = Running(lambda: cursor.execute(SLOW) and cursor.fetchall())
                query = running.wait_for(lambda: cursor.query_id)
                is_stopped = running.stop(lambda: found.db_engine_spec.cancel_query(other.cursor(), None, query))
                return [is_stopped, *running.end()]

    check("stop: a running statement", stopped)
    check("stop: then another statement", lambda: lab.rows("SELECT count(*) FROM nation"))
    check("stop: the error of its driver", stopped_by_its_id)


def run(user, database):
    lab = SqlLab(user, database)
    check_statements(user, lab)
    check_estimates(user, database)
    check_stop(user, lab, database)
