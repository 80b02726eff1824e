import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Types of results, and kinds of parameters in both ways to prepare a statement. */
final class TypeChecks {
    /** Sets the first parameter. */
    private interface Setter {
        void set(PreparedStatement statement) throws SQLException;
    }

    private static final Map<String, String> TYPES = new LinkedHashMap<>();
    private static final Map<String, Setter> PARAMETERS = new LinkedHashMap<>();

    static {
        TYPES.put("boolean", "true");
        TYPES.put("tinyint", "CAST(-128 AS tinyint)");
        TYPES.put("smallint", "CAST(32767 AS smallint)");
        TYPES.put("integer", "CAST(-2147483648 AS integer)");
        TYPES.put("bigint", "CAST(9223372036854775807 AS bigint)");
        TYPES.put("real", "CAST(1.5 AS real)");
        TYPES.put("double", "CAST(0.1 AS double)");
        TYPES.put("not a number", "CAST('NaN' AS double)");
        TYPES.put("infinity", "CAST('Infinity' AS double)");
        TYPES.put("decimal(5,2)", "CAST('-1.50' AS decimal(5,2))");
        TYPES.put("decimal(38,10)", "CAST('1234567890123456789012345678.0123456789' AS decimal(38,10))");
        TYPES.put("varchar", "CAST('text' AS varchar)");
        TYPES.put("varchar(5)", "CAST('text' AS varchar(5))");
        TYPES.put("char(5)", "CAST('ab' AS char(5))");
        TYPES.put("varbinary", "to_utf8('ab')");
        TYPES.put("date", "DATE '2026-03-29'");
        TYPES.put("time(3)", "TIME '12:34:56.789'");
        TYPES.put("time(6)", "TIME '12:34:56.789123'");
        TYPES.put("time with time zone", "TIME '12:34:56.789 +02:00'");
        TYPES.put("timestamp(0)", "CAST(TIMESTAMP '2026-03-29 12:30:00' AS timestamp(0))");
        TYPES.put("timestamp(3)", "TIMESTAMP '2026-03-29 12:30:00.123'");
        TYPES.put("timestamp(6)", "TIMESTAMP '2026-03-29 12:30:00.123456'");
        TYPES.put("timestamp(12)", "TIMESTAMP '2026-03-29 12:30:00.123456789012'");
        TYPES.put("timestamp with time zone", "TIMESTAMP '2026-03-29 12:30:00.123 Europe/Berlin'");
        TYPES.put("interval day to second", "INTERVAL '2' DAY");
        TYPES.put("interval year to month", "INTERVAL '14' MONTH");
        TYPES.put("uuid", "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'");
        TYPES.put("json", "JSON '{\"a\": [1, null]}'");
        TYPES.put("ipaddress", "IPADDRESS '10.0.0.1'");
        TYPES.put("array", "ARRAY[1, NULL, 3]");
        TYPES.put("array of arrays", "ARRAY[ARRAY['a'], ARRAY['b', NULL]]");
        TYPES.put("map", "MAP(ARRAY['a', 'b'], ARRAY[1, NULL])");
        TYPES.put("row", "CAST(ROW(1, 'a') AS ROW(x integer, y varchar))");
        TYPES.put("row without names", "ROW(1, 'a')");
        TYPES.put("null", "NULL");
        TYPES.put("null of a decimal", "CAST(NULL AS decimal(10,2))");

        PARAMETERS.put("null", statement -> statement.setNull(1, Types.VARCHAR));
        PARAMETERS.put("null of a decimal", statement -> statement.setNull(1, Types.DECIMAL));
        PARAMETERS.put("boolean", statement -> statement.setBoolean(1, true));
        PARAMETERS.put("byte", statement -> statement.setByte(1, (byte) -7));
        PARAMETERS.put("short", statement -> statement.setShort(1, (short) 300));
        PARAMETERS.put("int", statement -> statement.setInt(1, -70_000));
        PARAMETERS.put("long", statement -> statement.setLong(1, 1L << 62));
        PARAMETERS.put("float", statement -> statement.setFloat(1, 1.5f));
        PARAMETERS.put("double", statement -> statement.setDouble(1, 0.1));
        PARAMETERS.put("decimal", statement -> statement.setBigDecimal(1, new BigDecimal("-12345678901234567890.50")));
        PARAMETERS.put("string", statement -> statement.setString(1, "it's ? -- /* \" é😀"));
        PARAMETERS.put("empty string", statement -> statement.setString(1, ""));
        PARAMETERS.put("bytes", statement -> statement.setBytes(1, new byte[] {0, -1, 'a'}));
        PARAMETERS.put("binary stream", statement -> statement.setBinaryStream(1, new ByteArrayInputStream(new byte[] {1, 2})));
        PARAMETERS.put("date", statement -> statement.setDate(1, Date.valueOf("2026-03-29")));
        PARAMETERS.put("time", statement -> statement.setTime(1, Time.valueOf("12:34:56")));
        PARAMETERS.put("timestamp", statement -> statement.setTimestamp(1, Timestamp.valueOf("2026-03-29 12:30:00.123456")));
        PARAMETERS.put("local date", statement -> statement.setObject(1, LocalDate.of(2026, 3, 29)));
        PARAMETERS.put("local time", statement -> statement.setObject(1, LocalTime.of(12, 34, 56, 789_000_000)));
        PARAMETERS.put("local date and time", statement -> statement.setObject(1, LocalDateTime.of(2026, 3, 29, 12, 30, 1)));
        PARAMETERS.put("time of an offset", statement -> statement.setObject(1, OffsetTime.of(12, 34, 56, 0, ZoneOffset.ofHours(2)), Types.TIME_WITH_TIMEZONE));
        PARAMETERS.put("instant of a region", statement -> statement.setObject(
                1, "2026-03-29 12:30:00.123 Europe/Berlin", Types.TIMESTAMP_WITH_TIMEZONE));
        PARAMETERS.put("uuid", statement -> statement.setObject(1, UUID.fromString("12151fd2-7586-11e9-8f9e-2a86e4085a59")));
    }

