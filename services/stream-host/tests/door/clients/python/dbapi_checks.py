"""Checks of PyPI's ``trino`` by its DB-API: types, parameters, fetches, errors, transactions and sessions."""

import datetime
import uuid
from decimal import Decimal
from zoneinfo import ZoneInfo

import trino
from trino.transaction import IsolationLevel

from checks import CA, CATALOG, PASSWORD, SCHEMA, URL, USER, check, fails

TYPES = {
    "boolean": "true",
    "tinyint": "CAST(-128 AS tinyint)",
    "smallint": "CAST(32767 AS smallint)",
    "integer": "CAST(-2147483648 AS integer)",
    "bigint": "CAST(9223372036854775807 AS bigint)",
    "real": "CAST(1.5 AS real)",
    "double": "CAST(0.1 AS double)",
    "double, not a number": "CAST('NaN' AS double)",
    "double, infinite": "CAST('-Infinity' AS double)",
    "double, large": "CAST(1e300 AS double)",
    "decimal(5,2)": "CAST('-1.50' AS decimal(5,2))",
    "decimal(38,10)": "CAST('1234567890123456789012345678.0123456789' AS decimal(38,10))",
    "decimal(38,0)": "CAST('99999999999999999999999999999999999999' AS decimal(38,0))",
    "varchar": "CAST('text' AS varchar)",
    "varchar(5)": "CAST('text' AS varchar(5))",
    "varchar, empty": "CAST('' AS varchar)",
    "varchar, of all planes": "CAST('é 日本 😀 \t \\ \" '' ' AS varchar)",
    "char(5)": "CAST('ab' AS char(5))",
    "varbinary": "to_utf8('ab')",
    "date": "DATE '2026-03-29'",
    "date, early": "DATE '0001-01-01'",
    "time(3)": "TIME '12:34:56.789'",
    "time(6)": "TIME '12:34:56.789123'",
    "time with time zone": "TIME '12:34:56.789 +02:00'",
    "timestamp(0)": "CAST(TIMESTAMP '2026-03-29 12:30:00' AS timestamp(0))",
    "timestamp(3)": "TIMESTAMP '2026-03-29 12:30:00.123'",
    "timestamp(6)": "TIMESTAMP '2026-03-29 12:30:00.123456'",
    "timestamp(9)": "TIMESTAMP '2026-03-29 12:30:00.123456789'",
    "timestamp(12)": "TIMESTAMP '2026-03-29 12:30:00.123456789012'",
    "timestamp with a region": "TIMESTAMP '2026-03-29 12:30:00.123 Europe/Berlin'",
    "timestamp with an offset": "TIMESTAMP '2026-03-29 12:30:00.123 +05:30'",
    "interval day to second": "INTERVAL '2' DAY",
    "interval year to month": "INTERVAL '14' MONTH",
    "uuid": "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'",
    "json": "JSON '{\"a\": [1, null]}'",
    "ipaddress": "IPADDRESS '10.0.0.1'",
    "array": "ARRAY[1, NULL, 3]",
    "array, empty": "CAST(ARRAY[] AS array(integer))",
    "array of arrays": "ARRAY[ARRAY['a'], ARRAY['b', NULL]]",
    "array of decimals": "ARRAY[CAST('1.50' AS decimal(5,2))]",
    "map": "MAP(ARRAY['a', 'b'], ARRAY[1, NULL])",
    "row": "CAST(ROW(1, 'a') AS ROW(x integer, y varchar))",
    "row without names": "ROW(1, 'a')",
    "array of rows": "ARRAY[CAST(ROW(1, NULL) AS ROW(x integer, y varchar))]",
    "null": "NULL",
}

NULLS = [
    "boolean", "tinyint", "smallint", "integer", "bigint", "real", "double", "decimal(10,2)", "varchar", "date",
    "timestamp(6)", "uuid", "array(integer)",
]

