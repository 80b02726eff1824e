import io.trino.jdbc.TrinoConnection;
import io.trino.jdbc.TrinoStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CompletableFuture;

/** Connections, long results, stops, transactions and session properties. */
final class SessionChecks {
    private static final String SLOW =
            "SELECT sum((a.n * b.n + c.n) % 7) FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers c";
    private static final String LONG = "SELECT a.n FROM numbers a CROSS JOIN numbers b";

    private SessionChecks() {}

    static void run() throws SQLException {
        checkConnections();
        try (Connection connection = Checks.connect()) {
            checkResults(connection);
            checkErrors(connection);
            checkStops(connection);
        }
        checkTransactions();
        checkProperties();
    }

    private static void checkConnections() {
        Checks.check("connection: validated", () -> {
            try (Connection connection = Checks.connect("validateConnection", "true")) {
                return Checks.rows(connection, "SELECT 1");
            }
        });
        Checks.check("connection: is valid", () -> {
            Connection connection = Checks.connect();
            boolean before = connection.isValid(10);
            connection.close();
            return List.of(before, connection.isValid(10), connection.isClosed());
        });
        Checks.check("connection: names of the client", () -> {
            try (Connection connection = Checks.connect(
                    "source", "door", "clientTags", "a,b", "clientInfo", "info", "traceToken", "token", "applicationNamePrefix", "p")) {
                connection.setClientInfo("ApplicationName", "app");
                return Checks.rows(connection, "SELECT 1 AS one");
            }
        });
        Checks.check("connection: user of the session", () -> {
            try (Connection connection = Checks.connect("sessionUser", Checks.USER)) {
                return Checks.rows(connection, "SELECT current_user").get(0).get(0).equals(Checks.USER);
            }
        });
        Checks.check("connection: roles", () -> {
            try (Connection connection = Checks.connect("roles", "system:none")) {
                return Checks.rows(connection, "SELECT 1 AS one");
            }
        });
        Checks.check("connection: compression off", () -> {
            try (Connection connection = Checks.connect("disableCompression", "true")) {
                return Checks.rows(connection, "SELECT count(*) FROM nation");
            }
        });
        Checks.check("connection: catalog and schema", () -> {
            try (Connection connection = Checks.connect()) {
                List<Object> found = new ArrayList<>(List.of(connection.getCatalog(), connection.getSchema()));
                connection.setSchema("information_schema");
                found.add(Checks.rows(connection, "SELECT count(*) FROM tables WHERE table_name = 'nation'"));
                Checks.rows(connection, "USE " + Checks.CATALOG + "." + Checks.SCHEMA);
                found.add(connection.getSchema());
                found.add(Checks.rows(connection, "SELECT count(*) FROM nation"));
                return found;
            }
        });
    }

