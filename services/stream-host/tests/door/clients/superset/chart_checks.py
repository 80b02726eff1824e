"""Checks of datasets and of the queries of charts."""

from checks import CATALOG, SCHEMA, check, fails

SECONDS = "2025-01-01T00:00:00 : 2025-01-01T00:00:12"
HOURS = "2025-01-01T00:00:00 : 2025-01-01T04:00:00"
DAYS = "2025-01-06T00:00:00 : 2025-01-12T00:00:00"
YEARS = "2025-01-01T00:00:00 : 2027-01-01T00:00:00"
# Name of a grain in Superset's menu, its ISO 8601 form there, the column, and a range of few steps.
GRAINS = {
    "second": ("PT1S", "o_at", SECONDS),
    "5 seconds": ("PT5S", "o_at", SECONDS),
    "30 seconds": ("PT30S", "o_at", "2025-01-01T00:00:00 : 2025-01-01T00:02:00"),
    "minute": ("PT1M", "o_at", "2025-01-01T00:00:00 : 2025-01-01T00:05:00"),
    "5 minutes": ("PT5M", "o_at", "2025-01-01T00:00:00 : 2025-01-01T00:30:00"),
    "10 minutes": ("PT10M", "o_at", "2025-01-01T00:00:00 : 2025-01-01T01:00:00"),
    "15 minutes": ("PT15M", "o_at", "2025-01-01T00:00:00 : 2025-01-01T01:00:00"),
    "half an hour": ("PT0.5H", "o_at", HOURS),
    "hour": ("PT1H", "o_at", HOURS),
    "6 hours": ("PT6H", "o_at", HOURS),
    "day": ("P1D", "o_date", DAYS),
    "week": ("P1W", "o_date", "2025-01-01T00:00:00 : 2025-02-01T00:00:00"),
    "month": ("P1M", "o_date", YEARS),
    "quarter": ("P3M", "o_date", YEARS),
    "year": ("P1Y", "o_date", YEARS),
    "week from Sunday": ("1969-12-28T00:00:00Z/P1W", "o_date", DAYS),
    "week from Monday": ("1969-12-29T00:00:00Z/P1W", "o_date", DAYS),
    "week to Saturday": ("P1W/1970-01-03T00:00:00Z", "o_date", DAYS),
    "week to Sunday": ("P1W/1970-01-04T00:00:00Z", "o_date", DAYS),
}
COUNT = {"expressionType": "SQL", "sqlExpression": "COUNT(*)", "label": "count"}


def simple(aggregate, column):
    return {
        "expressionType": "SIMPLE",
        "aggregate": aggregate,
        "column": {"column_name": column},
        "label": f"{aggregate}({column})",
    }


def axis(column, grain):
    return {"columnType": "BASE_AXIS", "expressionType": "SQL", "sqlExpression": column, "label": column, "timeGrain": grain}


def within(column, time_range):
    return {"col": column, "op": "TEMPORAL_RANGE", "val": time_range}


def add_dataset(user, database, name, **more):
    body = {"database": database, "catalog": CATALOG, "schema": SCHEMA, "table_name": name, **more}
    return user.post("/api/v1/dataset/", body)["id"]


def check_datasets(user, database):
    def columns(dataset):
        found = user.get(f"/api/v1/dataset/{dataset}")["result"]
        kept = ["column_name", "type", "type_generic", "is_dttm"]
        return [found["kind"], [[column[key] for key in kept] for column in sorted(
            found["columns"], key=lambda column: column["column_name"])]]

    def refreshed():
        dataset = add_dataset(user, database, "region")
        return [user.put(f"/api/v1/dataset/{dataset}/refresh"), columns(dataset)]

    virtual = "SELECT o_status, o_total, o_at, o_total * 2 AS doubled FROM orders"
    for name in ["nation", "every_type", "nation_names"]:
        check(f"dataset: {name}", lambda: columns(add_dataset(user, database, name)))
    check("dataset: of a statement", lambda: columns(add_dataset(user, database, "virtual", sql=virtual)))
    check("dataset: refreshed", refreshed)
    check("dataset: absent table", lambda: fails(lambda: add_dataset(user, database, "absent")))


class Charts:
    """Charts of one dataset."""

    def __init__(self, user, dataset):
        self._user, self._dataset = user, dataset

    def ask(self, result_type="full", **query):
        body = {
            "datasource": {"id": self._dataset, "type": "table"},
            "queries": [{"row_limit": 1000, **query}],
            "result_type": result_type,
            "result_format": "json",
            # Caches would hide the second of two equal queries.
            "force": True,
        }
        return self._user.post("/api/v1/chart/data", body)["result"][0]

    def rows(self, result_type="full", **query):
        """Returns the rows of a query in an order of their own, because that of Superset is by metrics only."""
        found = self.ask(result_type, **query)["data"]
        return sorted((list(row.values()) for row in found), key=repr)

    def count_by(self, grain, column, time_range):
        return self.rows(columns=[axis(column, grain)], metrics=[COUNT], filters=[within(column, time_range)])


