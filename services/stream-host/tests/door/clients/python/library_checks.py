"""Checks of libraries above PyPI's ``trino``: SQLAlchemy, pandas, polars and ibis."""

import ibis
import pandas
import polars
import sqlalchemy
from sqlalchemy.engine import URL as Address

import dbapi_checks
from checks import CA, CATALOG, PASSWORD, SCHEMA, URL, USER, check, fails

ORDERS = "SELECT o_orderkey, o_status, o_total, o_date, o_at FROM orders WHERE o_orderkey <= 5 ORDER BY o_orderkey"


def create_engine():
    address = Address.create(
        "trino", username=USER, password=PASSWORD, host=URL.hostname, port=URL.port, database=f"{CATALOG}/{SCHEMA}")
    arguments = {"http_scheme": URL.scheme, **({"verify": CA} if CA else {})}
    return sqlalchemy.create_engine(address, connect_args=arguments)


engine = create_engine()


def check_sqlalchemy():
    inspector = sqlalchemy.inspect(engine)
    orders = sqlalchemy.Table("orders", sqlalchemy.MetaData(), autoload_with=engine, schema=SCHEMA)

    def run(statement, parameters=None):
        with engine.connect() as connection:
            return [list(map(repr, row)) for row in connection.execute(statement, parameters or {})]

    def columns(table):
        return [
            [column["name"], repr(column["type"]), column["nullable"], column["default"], column.get("comment")]
            for column in inspector.get_columns(table, schema=SCHEMA)
        ]

    def select():
        total = sqlalchemy.func.sum(orders.c.o_total).label("total")
        query = sqlalchemy.select(orders.c.o_status, total).where(orders.c.o_orderkey.in_([1, 2, 3, 4]))
        return run(query.group_by(orders.c.o_status).order_by(orders.c.o_status))

    check("sqlalchemy: schemas", lambda: SCHEMA in inspector.get_schema_names())
    check("sqlalchemy: tables", lambda: sorted(inspector.get_table_names(schema=SCHEMA)))
    check("sqlalchemy: views", lambda: inspector.get_view_names(schema=SCHEMA))
    check("sqlalchemy: definition of a view", lambda: inspector.get_view_definition("nation_names", schema=SCHEMA))
    check("sqlalchemy: columns of orders", lambda: columns("orders"))
    check("sqlalchemy: columns of nation", lambda: columns("nation"))
    check("sqlalchemy: columns of every_type", lambda: columns("every_type"))
    check("sqlalchemy: columns of a view", lambda: columns("nation_names"))
    check("sqlalchemy: comment of a table", lambda: inspector.get_table_comment("nation", schema=SCHEMA))
    check("sqlalchemy: no comment", lambda: inspector.get_table_comment("region", schema=SCHEMA))
    check("sqlalchemy: primary key", lambda: inspector.get_pk_constraint("nation", schema=SCHEMA))
    check("sqlalchemy: foreign keys", lambda: inspector.get_foreign_keys("nation", schema=SCHEMA))
    check("sqlalchemy: indexes", lambda: inspector.get_indexes("nation", schema=SCHEMA))
    check("sqlalchemy: has table", lambda: [inspector.has_table(n, schema=SCHEMA) for n in ["nation", "absent"]])
    check("sqlalchemy: absent table", lambda: fails(lambda: inspector.get_columns("absent", schema=SCHEMA)))
    check("sqlalchemy: version", lambda: engine.dialect.server_version_info)
    check("sqlalchemy: select", select)
    check("sqlalchemy: text with parameters", lambda: run(
        sqlalchemy.text("SELECT n_name FROM nation WHERE n_nationkey = :key AND n_name <> :name"),
        {"key": 3, "name": "it's"}))
    check("sqlalchemy: limit and offset", lambda: run(
        sqlalchemy.select(orders.c.o_orderkey).order_by(orders.c.o_orderkey).offset(2).limit(3)))
    check("sqlalchemy: error", lambda: fails(lambda: run(sqlalchemy.text("SELECT absent FROM nation"))))


def check_pandas():
    def described(frame):
        return [{name: str(kind) for name, kind in frame.dtypes.items()}, frame.map(repr).values.tolist()]

    def chunks():
        return [[len(part), int(part["n"].sum())]
                for part in pandas.read_sql("SELECT n FROM numbers WHERE n < 2500 ORDER BY n", engine, chunksize=1000)]

    check("pandas: read_sql", lambda: described(pandas.read_sql(ORDERS, engine)))
    check("pandas: read_sql in chunks", chunks)
    check("pandas: read_sql with parameters", lambda: described(pandas.read_sql(
        sqlalchemy.text("SELECT n_name FROM nation WHERE n_nationkey = :key"), engine, params={"key": 7})))
    check("pandas: read_sql_table", lambda: described(
        pandas.read_sql_table("region", engine, schema=SCHEMA).sort_values("r_regionkey")))
    check("pandas: read_sql without rows", lambda: described(pandas.read_sql(f"SELECT * FROM ({ORDERS}) t WHERE false", engine)))


def check_polars():
    def described(frame):
        return [{name: str(kind) for name, kind in frame.schema.items()}, [list(map(repr, row)) for row in frame.rows()]]

    check("polars: read_database of a connection", lambda: described(
        polars.read_database(ORDERS, connection=dbapi_checks.connect())))
    check("polars: read_database of an engine", lambda: described(
        polars.read_database("SELECT n_nationkey, n_name FROM nation ORDER BY 1 LIMIT 3", connection=engine)))


def check_ibis():
    auth = {"auth": dbapi_checks.trino.auth.BasicAuthentication(USER, PASSWORD)} if PASSWORD else {}
    more = {"verify": CA} if CA else {}
    backend = ibis.trino.connect(
        user=USER, host=URL.hostname, port=URL.port, database=CATALOG, schema=SCHEMA, http_scheme=URL.scheme,
        **auth, **more)
    orders = backend.table("orders")

    def group():
        query = orders.group_by("o_status").agg(count=orders.count(), total=orders.o_total.sum())
        return query.order_by("o_status").execute().map(repr).values.tolist()

    check("ibis: catalogs", lambda: CATALOG in backend.list_catalogs())
    check("ibis: databases", lambda: SCHEMA in backend.list_databases())
    check("ibis: tables", lambda: sorted(backend.list_tables()))
    check("ibis: schema", lambda: {name: str(kind) for name, kind in orders.schema().items()})
    check("ibis: group by", group)
    check("ibis: distinct count", lambda: int(orders.o_custkey.nunique().execute()))
    check("ibis: truncate", lambda: orders.group_by(month=orders.o_date.truncate("M")).agg(count=orders.count())
          .order_by("month").limit(3).execute().map(repr).values.tolist())
    check("ibis: filter and limit", lambda: orders.filter(orders.o_orderkey < 4).order_by("o_orderkey")
          .select("o_orderkey", "o_total").execute().map(repr).values.tolist())


def run():
    for name, work in {"sqlalchemy": check_sqlalchemy, "pandas": check_pandas, "polars": check_polars, "ibis": check_ibis}.items():
        # What a library cannot even begin is one failed check of it.
        check(f"{name}: begins", work)