    private static void checkResults(Connection connection) {
        Checks.check("result: 200,000 rows", () -> {
            long rows = 0;
            long sum = 0;
            try (Statement statement = connection.createStatement(); ResultSet all = statement.executeQuery("SELECT n FROM numbers")) {
                for (; all.next(); rows += 1) sum += all.getLong(1);
            }
            return List.of(rows, sum);
        });
        Checks.check("result: at most ten rows", () -> {
            try (Statement statement = connection.createStatement()) {
                statement.setMaxRows(10);
                return Checks.rows(statement.executeQuery("SELECT n FROM numbers")).size();
            }
        });
        Checks.check("result: progress", () -> {
            Set<String> states = new ConcurrentSkipListSet<>();
            try (Statement statement = connection.createStatement()) {
                statement.unwrap(TrinoStatement.class).setProgressMonitor(stats -> states.add(stats.getState()));
                Checks.rows(statement.executeQuery("SELECT sum(n) FROM numbers"));
            }
            return List.of(states.contains("FINISHED"), states.contains("FAILED"));
        });
        Checks.check("result: facts of a column", () -> {
            try (Statement statement = connection.createStatement()) {
                var columns = statement.executeQuery("SELECT n_name AS \"Name of it\" FROM nation").getMetaData();
                return List.of(columns.getColumnLabel(1), columns.getColumnName(1), columns.getCatalogName(1),
                        columns.getSchemaName(1), columns.getTableName(1), columns.isNullable(1));
            }
        });
        Checks.check("result: no update count of rows", () -> {
            try (Statement statement = connection.createStatement()) {
                boolean hasRows = statement.execute("SELECT 1 AS one");
                return List.of(hasRows, statement.getUpdateCount(), statement.getMoreResults());
            }
        });
        Checks.check("result: update of a session", () -> {
            try (Statement statement = connection.createStatement()) {
                boolean hasRows = statement.execute("SET SESSION query_max_run_time = '1h'");
                String type = statement.unwrap(TrinoStatement.class).getUpdateType();
                return List.of(hasRows, statement.getUpdateCount(), String.valueOf(type));
            }
        });
        Checks.check("result: warnings", () -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1 AS one");
                return String.valueOf(statement.getWarnings());
            }
        });
    }

    private static void checkErrors(Connection connection) {
        for (String sql : List.of("SELECT FROM WHERE", "SELECT * FROM no_such_table", "SELECT * FROM no_such_catalog.a.b",
                "SELECT no_such_column FROM nation", "SELECT no_such_function(1)", "SELECT CAST('abc' AS integer)",
                "SELECT CAST(n_name AS integer) FROM nation", "SELECT 1 / 0", "SELECT 1; SELECT 2", "EXECUTE no_such_statement"))
            Checks.check("error: " + sql, () -> Checks.fails(() -> Checks.rows(connection, sql)));
        Checks.check("error: another user", () -> Checks.fails(() -> {
            try (Connection other = Checks.connect("sessionUser", "somebody@else.example")) {
                return Checks.rows(other, "SELECT 1 AS one");
            }
        }));
    }

    private static void checkStops(Connection connection) {
        Checks.check("stop: cancel before rows", () -> {
            try (Statement statement = connection.createStatement()) {
                CompletableFuture<Object> ended = CompletableFuture.supplyAsync(() -> {
                    try {
                        return Checks.fails(() -> Checks.rows(statement.executeQuery(SLOW)));
                    } catch (Exception error) {
                        return error.toString();
                    }
                });
                Thread.sleep(1_500);
                statement.cancel();
                return ended.get();
            }
        });
        Checks.check("stop: cancel between rows", () -> {
            try (Statement statement = connection.createStatement()) {
                ResultSet results = statement.executeQuery(LONG);
                results.next();
                statement.cancel();
                return Checks.fails(() -> {
                    long rows = 0;
                    while (results.next()) rows += 1;
                    return rows;
                });
            }
        });
        Checks.check("stop: close between rows", () -> {
            try (Statement statement = connection.createStatement()) {
                ResultSet results = statement.executeQuery(LONG);
                results.next();
                results.close();
            }
            return Checks.rows(connection, "SELECT 1 AS one");
        });
        Checks.check("stop: time limit", () -> Checks.fails(() -> {
            try (Connection limited = Checks.connect(); Statement statement = limited.createStatement()) {
                statement.setQueryTimeout(1);
                return Checks.rows(statement.executeQuery(SLOW));
            }
        }));
    }

    private static void checkTransactions() {
        for (boolean commits : new boolean[] {true, false})
            Checks.check("transaction: " + (commits ? "commit" : "rollback"), () -> {
                try (Connection connection = Checks.connect()) {
                    connection.setAutoCommit(false);
                    List<Object> found = new ArrayList<>(Checks.rows(connection, "SELECT count(*) FROM nation"));
                    found.addAll(Checks.rows(connection, "SELECT count(*) FROM region"));
                    if (commits) connection.commit();
                    else connection.rollback();
                    connection.setAutoCommit(true);
                    found.addAll(Checks.rows(connection, "SELECT 1 AS one"));
                    return found;
                }
            });
        Checks.check("transaction: reads only", () -> {
            try (Connection connection = Checks.connect()) {
                connection.setReadOnly(true);
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
                connection.setAutoCommit(false);
                List<List<Object>> found = Checks.rows(connection, "SELECT count(*) FROM nation");
                connection.commit();
                return found;
            }
        });
    }

    private static void checkProperties() {
        String show = "SHOW SESSION LIKE 'query_max_run_time'";
        Checks.check("session: property of the connection", () -> {
            try (Connection connection = Checks.connect("sessionProperties", "query_max_run_time:3h")) {
                return Checks.rows(connection, show).get(0).subList(0, 2);
            }
        });
        Checks.check("session: property set by the driver", () -> {
            try (Connection connection = Checks.connect()) {
                connection.unwrap(TrinoConnection.class).setSessionProperty("query_max_run_time", "4h");
                return Checks.rows(connection, show).get(0).subList(0, 2);
            }
        });
        Checks.check("session: set and reset", () -> {
            try (Connection connection = Checks.connect()) {
                Checks.rows(connection, "SET SESSION query_max_run_time = '5h'");
                List<Object> found = new ArrayList<>(Checks.rows(connection, show).get(0).subList(0, 2));
                Checks.rows(connection, "RESET SESSION query_max_run_time");
                found.add(Checks.rows(connection, show).get(0).subList(0, 2));
                return found;
            }
        });
        Checks.check("session: time zone", () -> {
            try (Connection connection = Checks.connect("timezone", "Asia/Tokyo")) {
                List<Object> found = new ArrayList<>(Checks.rows(connection, "SELECT current_timezone()"));
                connection.unwrap(TrinoConnection.class).setTimeZoneId("America/New_York");
                found.addAll(Checks.rows(connection, "SELECT current_timezone()"));
                return found;
            }
        });
    }
}