PARAMETERS = {
    "None": None,
    "bool": True,
    "int": -7,
    "int, large": 2**62,
    "float": 0.1,
    "float, not a number": float("nan"),
    "float, infinite": float("inf"),
    "Decimal": Decimal("-12345678901234567890.50"),
    "str": "it's ? -- /* \" é😀",
    "str, empty": "",
    "bytes": b"\x00\xffab",
    "bytearray": bytearray(b"\x01"),
    "date": datetime.date(2026, 3, 29),
    "time": datetime.time(12, 34, 56, 789123),
    "datetime": datetime.datetime(2026, 3, 29, 12, 30, 0, 123456),
    "datetime of a region": datetime.datetime(2026, 3, 29, 12, 30, 0, 123456, ZoneInfo("Europe/Berlin")),
    "datetime of UTC": datetime.datetime(2026, 3, 29, 12, 30, tzinfo=datetime.timezone.utc),
    "datetime of an offset": datetime.datetime(
        2026, 3, 29, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=5, minutes=30))
    ),
    "uuid": uuid.UUID("12151fd2-7586-11e9-8f9e-2a86e4085a59"),
    "list": [1, 2],
    "list of str": ["a'b", "?"],
    "tuple": (1, "a"),
    "dict": {"a": 1},
}

ERRORS = {
    "syntax": "SELECT FROM WHERE",
    "syntax in line 2": "SELECT 1\nFROM (",
    "table": "SELECT * FROM no_such_table",
    "schema": f"SELECT * FROM {CATALOG}.no_such_schema.nation",
    "catalog": "SELECT * FROM no_such_catalog.a.b",
    "column": "SELECT no_such_column FROM nation",
    "function": "SELECT no_such_function(1)",
    "type": "SELECT 1 = 'a'",
    "cast": "SELECT CAST('abc' AS integer)",
    "cast, of a column": "SELECT CAST(n_name AS integer) FROM nation",
    "division by zero": "SELECT 1 / 0",
    "overflow": "SELECT CAST(300 AS tinyint)",
    "empty statement": "",
    "two statements": "SELECT 1; SELECT 2",
    "prepared statement": "EXECUTE no_such_statement",
    "too few parameters": "EXECUTE IMMEDIATE 'SELECT ?, ?' USING 1",
    "session property": "SET SESSION no_such_property = 1",
    "another user": "SET SESSION AUTHORIZATION somebody_else",
}

SLOW = "SELECT sum((a.n * b.n + c.n) % 7) FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers c"


def connect(**more):
    auth = trino.auth.BasicAuthentication(USER, PASSWORD) if PASSWORD else None
    options = {
        "host": URL.hostname, "port": URL.port, "user": USER, "http_scheme": URL.scheme, "auth": auth,
        "catalog": CATALOG, "schema": SCHEMA, "source": "door-clients",
    }
    if CA:
        options["verify"] = CA
    return trino.dbapi.connect(**{**options, **more})


connection = connect()


def rows(sql, parameters=None, on=connection):
    cursor = on.cursor()
    cursor.execute(sql, parameters)
    return [list(row) for row in cursor.fetchall()]


def typed(sql, parameters=None, on=connection):
    """Returns the type and the value of the only cell."""
    cursor = on.cursor()
    cursor.execute(sql, parameters)
    ((value,),) = cursor.fetchall()
    return [cursor.description[0][1], repr(value)]


def check_types():
    legacy = connect(legacy_primitive_types=True)
    for name, expression in TYPES.items():
        check(f"type: {name}", lambda: typed(f"SELECT {expression} AS v"))
    for name in ["decimal(5,2)", "timestamp(9)", "timestamp with a region", "array of rows"]:
        check(f"type as text: {name}", lambda: typed(f"SELECT {TYPES[name]} AS v", on=legacy))
    for name in NULLS:
        check(f"null: {name}", lambda: typed(f"SELECT CAST(NULL AS {name}) AS v"))


def check_parameters():
    for name, value in PARAMETERS.items():
        check(f"parameter: {name}", lambda: typed("SELECT ? AS v", [value]))
    legacy = connect(legacy_prepared_statements=True)
    for name in ["int", "Decimal", "str", "date", "datetime"]:
        check(f"parameter, by PREPARE: {name}", lambda: typed("SELECT ? AS v", [PARAMETERS[name]], on=legacy))
    check("parameters: in a condition", lambda: rows(
        "SELECT n_name FROM nation WHERE n_regionkey = ? AND n_name LIKE ? ORDER BY 1", [3, "%A%"]))
    check("parameters: ? in text, names and comments", lambda: rows(
        "SELECT '?' AS \"a?\", ? /* ? */ AS b -- ?\n", [1]))
    check("parameters: too few", lambda: fails(lambda: rows("SELECT ?, ?", [1])))
    check("parameters: too many", lambda: fails(lambda: rows("SELECT ?", [1, 2])))


