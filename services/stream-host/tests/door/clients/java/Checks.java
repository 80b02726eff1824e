import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Connections to the server of the environment, and a line of JSON for each check: {"check": name, "ok": true, "value": ...}. */
final class Checks {
    /** Work of a check: its result is its value. */
    interface Work {
        Object run() throws Exception;
    }

    static final String USER = System.getenv("DOOR_USER");
    static final String CATALOG = System.getenv("DOOR_CATALOG");
    static final String SCHEMA = System.getenv("DOOR_SCHEMA");
    private static final String PASSWORD = System.getenv("DOOR_PASSWORD");
    private static final String AUTHORITY = System.getenv("DOOR_CA");

    private Checks() {}

    static String address() {
        String url = System.getenv("DOOR_URL");
        return "jdbc:trino://" + url.substring(url.indexOf("://") + 3) + "/" + CATALOG + "/" + SCHEMA;
    }

    static Properties properties(String... more) {
        Properties properties = new Properties();
        properties.setProperty("user", USER);
        if (System.getenv("DOOR_URL").startsWith("https:")) properties.setProperty("SSL", "true");
        if (PASSWORD != null) properties.setProperty("password", PASSWORD);
        if (AUTHORITY != null) properties.setProperty("SSLTrustStorePath", AUTHORITY);
        for (int index = 0; index < more.length; index += 2) properties.setProperty(more[index], more[index + 1]);
        return properties;
    }

    static Connection connect(String... more) throws SQLException {
        return DriverManager.getConnection(address(), properties(more));
    }

    static void check(String name, Work work) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("check", name);
        try {
            Object value = work.run();
            line.put("ok", true);
            line.put("value", value);
        } catch (Exception | LinkageError error) {
            line.put("ok", false);
            line.put("value", failureOf(error));
        }
        System.out.println(json(line));
    }

    /** Returns how the work fails. Throws if it does not. */
    static Object fails(Work work) throws Exception {
        Object value;
        try {
            value = work.run();
        } catch (Exception error) {
            return failureOf(error);
        }
        throw new IllegalStateException("no error, but " + describe(value));
    }

    /** What identifies an error on every server: its class, the number of Trino, and the class of its cause. */
    private static Object failureOf(Throwable error) {
        if (!(error instanceof SQLException)) return error.getClass().getSimpleName() + ": " + error.getMessage();
        SQLException failure = (SQLException) error;
        List<Object> found = new ArrayList<>(List.of(failure.getClass().getSimpleName(), failure.getErrorCode()));
        // An error of the driver has no number, and its text is the same on every server.
        if (failure.getErrorCode() == 0) found.add(withoutIds(failure.getMessage()));
        return found;
    }

    private static String withoutIds(String message) {
        String first = String.valueOf(message).split("\n")[0];
        return first.replaceAll("#[0-9a-zA-Z_-]{20,}", "#ID").replaceAll("https?://\\S+", "URL");
    }

    static List<List<Object>> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql) ? rows(statement.getResultSet()) : List.of();
        }
    }

    static List<List<Object>> rows(ResultSet results) throws SQLException {
        int columns = results.getMetaData().getColumnCount();
        List<List<Object>> rows = new ArrayList<>();
        while (results.next()) {
            List<Object> row = new ArrayList<>();
            for (int column = 1; column <= columns; column += 1) row.add(describe(results.getObject(column)));
            rows.add(row);
        }
        return rows;
    }

    static List<Object> columns(ResultSetMetaData columns) throws SQLException {
        List<Object> names = new ArrayList<>();
        for (int column = 1; column <= columns.getColumnCount(); column += 1)
            names.add(columns.getColumnLabel(column) + " " + columns.getColumnTypeName(column));
        return names;
    }

    /** Numbers, texts and truth values stay; other objects become their class and text. */
    static Object describe(Object value) throws SQLException {
        if (value == null || value instanceof String || value instanceof Boolean) return value;
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) return value;
        String text = value instanceof java.sql.Array
                ? Arrays.deepToString((Object[]) ((java.sql.Array) value).getArray())
                : value instanceof byte[] ? hex((byte[]) value) : value instanceof Map ? sorted((Map<?, ?>) value) : value.toString();
        return value.getClass().getSimpleName() + " " + text;
    }

    private static String sorted(Map<?, ?> map) {
        return new TreeMap<Object, Object>(map).toString();
    }

    static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte each : bytes) text.append(String.format("%02x", each));
        return text.toString();
    }

    static Object call(Object object, Method method) throws Exception {
        try {
            return describe(method.invoke(object));
        } catch (java.lang.reflect.InvocationTargetException error) {
            return failureOf(error.getCause());
        }
    }

    private static String json(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder text) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof Map) {
            text.append('{');
            String between = "";
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                text.append(between);
                write(entry.getKey(), text);
                text.append(':');
                write(entry.getValue(), text);
                between = ",";
            }
            text.append('}');
        } else if (value instanceof Iterable) {
            text.append('[');
            String between = "";
            for (Object each : (Iterable<?>) value) {
                text.append(between);
                write(each, text);
                between = ",";
            }
            text.append(']');
        } else {
            quote(value.toString(), text);
        }
    }

    private static void quote(String value, StringBuilder text) {
        text.append('"');
        for (char each : value.toCharArray()) {
            if (each == '"' || each == '\\') text.append('\\').append(each);
            else if (each < ' ' || each > '~') text.append(String.format("\\u%04x", (int) each));
            else text.append(each);
        }
        text.append('"');
    }
}
