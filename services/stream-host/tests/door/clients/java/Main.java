import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the JDBC driver against the server of the environment (DOOR_URL, DOOR_USER, ...). */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.SEVERE);
        TypeChecks.run();
        MetadataChecks.run();
        SessionChecks.run();
        // Threads of the driver would keep the process alive.
        System.exit(0);
    }
}
