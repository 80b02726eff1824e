import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;

/** Logs in with a browser, whose address the driver prints, and prints the first value of the statement on stdin. */
public final class ExternalLogin {
    private ExternalLogin() {}

    public static void main(String[] args) throws Exception {
        String sql = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        String[] login = {"externalAuthentication", "true", "externalAuthenticationRedirectHandlers", "PRINT"};
        try (Connection connection = Checks.connect(login);
                Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery(sql)) {
            results.next();
            System.out.println(results.getString(1));
        }
        System.exit(0);
    }
}