def check_grains(charts):
    for name, (grain, column, time_range) in GRAINS.items():
        check(f"grain: {name}", lambda: charts.count_by(grain, column, time_range))


def check_charts(user, charts, dataset):
    month = axis("o_date", "P1M")
    year = [within("o_date", YEARS)]
    total = simple("SUM", "o_total")

    def types():
        found = charts.ask(columns=["o_orderkey", "o_status", "o_total", "o_date", "o_at"], row_limit=1,
                           orderby=[["o_orderkey", True]])
        return [found["colnames"], found["coltypes"], found["data"]]

    def table():
        return charts.ask(columns=["o_status"], metrics=[total, COUNT], orderby=[[total, False]])["data"]

    filters = {
        "equal": {"col": "o_status", "op": "==", "val": "F"},
        "in a list": {"col": "o_status", "op": "IN", "val": ["F", "O"]},
        "not in a list": {"col": "o_orderkey", "op": "NOT IN", "val": [1, 2, 3]},
        "like": {"col": "o_status", "op": "ILIKE", "val": "f%"},
        "greater": {"col": "o_total", "op": ">=", "val": 900.5},
        "null": {"col": "o_status", "op": "IS NULL"},
        "not null": {"col": "o_status", "op": "IS NOT NULL"},
        "time": within("o_at", HOURS),
        "date": within("o_date", DAYS),
    }
    aggregates = {"AVG": "o_total", "MIN": "o_date", "MAX": "o_at", "COUNT_DISTINCT": "o_custkey"}
    check("chart: types of columns", types)
    check("chart: table of totals", table)
    check("chart: big number", lambda: charts.rows(metrics=[total]))
    for aggregate, column in aggregates.items():
        check(f"chart: {aggregate}", lambda: charts.rows(metrics=[simple(aggregate, column)]))
    check("chart: time series", lambda: charts.rows(columns=[month], metrics=[total, COUNT], filters=year))
    check("chart: time series of two", lambda: charts.rows(
        columns=[month, "o_status"], metrics=[COUNT], series_columns=["o_status"], series_limit=2,
        series_limit_metric=total, filters=year))
    check("chart: time series with the month before", lambda: charts.rows(
        columns=[month], metrics=[COUNT], filters=[within("o_date", "2025-06-01T00:00:00 : 2025-09-01T00:00:00")],
        time_offsets=["1 month ago"]))
    check("chart: pivot", lambda: charts.rows(
        columns=[month, "o_status"], metrics=[COUNT], filters=[within("o_date", "2025-01-01T00:00:00 : 2025-03-01T00:00:00")],
        post_processing=[{"operation": "pivot", "options": {
            "index": ["o_date"], "columns": ["o_status"], "aggregates": {"count": {"operator": "mean"}}}},
            {"operation": "flatten"}]))
    check("chart: having", lambda: charts.rows(
        columns=["o_custkey"], metrics=[COUNT], extras={"having": "COUNT(*) > 10 AND o_custkey < 20"}))
    check("chart: own SQL", lambda: charts.rows(columns=[
        {"expressionType": "SQL", "sqlExpression": "CASE WHEN o_total > 500 THEN 'high' ELSE 'low' END", "label": "level"}],
        metrics=[{"expressionType": "SQL", "sqlExpression": "SUM(o_total) / COUNT(*)", "label": "mean"}]))
    for name, condition in filters.items():
        check(f"filter: {name}", lambda: charts.rows(metrics=[COUNT], filters=[condition]))
    check("chart: limit and offset", lambda: charts.ask(
        columns=["o_orderkey", "o_total"], row_limit=2, row_offset=3, orderby=[["o_orderkey", True]])["data"])
    check("chart: number of rows", lambda: charts.rows(
        columns=["o_status", "o_custkey"], metrics=[COUNT], is_rowcount=True, row_limit=10_000))
    check("chart: samples", lambda: len(charts.ask("samples", row_limit=7)["data"]))
    check("chart: rows behind a point", lambda: charts.rows(
        "drill_detail", filters=[{"col": "o_orderkey", "op": "IN", "val": [1, 2]}], row_limit=5))
    check("chart: values of a filter", lambda: sorted(
        user.get(f"/api/v1/datasource/table/{dataset}/column/o_status/values/")["result"]))
    check("chart: unknown column", lambda: fails(lambda: charts.ask(
        metrics=[{"expressionType": "SQL", "sqlExpression": "SUM(absent)", "label": "absent"}])))
    check("chart: error in a row", lambda: fails(lambda: charts.ask(
        metrics=[{"expressionType": "SQL", "sqlExpression": "SUM(CAST(o_status AS integer))", "label": "numbers"}])))


def run(user, database):
    check_datasets(user, database)
    dataset = add_dataset(user, database, "orders")
    charts = Charts(user, dataset)
    check_grains(charts)
    check_charts(user, charts, dataset)
