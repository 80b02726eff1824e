"""Runs Superset against the server of the environment (``DOOR_URL``, ...): it connects, lists, charts, queries and stops as its pages do."""

import json
import logging
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

SCRATCH = os.environ.setdefault("DOOR_SCRATCH", tempfile.mkdtemp(prefix="sluice-superset-"))
FOLDER = Path(__file__).parent
os.environ["SUPERSET_CONFIG_PATH"] = str(FOLDER / "superset_config.py")
sys.path.insert(0, str(FOLDER.parent / "python"))
logging.disable(logging.CRITICAL)

from sqlalchemy.engine import URL as Address  # noqa: E402
from superset.app import create_app  # noqa: E402

from checks import CA, CATALOG, PASSWORD, SCHEMA, URL, USER, check  # noqa: E402

GRAINS = ["PT1S", "PT1M", "PT1H", "P1D", "P1W", "P1M", "P1Y"]
SLOW = "SELECT sum((a.n * b.n + c.n) % 7) FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers c"

app = create_app()


class Pages:
    """Requests of the pages, as the administrator."""

    def __init__(self):
        self.client = app.test_client()
        login = {"username": "admin", "password": "admin", "provider": "db"}
        token = self.client.post("/api/v1/security/login", json=login).json["access_token"]
        self.headers = {"Authorization": f"Bearer {token}"}

    def send(self, method, path, body=None, parameters=None):
        query = {"q": json.dumps(parameters)} if parameters is not None else None
        answer = self.client.open(f"/api/v1/{path}", method=method, json=body, query_string=query, headers=self.headers)
        if answer.status_code >= 400:
            raise RuntimeError(f"{answer.status_code}: {answer.get_data(as_text=True)[:500]}")
        return answer.json


def prepare():
    from flask_appbuilder.security.sqla.manager import SecurityManager  # noqa: F401
    from flask_migrate import upgrade
    from superset import security_manager

    with app.app_context():
        import superset

        upgrade(directory=str(Path(superset.__file__).parent / "migrations"))
        security_manager.sync_role_definitions()
        role = security_manager.find_role("Admin")
        security_manager.add_user("admin", "A", "Dmin", "admin@example.com", role, "admin")


def connection():
    address = Address.create(
        "trino", username=USER, password=PASSWORD, host=URL.hostname, port=URL.port, database=f"{CATALOG}/{SCHEMA}")
    arguments = {"http_scheme": URL.scheme, **({"verify": CA} if CA else {})}
    extra = {"engine_params": {"connect_args": arguments}, "allows_virtual_table_explore": True, "cost_estimate_enabled": True}
    return {
        "database_name": "door", "sqlalchemy_uri": address.render_as_string(hide_password=False), "extra": json.dumps(extra),
        "expose_in_sqllab": True, "allow_run_async": False,
    }


def chart_query(dataset, grain):
    column = {"timeGrain": grain, "columnType": "BASE_AXIS", "sqlExpression": "o_at", "label": "o_at", "expressionType": "SQL"}
    metric = {"expressionType": "SQL", "sqlExpression": "SUM(o_total)", "label": "total"}
    query = {
        "columns": [column], "metrics": [metric], "row_limit": 3, "orderby": [["o_at", True]],
        "filters": [{"col": "o_status", "op": "IN", "val": ["F", "O"]}],
    }
    return {"datasource": {"id": dataset, "type": "table"}, "queries": [query], "result_format": "json", "result_type": "full", "force": True}


def check_database(pages):
    check("database: test connection", lambda: pages.send("POST", "database/test_connection/", connection())["message"])
    database = pages.send("POST", "database/", connection())["id"]
    path = f"database/{database}"
    of_schema = {"catalog_name": CATALOG, "schema_name": SCHEMA}
    check("database: catalogs", lambda: CATALOG in pages.send("GET", f"{path}/catalogs/", parameters={"force": True})["result"])
    check("database: schemas", lambda: SCHEMA in pages.send(
        "GET", f"{path}/schemas/", parameters={"force": True, "catalog": CATALOG})["result"])
    check("database: tables", lambda: sorted(
        [table["value"], table["type"]] for table in pages.send("GET", f"{path}/tables/", parameters={**of_schema, "force": True})["result"]))
    check("database: columns", lambda: [
        [column["name"], column["type"]]
        for column in pages.client.get(
            f"/api/v1/{path}/table_metadata/", query_string={"name": "orders", "schema": SCHEMA, "catalog": CATALOG},
            headers=pages.headers).json["columns"]])
    check("database: functions", lambda: "date_trunc" in pages.send("GET", f"{path}/function_names/")["function_names"])
    check("database: select star", lambda: pages.send("GET", f"{path}/select_star/orders/{SCHEMA}/")["result"].split("\n")[0])
    return database


def check_charts(pages, database):
    dataset = pages.send("POST", "dataset/", {"database": database, "catalog": CATALOG, "schema": SCHEMA, "table_name": "orders"})["id"]
    check("dataset: columns", lambda: [
        [column["column_name"], column["type"], column["is_dttm"]]
        for column in pages.send("GET", f"dataset/{dataset}")["result"]["columns"]])
    for grain in GRAINS:
        check(f"chart: {grain}", lambda: pages.send("POST", "chart/data", chart_query(dataset, grain))["result"][0]["data"])


def check_sql_lab(pages, database):
    def execute(sql, client_id):
        body = {"database_id": database, "catalog": CATALOG, "schema": SCHEMA, "sql": sql, "runAsync": False,
                "client_id": client_id, "queryLimit": 100, "expand_data": True}
        return pages.send("POST", "sqllab/execute/", body)

    def run():
        found = execute("SELECT n_nationkey, n_name, n_comment FROM nation WHERE n_nationkey < 3 ORDER BY 1", "client-1")
        return [found["status"], found["data"], [column["type"] for column in found["columns"]]]

    def address():
        found = execute("SELECT 1", "client-2")
        return str(found["query"]["trackingUrl"] or "").startswith(("http:", "https:"))

    def stop():
        ended = []
        work = threading.Thread(target=lambda: ended.append(outcome(lambda: execute(SLOW, "client-3"))))
        work.start()
        time.sleep(4)
        stopped = pages.send("POST", "query/stop", {"client_id": "client-3"})
        work.join(60)
        return [stopped, not work.is_alive()]

    def outcome(work):
        try:
            return work()
        except RuntimeError as error:
            return str(error)

    check("sql lab: query", run)
    check("sql lab: address of the query", address)
    check("sql lab: error", lambda: outcome(lambda: execute("SELECT * FROM no_such_table", "client-4"))[:3])
    check("sql lab: estimate", lambda: sorted(pages.send(
        "POST", "sqllab/estimate/", {"database_id": database, "sql": "SELECT * FROM nation", "catalog": CATALOG, "schema": SCHEMA})["result"][0]))
    check("sql lab: stop", stop)


prepare()
with app.app_context():
    pages = Pages()
    database = check_database(pages)
    check_charts(pages, database)
    check_sql_lab(pages, database)
