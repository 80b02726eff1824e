import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Properties;

/**
 * Reads the statement on stdin with JDBC, each cell as an object, as tools do. Arguments: the number of readings, the address, and pairs of
 * properties of the connection. As many readings before them compile the driver. Prints a line of JSON with the mean of a reading:
 * {"ms": ..., "cpuSeconds": ..., "rows": ...}.
 */
public final class ReadRows {
    private ReadRows() {}

    public static void main(String[] args) throws Exception {
        String sql = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        int readings = Integer.parseInt(args[0]);
        Properties properties = new Properties();
        for (int index = 2; index < args.length; index += 2) properties.setProperty(args[index], args[index + 1]);
        try (Connection connection = DriverManager.getConnection(args[1], properties)) {
            readAll(connection, sql, readings);
            long cpuStart = processorNanos();
            long start = System.nanoTime();
            long rows = readAll(connection, sql, readings);
            double ms = (System.nanoTime() - start) / 1e6 / readings;
            double cpuSeconds = (processorNanos() - cpuStart) / 1e9 / readings;
            System.out.printf(Locale.ROOT, "{\"ms\": %.3f, \"cpuSeconds\": %.4f, \"rows\": %d}%n", ms, cpuSeconds, rows);
        }
        System.exit(0);
    }

    /** Returns the rows of the last reading. */
    private static long readAll(Connection connection, String sql, int readings) throws SQLException {
        long rows = 0;
        for (int reading = 0; reading < readings; reading += 1) rows = read(connection, sql);
        return rows;
    }

    private static long read(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery(sql)) {
            int columns = results.getMetaData().getColumnCount();
            long rows = 0;
            for (; results.next(); rows += 1) for (int column = 1; column <= columns; column += 1) results.getObject(column);
            return rows;
        }
    }

    private static long processorNanos() {
        var system = ManagementFactory.getOperatingSystemMXBean();
        return system instanceof com.sun.management.OperatingSystemMXBean process ? process.getProcessCpuTime() : 0;
    }
}