    private TypeChecks() {}

    /** Returns all that the driver says of the only cell. */
    private static List<Object> cell(ResultSet results) throws SQLException {
        ResultSetMetaData columns = results.getMetaData();
        results.next();
        List<Object> found = new ArrayList<>();
        found.add(columns.getColumnTypeName(1));
        found.add(columns.getColumnType(1));
        found.add(columns.getColumnClassName(1));
        found.add(columns.getPrecision(1));
        found.add(columns.getScale(1));
        found.add(columns.isSigned(1));
        found.add(columns.getColumnDisplaySize(1));
        found.add(Checks.describe(results.getObject(1)));
        found.add(results.getString(1));
        found.add(results.wasNull());
        return found;
    }

    private static Object prepared(Connection connection, Setter setter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT ? AS v")) {
            setter.set(statement);
            try (ResultSet results = statement.executeQuery()) {
                return cell(results);
            }
        }
    }

    static void run() throws SQLException {
        try (Connection connection = Checks.connect()) {
            TYPES.forEach((name, expression) -> Checks.check("type: " + name, () -> {
                try (Statement statement = connection.createStatement()) {
                    return cell(statement.executeQuery("SELECT " + expression + " AS v"));
                }
            }));
        }
        for (String explicit : List.of("true", "false")) {
            try (Connection connection = Checks.connect("explicitPrepare", explicit)) {
                String how = explicit.equals("true") ? "PREPARE" : "EXECUTE IMMEDIATE";
                PARAMETERS.forEach((name, setter) ->
                        Checks.check("parameter by " + how + ": " + name, () -> prepared(connection, setter)));
                checkPrepared(connection, how);
            }
        }
    }

    private static void checkPrepared(Connection connection, String how) {
        String sql = "SELECT n_nationkey, n_name AS \"a?\", '?' AS q FROM nation WHERE n_regionkey = ? AND n_name > ? ORDER BY 1 -- ?";
        Checks.check("prepared by " + how + ": twice with other values", () -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                List<Object> found = new ArrayList<>();
                for (int region : new int[] {1, 3}) {
                    statement.setInt(1, region);
                    statement.setString(2, "C");
                    found.add(Checks.rows(statement.executeQuery()));
                }
                return found;
            }
        });
        Checks.check("prepared by " + how + ": columns before it runs", () -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                return Checks.columns(statement.getMetaData());
            }
        });
        Checks.check("prepared by " + how + ": parameters before it runs", () -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                List<Object> found = new ArrayList<>();
                for (int index = 1; index <= statement.getParameterMetaData().getParameterCount(); index += 1)
                    found.add(statement.getParameterMetaData().getParameterTypeName(index));
                return found;
            }
        });
        Checks.check("prepared by " + how + ": a parameter is missing", () -> Checks.fails(() -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT ?, ?")) {
                statement.setInt(1, 1);
                return Checks.rows(statement.executeQuery());
            }
        }));
        Checks.check("prepared by " + how + ": of 20,000 characters", () -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT ? /* " + "x".repeat(20_000) + " */")) {
                statement.setInt(1, 1);
                return Checks.rows(statement.executeQuery());
            }
        });
        Checks.check("prepared by " + how + ": ten open at once", () -> {
            List<PreparedStatement> open = new ArrayList<>();
            List<Object> found = new ArrayList<>();
            for (int number = 0; number < 10; number += 1)
                open.add(connection.prepareStatement("SELECT ? + " + number + " /* " + "y".repeat(1_500) + " */"));
            for (PreparedStatement statement : open) {
                statement.setInt(1, 100);
                found.addAll(Checks.rows(statement.executeQuery()));
            }
            for (PreparedStatement statement : open) statement.close();
            return found;
        });
    }
}
