import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;

/** Reads the statement on stdin to its end, and prints its rows and the sums of its first column. Fails as the driver does. */
public final class Read {
    private Read() {}

    public static void main(String[] args) throws Exception {
        String sql = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        long rows = 0;
        long sum = 0;
        long squares = 0;
        try (Connection connection = Checks.connect();
                Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery(sql)) {
            for (; results.next(); rows += 1) {
                long n = results.getLong(1);
                sum += n;
                squares = (squares + n * n) % 1_000_003;
            }
        }
        System.out.printf("{\"rows\": %d, \"sum\": %d, \"squares\": %d}%n", rows, sum, squares);
        System.exit(0);
    }
}