def check_fetches():
    def fetch_many():
        cursor = connection.cursor()
        cursor.execute("SELECT n_nationkey FROM nation ORDER BY 1")
        sizes = [len(cursor.fetchmany(10)) for _ in range(4)]
        return [sizes, cursor.fetchone(), cursor.rowcount]

    def describe():
        cursor = connection.cursor()
        cursor.execute("SELECT n_nationkey, n_name AS \"Name of it\" FROM nation LIMIT 1")
        return [list(column[:2]) for column in cursor.description]

    def describe_output():
        found = connection.cursor().describe("SELECT n_nationkey, n_name FROM nation")
        return [[column.name, column.type] for column in found]

    def facts():
        cursor = connection.cursor()
        cursor.execute("SELECT 1 AS one")
        cursor.fetchall()
        return [type(cursor.query_id).__name__, cursor.info_uri.startswith("http"), cursor.stats["state"], cursor.warnings]

    def long_result():
        found = rows("SELECT n FROM numbers")
        return [len(found), sum(n for (n,) in found)]

    def two_at_once():
        first, second = connection.cursor(), connection.cursor()
        first.execute("SELECT n FROM numbers ORDER BY 1")
        second.execute("SELECT n FROM numbers ORDER BY 1 DESC")
        return [[first.fetchone(), second.fetchone()] for _ in range(2)]

    check("fetch: many", fetch_many)
    check("fetch: description", describe)
    check("fetch: description of a prepared statement", describe_output)
    check("fetch: id, address and state", facts)
    check("fetch: 200,000 rows", long_result)
    check("fetch: two at once", two_at_once)
    check("fetch: no rows", lambda: rows("SELECT n FROM numbers WHERE n < 0"))
    check("fetch: each row", lambda: [row[0] for row in connection.cursor().execute("SELECT 1 UNION ALL SELECT 1")])


def check_cancel():
    def cancel_running():
        cursor = connection.cursor()
        cursor.execute("SELECT a.n FROM numbers a CROSS JOIN numbers b")
        cursor.fetchone()
        cursor.cancel()
        return rows("SELECT 1 AS one")

    limited = connect(session_properties={"query_max_run_time": "1s"})
    check("cancel: a result that is read", cancel_running)
    check("cancel: query_max_run_time", lambda: fails(lambda: rows(SLOW, on=limited)))


def check_errors():
    for name, sql in ERRORS.items():
        check(f"error: {name}", lambda: fails(lambda: rows(sql)))
    check("error: unknown catalog of the connection",
          lambda: fails(lambda: rows("SELECT * FROM nation", on=connect(catalog="no_such_catalog"))))
    check("error: no schema of the connection",
          lambda: fails(lambda: rows("SELECT * FROM nation", on=connect(catalog=None, schema=None))))


def check_transactions():
    def committed():
        with connect(isolation_level=IsolationLevel.READ_UNCOMMITTED) as within:
            first = rows("SELECT count(*) FROM region", on=within)
            second = rows("SELECT count(*) FROM nation", on=within)
        return [first, second]

    def rolled_back():
        within = connect(isolation_level=IsolationLevel.READ_UNCOMMITTED)
        found = rows("SELECT count(*) FROM region", on=within)
        within.rollback()
        return [found, rows("SELECT 1 AS one", on=within)]

    check("transaction: commit", committed)
    check("transaction: rollback", rolled_back)
    check("transaction: none to commit", lambda: fails(lambda: rows("COMMIT")))


