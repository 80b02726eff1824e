"""Checks of what Superset does with a database: connection, lists of its objects, and their details."""

from application import Client, app, database_of
from checks import CATALOG, PASSWORD, SCHEMA, check, fails

TEST = "/api/v1/database/test_connection/"
# Functions that Superset uses in charts, and two of Trino alone.
FUNCTIONS = ["count", "date_trunc", "sum", "approx_distinct", "from_unixtime"]


def check_connections(user):
    other = Client("other")
    check("connection: test", lambda: user.post(TEST, database_of("a test")))
    check("connection: test with a root certificate",
          lambda: user.post(TEST, database_of("a test", uses_root_certificate=True)))
    check("connection: test without a catalog", lambda: user.post(TEST, database_of("a test", catalog=None)))
    check("connection: wrong password", lambda: fails(lambda: user.post(TEST, database_of("a test", password="wrong")))
          if PASSWORD else "Trino asks for none.")
    check("connection: impersonates the user of the database",
          lambda: user.post(TEST, database_of("a test", impersonate_user=True)))
    check("connection: impersonates another user",
          lambda: other.post(TEST, database_of("a test", impersonate_user=True)))


def check_lists(user, database):
    path = f"/api/v1/database/{database}"
    in_schema = {"catalog_name": CATALOG, "schema_name": SCHEMA}

    def tables(**which):
        found = user.get(f"{path}/tables/", q={**in_schema, **which})
        return [found["count"], sorted([table["type"], table["value"]] for table in found["result"])]

    def schemas(**which):
        found = user.get(f"{path}/schemas/", q=which)["result"]
        return [name for name in sorted(found) if name in (SCHEMA, "information_schema")]

    def catalogs():
        found = user.get(f"{path}/catalogs/", q={})["result"]
        return [name in found for name in (CATALOG, "system")]

    def functions():
        found = set(user.get(f"{path}/function_names/")["function_names"])
        return [len(found) > 100, [name for name in FUNCTIONS if name in found]]

    check("list: catalogs", catalogs)
    check("list: schemas", schemas)
    check("list: schemas of a catalog", lambda: schemas(catalog=CATALOG))
    check("list: schemas of an absent catalog", lambda: fails(lambda: schemas(catalog="absent")))
    check("list: tables and views", tables)
    check("list: tables and views, read again", lambda: tables(force=True))
    check("list: tables of an absent schema", lambda: tables(schema_name="absent"))
    check("list: functions", functions)


def check_tables(user, database):
    path = f"/api/v1/database/{database}"

    def of(name):
        return {"name": name, "catalog": CATALOG, "schema": SCHEMA}

    def columns(name):
        found = user.get(f"{path}/table_metadata/", **of(name))
        listed = [[column["name"], column["type"], column["longType"], column["comment"]] for column in found["columns"]]
        return {"columns": listed, **{key: found[key] for key in ["primaryKey", "foreignKeys", "indexes", "comment"]}}

    for name in ["orders", "nation", "every_type", "nation_names"]:
        check(f"table: columns of {name}", lambda: columns(name))
        check(f"table: SELECT of {name}", lambda: user.get(f"{path}/table_metadata/", **of(name))["selectStar"])
    check("table: absent", lambda: fails(lambda: columns("absent")))
    check("table: more about nation", lambda: user.get(f"{path}/table_metadata/extra/", **of("nation")))
    check("table: more about a view", lambda: user.get(f"{path}/table_metadata/extra/", **of("nation_names")))


def check_partitions(database):
    """Partitions, which templates of SQL Lab read."""
    from superset.models.core import Database
    from superset.sql.parse import Table

    def with_database(work):
        with app.test_request_context():
            from superset import db

            return work(db.session.get(Database, database), Table("nation", SCHEMA, CATALOG))

    check("partitions: indexes", lambda: with_database(lambda found, table: found.get_indexes(table)))
    check("partitions: the latest", lambda: fails(lambda: with_database(
        lambda found, table: found.db_engine_spec.latest_partition(found, table))))
    check("partitions: the latest by its query", lambda: fails(lambda: with_database(
        lambda found, table: found.db_engine_spec.latest_partition(
            found, table, indexes=[{"name": "partition", "column_names": ["n_regionkey"]}]))))


def run(user):
    check_connections(user)
    database = user.post("/api/v1/database/", database_of("the database"))["id"]
    check_lists(user, database)
    check_tables(user, database)
    check_partitions(database)
    return database
