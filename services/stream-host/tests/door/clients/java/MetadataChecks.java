import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Every method of DatabaseMetaData. */
final class MetadataChecks {
    /** A method that returns a table. */
    private interface Listing {
        ResultSet list(DatabaseMetaData metadata) throws SQLException;
    }

    /** Facts of the server, the driver or the address. */
    private static final Set<String> OTHERS = Set.of(
            "getURL", "getUserName", "getConnection", "getDriverVersion", "getDriverMajorVersion", "getDriverMinorVersion",
            "getDatabaseProductVersion", "getDatabaseMajorVersion", "getDatabaseMinorVersion");

    private MetadataChecks() {}

    private static void check(DatabaseMetaData metadata, String name, Listing listing) {
        Checks.check("metadata: " + name, () -> {
            try (ResultSet results = listing.list(metadata)) {
                List<Object> found = new ArrayList<>(List.of(Checks.columns(results.getMetaData())));
                found.addAll(Checks.rows(results));
                return found;
            }
        });
    }

    /** Returns whether a table has a row with this text in its first column. */
    private static void checkHas(DatabaseMetaData metadata, String name, String text, Listing listing) {
        Checks.check("metadata: " + name, () -> {
            try (ResultSet results = listing.list(metadata)) {
                Object columns = Checks.columns(results.getMetaData());
                boolean isThere = Checks.rows(results).stream().anyMatch(row -> text.equals(row.get(0)));
                return List.of(columns, isThere);
            }
        });
    }

    static void run() throws SQLException {
        try (Connection connection = Checks.connect()) {
            DatabaseMetaData metadata = connection.getMetaData();
            checkFacts(metadata);
            checkLists(metadata);
            checkPatterns(metadata);
            checkEmptyLists(metadata);
        }
    }

    private static void checkFacts(DatabaseMetaData metadata) {
        Checks.check("metadata: facts", () -> {
            Map<String, Object> facts = new TreeMap<>();
            Method[] methods = DatabaseMetaData.class.getMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                boolean isTable = ResultSet.class.isAssignableFrom(method.getReturnType());
                if (method.getParameterCount() > 0 || isTable || OTHERS.contains(method.getName())) continue;
                facts.put(method.getName(), Checks.call(metadata, method));
            }
            return facts;
        });
        Checks.check("metadata: user", () -> metadata.getUserName().equals(Checks.USER));
        Checks.check("metadata: version", () -> metadata.getDatabaseProductVersion().split("-")[0]);
    }

    private static void checkLists(DatabaseMetaData metadata) {
        String catalog = Checks.CATALOG;
        String schema = Checks.SCHEMA;
        checkHas(metadata, "catalogs", catalog, DatabaseMetaData::getCatalogs);
        checkHas(metadata, "schemas", schema, DatabaseMetaData::getSchemas);
        check(metadata, "schemas by pattern", all -> all.getSchemas(catalog, "door%"));
        check(metadata, "table types", DatabaseMetaData::getTableTypes);
        check(metadata, "types", DatabaseMetaData::getTypeInfo);
        check(metadata, "tables", all -> all.getTables(catalog, schema, "%", null));
        check(metadata, "tables of a kind", all -> all.getTables(catalog, schema, null, new String[] {"TABLE"}));
        check(metadata, "views", all -> all.getTables(catalog, schema, null, new String[] {"VIEW"}));
        check(metadata, "tables of no kind", all -> all.getTables(catalog, schema, null, new String[] {"SYNONYM"}));
        for (String table : List.of("nation", "orders", "every_type", "nation_names"))
            check(metadata, "columns of " + table, all -> all.getColumns(catalog, schema, table, null));
        check(metadata, "columns by pattern", all -> all.getColumns(catalog, schema, "n%", "%name"));
    }

    /** `_` and `%` are patterns, and the escape of the driver makes them letters. */
    private static void checkPatterns(DatabaseMetaData metadata) {
        String catalog = Checks.CATALOG;
        String schema = Checks.SCHEMA;
        check(metadata, "one letter", all -> all.getTables(catalog, schema, "natio_", null));
        check(metadata, "an escaped letter", all -> all.getTables(catalog, schema, "natio" + all.getSearchStringEscape() + "_", null));
        check(metadata, "an escaped name", all -> all.getTables(
                catalog, schema, "nation" + all.getSearchStringEscape() + "_names", null));
        check(metadata, "a name with a quote", all -> all.getTables(catalog, schema, "it's", null));
        check(metadata, "a catalog that is absent", all -> all.getTables("no_such_catalog", schema, "%", null));
        check(metadata, "a schema that is absent", all -> all.getTables(catalog, "no_such_schema", "%", null));
        check(metadata, "capitals", all -> all.getTables(catalog, schema, "NATION", null));
        checkHas(metadata, "tables of any catalog", Checks.CATALOG, all -> all.getTables(null, schema, "nation", null));
        check(metadata, "tables without a catalog", all -> all.getTables("", schema, "nation", null));
    }

    private static void checkEmptyLists(DatabaseMetaData metadata) {
        String catalog = Checks.CATALOG;
        String schema = Checks.SCHEMA;
        check(metadata, "primary keys", all -> all.getPrimaryKeys(catalog, schema, "nation"));
        check(metadata, "imported keys", all -> all.getImportedKeys(catalog, schema, "nation"));
        check(metadata, "exported keys", all -> all.getExportedKeys(catalog, schema, "nation"));
        check(metadata, "cross references", all -> all.getCrossReference(catalog, schema, "nation", catalog, schema, "region"));
        check(metadata, "indexes", all -> all.getIndexInfo(catalog, schema, "nation", false, true));
        check(metadata, "row identifiers", all -> all.getBestRowIdentifier(catalog, schema, "nation", 0, true));
        check(metadata, "version columns", all -> all.getVersionColumns(catalog, schema, "nation"));
        check(metadata, "procedures", all -> all.getProcedures(catalog, schema, "%"));
        check(metadata, "columns of procedures", all -> all.getProcedureColumns(catalog, schema, "%", "%"));
        check(metadata, "functions", all -> all.getFunctions(catalog, schema, "%"));
        check(metadata, "columns of functions", all -> all.getFunctionColumns(catalog, schema, "%", "%"));
        check(metadata, "types of users", all -> all.getUDTs(catalog, schema, "%", null));
        check(metadata, "super types", all -> all.getSuperTypes(catalog, schema, "%"));
        check(metadata, "super tables", all -> all.getSuperTables(catalog, schema, "%"));
        check(metadata, "attributes", all -> all.getAttributes(catalog, schema, "%", "%"));
        check(metadata, "pseudo columns", all -> all.getPseudoColumns(catalog, schema, "%", "%"));
        check(metadata, "rights of tables", all -> all.getTablePrivileges(catalog, schema, "nation"));
        check(metadata, "rights of columns", all -> all.getColumnPrivileges(catalog, schema, "nation", "%"));
        check(metadata, "facts of clients", DatabaseMetaData::getClientInfoProperties);
    }
}