def check_sessions():
    def session_of(name, on=connection):
        return [row[:2] for row in rows(f"SHOW SESSION LIKE '{name}'", on=on)]

    def set_and_reset():
        own = connect()
        rows("SET SESSION query_max_run_time = '2h'", on=own)
        changed = session_of("query_max_run_time", own)
        rows("RESET SESSION query_max_run_time", on=own)
        return [changed, session_of("query_max_run_time", own)]

    def use():
        own = connect(schema="information_schema")
        rows(f"USE {CATALOG}.{SCHEMA}", on=own)
        return rows("SELECT count(*) FROM nation", on=own)

    def set_time_zone():
        own = connect()
        rows("SET TIME ZONE 'America/New_York'", on=own)
        return rows("SELECT current_timezone()", on=own)

    def prepare():
        own = connect()
        rows("PREPARE own FROM SELECT n_name FROM nation WHERE n_nationkey = ?", on=own)
        found = rows("EXECUTE own USING 3", on=own)
        described = rows("DESCRIBE INPUT own", on=own)
        rows("DEALLOCATE PREPARE own", on=own)
        return [found, described]

    check("session: property of the connection",
          lambda: session_of("query_max_run_time", connect(session_properties={"query_max_run_time": "1h"})))
    check("session: set and reset", set_and_reset)
    check("session: use", use)
    check("session: time zone of the connection",
          lambda: rows("SELECT current_timezone()", on=connect(timezone="Europe/Berlin")))
    check("session: set time zone", set_time_zone)
    check("session: prepare", prepare)
    check("session: current user", lambda: rows("SELECT current_user")[0][0] == USER)
    check("session: current catalog and schema", lambda: rows("SELECT current_catalog, current_schema"))
    check("session: version", lambda: rows("SELECT version()")[0][0].split("-")[0])
    check("session: role none", lambda: rows("SELECT 1 AS one", on=connect(roles={"system": "NONE"})))
    check("session: client tags", lambda: rows("SELECT 1 AS one", on=connect(client_tags=["a", "b"])))
    check("session: authorization of oneself", lambda: rows(f'SET SESSION AUTHORIZATION "{USER}"', on=connect()))


def check_lists():
    in_schema = f"{CATALOG}.{SCHEMA}"
    lists = {
        "catalogs": f"SHOW CATALOGS LIKE '{CATALOG}'",
        "schemas": f"SHOW SCHEMAS FROM {CATALOG} LIKE '{SCHEMA}'",
        "information schema": f"SHOW SCHEMAS FROM {CATALOG} LIKE 'information%'",
        "tables": f"SHOW TABLES FROM {in_schema}",
        "tables by pattern": f"SHOW TABLES FROM {in_schema} LIKE 'n%'",
        "columns": "SHOW COLUMNS FROM orders",
        "describe": "DESCRIBE nation",
        "columns of a view": "DESCRIBE nation_names",
        "information_schema.columns": f"""
            SELECT column_name, ordinal_position, column_default, is_nullable, data_type
            FROM information_schema.columns WHERE table_schema = '{SCHEMA}' AND table_name = 'orders' ORDER BY 2""",
        "information_schema.tables": f"""
            SELECT table_catalog, table_schema, table_name, table_type
            FROM information_schema.tables WHERE table_schema = '{SCHEMA}' ORDER BY 3""",
        "information_schema.views": f"""
            SELECT table_name FROM information_schema.views WHERE table_schema = '{SCHEMA}'""",
        "system.jdbc.types": "SELECT type_name, data_type FROM system.jdbc.types ORDER BY 2, 1",
        "system.metadata.table_comments": f"""
            SELECT table_name, comment FROM system.metadata.table_comments
            WHERE catalog_name = '{CATALOG}' AND schema_name = '{SCHEMA}' ORDER BY 1""",
        "nodes": "SELECT count(*) > 0, bool_and(coordinator IS NOT NULL) FROM system.runtime.nodes",
        "functions": "SHOW FUNCTIONS LIKE 'date_trunc'",
        "statistics": "SHOW STATS FOR nation",
        "create table": "SHOW CREATE TABLE region",
        "create view": "SHOW CREATE VIEW nation_names",
        "roles": "SHOW ROLES",
        "current roles": "SHOW CURRENT ROLES",
    }
    for name, sql in lists.items():
        check(f"list: {name}", lambda: repr(rows(sql)))
    check("list: partitions of a table without", lambda: fails(lambda: rows('SELECT * FROM "nation$partitions"')))


def run():
    check_types()
    check_parameters()
    check_fetches()
    check_cancel()
    check_errors()
    check_transactions()
    check_sessions()
    check_lists()
