-- Statements about catalogs, schemas, tables and columns, in the forms in which clients send them, with their answers from the catalog that
-- `seed-catalogue.ts` writes. Parameters are written as their values. Each statement ends with a semicolon at the end of a line. Before it:
--   client: which one, and what it asks for
--   session: catalog and schema of the session, if it has them
--   gives: the rows as JSON; or `rows N`, their number
--   columns: the names of the columns, where they matter
--   fails: name of Trino's error

-- client: JDBC, DatabaseMetaData.getCatalogs
-- columns: ["TABLE_CAT"]
-- gives: [["demo"],["shop"],["system"]]
SELECT TABLE_CAT
FROM system.jdbc.catalogs
ORDER BY TABLE_CAT;

-- client: JDBC, DatabaseMetaData.getSchemas()
-- gives: [["empty","demo"],["information_schema","demo"],["vega","demo"],["information_schema","shop"],["main","shop"],["information_schema","system"],["jdbc","system"],["metadata","system"],["runtime","system"]]
SELECT TABLE_SCHEM, TABLE_CATALOG
FROM system.jdbc.schemas
ORDER BY TABLE_CATALOG, TABLE_SCHEM;

-- client: JDBC, DatabaseMetaData.getSchemas(catalog, pattern)
-- columns: ["TABLE_SCHEM","TABLE_CATALOG"]
-- gives: [["vega","demo"]]
SELECT TABLE_SCHEM, TABLE_CATALOG
FROM system.jdbc.schemas
WHERE TABLE_CATALOG = 'demo' AND TABLE_SCHEM LIKE 've_a' ESCAPE '\'
ORDER BY TABLE_CATALOG, TABLE_SCHEM;

-- client: JDBC, DatabaseMetaData.getTables(catalog, schema, pattern, types)
-- columns: ["TABLE_CAT","TABLE_SCHEM","TABLE_NAME","TABLE_TYPE","REMARKS","TYPE_CAT","TYPE_SCHEM","TYPE_NAME","SELF_REFERENCING_COL_NAME","REF_GENERATION"]
-- gives: [["demo","vega","flights","TABLE","Flights of a year",null,null,null,null,null],["demo","vega","cheap","VIEW",null,null,null,null,null,null]]
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, TABLE_TYPE, REMARKS,
  TYPE_CAT, TYPE_SCHEM, TYPE_NAME, SELF_REFERENCING_COL_NAME, REF_GENERATION
FROM system.jdbc.tables
WHERE TABLE_CAT = 'demo' AND TABLE_SCHEM LIKE 'vega' ESCAPE '\' AND TABLE_NAME LIKE '%' ESCAPE '\' AND TABLE_TYPE IN ('TABLE', 'VIEW')
ORDER BY TABLE_TYPE, TABLE_CAT, TABLE_SCHEM, TABLE_NAME;

-- client: JDBC, DatabaseMetaData.getTables("", null, null, null): no table is without a catalog
-- gives: []
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, TABLE_TYPE
FROM system.jdbc.tables
WHERE TABLE_CAT IS NULL
ORDER BY TABLE_TYPE, TABLE_CAT, TABLE_SCHEM, TABLE_NAME;

-- client: JDBC, DatabaseMetaData.getTables(null, null, "FLIGHTS", null): names are compared as they are
-- gives: []
SELECT TABLE_CAT FROM system.jdbc.tables WHERE TABLE_NAME LIKE 'FLIGHTS' ESCAPE '\';

-- client: JDBC, DatabaseMetaData.getTableTypes
-- gives: [["TABLE"],["VIEW"]]
SELECT TABLE_TYPE
FROM system.jdbc.table_types
ORDER BY TABLE_TYPE;

-- client: JDBC, DatabaseMetaData.getColumns
-- gives: [["demo","vega","flights","id",-5,"bigint",19,0,null,10,0,"Number of the flight",null,null,null,null,1,"NO",null,null,null,null,null,null],["demo","vega","flights","carrier",12,"varchar(2)",2,0,null,null,1,null,null,null,null,2,2,"YES",null,null,null,null,null,null],["demo","vega","flights","price",3,"decimal(12,2)",12,0,2,10,1,null,null,null,null,null,3,"YES",null,null,null,null,null,null],["demo","vega","flights","departed",2014,"timestamp(3) with time zone",59,0,3,null,1,null,null,null,null,null,4,"YES",null,null,null,null,null,null],["demo","vega","flights","tags",2003,"array(varchar)",null,0,null,null,1,null,null,null,null,null,5,"YES",null,null,null,null,null,null]]
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, DATA_TYPE,
  TYPE_NAME, COLUMN_SIZE, BUFFER_LENGTH, DECIMAL_DIGITS, NUM_PREC_RADIX,
  NULLABLE, REMARKS, COLUMN_DEF, SQL_DATA_TYPE, SQL_DATETIME_SUB,
  CHAR_OCTET_LENGTH, ORDINAL_POSITION, IS_NULLABLE,
  SCOPE_CATALOG, SCOPE_SCHEMA, SCOPE_TABLE,
  SOURCE_DATA_TYPE, IS_AUTOINCREMENT, IS_GENERATEDCOLUMN
FROM system.jdbc.columns
WHERE TABLE_CAT = 'demo' AND TABLE_SCHEM LIKE 'vega' ESCAPE '\' AND TABLE_NAME LIKE 'flights' ESCAPE '\' AND COLUMN_NAME LIKE '%' ESCAPE '\'
ORDER BY TABLE_CAT, TABLE_SCHEM, TABLE_NAME, ORDINAL_POSITION;

-- client: JDBC, DatabaseMetaData.getPrimaryKeys
-- columns: ["TABLE_CAT","TABLE_SCHEM","TABLE_NAME","COLUMN_NAME","KEY_SEQ","PK_NAME"]
-- gives: []
SELECT  CAST(NULL AS varchar) TABLE_CAT,  CAST(NULL AS varchar) TABLE_SCHEM,  CAST(NULL AS varchar) TABLE_NAME,  CAST(NULL AS varchar) COLUMN_NAME,  CAST(NULL AS smallint) KEY_SEQ,  CAST(NULL AS varchar) PK_NAME WHERE false;

-- client: JDBC, DatabaseMetaData.getImportedKeys
-- gives: []
SELECT  CAST(NULL AS varchar) PKTABLE_CAT,  CAST(NULL AS varchar) PKTABLE_SCHEM,  CAST(NULL AS varchar) PKTABLE_NAME,  CAST(NULL AS varchar) PKCOLUMN_NAME,  CAST(NULL AS varchar) FKTABLE_CAT,  CAST(NULL AS varchar) FKTABLE_SCHEM,  CAST(NULL AS varchar) FKTABLE_NAME,  CAST(NULL AS varchar) FKCOLUMN_NAME,  CAST(NULL AS smallint) KEY_SEQ,  CAST(NULL AS smallint) UPDATE_RULE,  CAST(NULL AS smallint) DELETE_RULE,  CAST(NULL AS varchar) FK_NAME,  CAST(NULL AS varchar) PK_NAME,  CAST(NULL AS smallint) DEFERRABILITY WHERE false;

-- client: JDBC, DatabaseMetaData.getTypeInfo
-- gives: rows 26
SELECT TYPE_NAME, DATA_TYPE, PRECISION, LITERAL_PREFIX, LITERAL_SUFFIX,
CREATE_PARAMS, NULLABLE, CASE_SENSITIVE, SEARCHABLE, UNSIGNED_ATTRIBUTE,
FIXED_PREC_SCALE, AUTO_INCREMENT, LOCAL_TYPE_NAME, MINIMUM_SCALE, MAXIMUM_SCALE,
SQL_DATA_TYPE, SQL_DATETIME_SUB, NUM_PREC_RADIX
FROM system.jdbc.types
ORDER BY DATA_TYPE;

-- client: JDBC, DatabaseMetaData.getProcedures
-- gives: []
SELECT PROCEDURE_CAT, PROCEDURE_SCHEM, PROCEDURE_NAME,
   null, null, null, REMARKS, PROCEDURE_TYPE, SPECIFIC_NAME
FROM system.jdbc.procedures
ORDER BY PROCEDURE_CAT, PROCEDURE_SCHEM, PROCEDURE_NAME, SPECIFIC_NAME;

-- client: JDBC, DatabaseMetaData.getProcedureColumns
-- gives: []
SELECT PROCEDURE_CAT, PROCEDURE_SCHEM, PROCEDURE_NAME,
  COLUMN_NAME, COLUMN_TYPE, DATA_TYPE, TYPE_NAME,
  PRECISION, LENGTH, SCALE, RADIX,
  NULLABLE, REMARKS, COLUMN_DEF, SQL_DATA_TYPE, SQL_DATETIME_SUB,
  CHAR_OCTET_LENGTH, ORDINAL_POSITION, IS_NULLABLE, SPECIFIC_NAME
FROM system.jdbc.procedure_columns
ORDER BY PROCEDURE_CAT, PROCEDURE_SCHEM, PROCEDURE_NAME, SPECIFIC_NAME, COLUMN_NAME;

-- client: JDBC, DatabaseMetaData.getPseudoColumns
-- gives: []
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_SIZE, DECIMAL_DIGITS,
  NUM_PREC_RADIX, COLUMN_USAGE, REMARKS, CHAR_OCTET_LENGTH, IS_NULLABLE
FROM system.jdbc.pseudo_columns
ORDER BY TABLE_CAT, table_SCHEM, TABLE_NAME, COLUMN_NAME;

-- client: JDBC, DatabaseMetaData.getUDTs
-- gives: []
SELECT TYPE_CAT, TYPE_SCHEM, TYPE_NAME, CLASS_NAME, DATA_TYPE, REMARKS, BASE_TYPE
FROM system.jdbc.udts
ORDER BY DATA_TYPE, TYPE_CAT, TYPE_SCHEM, TYPE_NAME;

-- client: JDBC, DatabaseMetaData.getAttributes
-- gives: []
SELECT TYPE_CAT, TYPE_SCHEM, TYPE_NAME, ATTR_NAME, DATA_TYPE,
  ATTR_TYPE_NAME, ATTR_SIZE, DECIMAL_DIGITS, NUM_PREC_RADIX, NULLABLE,
  REMARKS, ATTR_DEF, SQL_DATA_TYPE, SQL_DATETIME_SUB, CHAR_OCTET_LENGTH,
  ORDINAL_POSITION, IS_NULLABLE, SCOPE_CATALOG, SCOPE_SCHEMA, SCOPE_TABLE,
SOURCE_DATA_TYPE
FROM system.jdbc.attributes
ORDER BY TYPE_CAT, TYPE_SCHEM, TYPE_NAME, ORDINAL_POSITION;

-- client: JDBC, DatabaseMetaData.getSuperTypes
-- gives: []
SELECT TYPE_CAT, TYPE_SCHEM, TYPE_NAME, SUPERTYPE_CAT, SUPERTYPE_SCHEM, SUPERTYPE_NAME
FROM system.jdbc.super_types
ORDER BY TYPE_CAT, TYPE_SCHEM, TYPE_NAME;

-- client: JDBC, DatabaseMetaData.getSuperTables
-- gives: []
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, SUPERTABLE_NAME
FROM system.jdbc.super_tables
ORDER BY TABLE_CAT, TABLE_SCHEM, TABLE_NAME;

-- client: JDBC, DatabaseMetaData.getDatabaseProductVersion
-- gives: [["476-sluice-duckdb"]]
SELECT version();

-- client: JDBC, DatabaseMetaData.getUserName
-- columns: ["_col0"]
-- gives: [["ann@example.com"]]
SELECT current_user;

-- client: SQLAlchemy, get_catalog_names
-- gives: [["demo"],["shop"],["system"]]
SELECT "table_cat"
FROM "system"."jdbc"."catalogs"
ORDER BY 1;

-- client: SQLAlchemy, get_schema_names
-- session: demo
-- gives: [["empty"],["information_schema"],["vega"]]
SELECT "schema_name"
FROM "information_schema"."schemata"
ORDER BY 1;

-- client: SQLAlchemy, get_table_names
-- session: demo
-- gives: [["flights"]]
SELECT "table_name"
FROM "information_schema"."tables"
WHERE "table_schema" = 'vega'
  AND "table_type" = 'BASE TABLE';

-- client: SQLAlchemy, get_view_names
-- session: demo
-- gives: [["cheap"]]
SELECT "table_name"
FROM "information_schema"."tables"
WHERE "table_schema" = 'vega'
  AND "table_type" = 'VIEW';

-- client: SQLAlchemy, get_columns
-- session: demo
-- columns: ["column_name","data_type","column_default","is_nullable"]
-- gives: [["id","bigint",null,"NO"],["carrier","varchar(2)",null,"YES"],["price","decimal(12,2)",null,"YES"],["departed","timestamp(3) with time zone",null,"YES"],["tags","array(varchar)",null,"YES"]]
SELECT
    "column_name",
    "data_type",
    "column_default",
    UPPER("is_nullable") AS "is_nullable"
FROM "information_schema"."columns"
WHERE "table_schema" = 'vega'
  AND "table_name" = 'flights'
ORDER BY "ordinal_position" ASC;

-- client: SQLAlchemy, get_view_definition
-- session: demo
-- gives: [[null]]
SELECT "view_definition"
FROM "information_schema"."views"
WHERE "table_schema" = 'vega'
  AND "table_name" = 'cheap';

-- client: SQLAlchemy, get_table_comment
-- gives: [["Flights of a year"]]
SELECT
    "comment"
FROM "system"."metadata"."table_comments"
WHERE
    "catalog_name" = 'demo'
    AND "schema_name" = 'vega'
    AND "table_name" = 'flights';

-- client: SQLAlchemy, has_schema
-- session: demo
-- gives: []
SELECT "schema_name"
FROM "information_schema"."schemata"
WHERE "schema_name" = 'nothing';

-- client: SQLAlchemy, has_table
-- session: demo
-- gives: [["flights"]]
SELECT "table_name"
FROM "information_schema"."tables"
WHERE "table_schema" = 'vega'
  AND "table_name" = 'flights';

-- client: SQLAlchemy, get_indexes
-- session: demo.vega
-- fails: TABLE_NOT_FOUND
SELECT * FROM "vega"."flights$partitions";

-- client: Superset, catalogs
-- columns: ["Catalog"]
-- gives: [["demo"],["shop"],["system"]]
SHOW CATALOGS;

-- client: Superset, tables of a schema of another catalog
-- session: demo
-- gives: [["items"]]
SELECT table_name FROM "shop"."information_schema"."tables" WHERE table_schema = 'main' AND table_type = 'BASE TABLE' ORDER BY table_name;

-- client: Superset, functions for the editor
-- columns: ["Function","Return Type","Argument Types","Function Type","Deterministic","Description"]
-- gives: rows 1
SHOW FUNCTIONS LIKE 'lower';

-- client: Superset, the definition of a view
-- session: demo
-- fails: NOT_SUPPORTED
SHOW CREATE VIEW vega.cheap;

-- client: Metabase, schemas
-- columns: ["Schema"]
-- gives: [["empty"],["information_schema"],["vega"]]
SHOW SCHEMAS FROM "demo";

-- client: Metabase, tables of a schema
-- columns: ["Table"]
-- gives: [["cheap"],["flights"]]
SHOW TABLES FROM "demo"."vega";

-- client: Metabase, whether a table exists
-- gives: [["flights"]]
SHOW TABLES FROM "demo"."vega" LIKE 'flights';

-- client: Metabase, columns of a table
-- columns: ["Column","Type","Extra","Comment"]
-- gives: [["id","bigint","","Number of the flight"],["carrier","varchar(2)","",""],["price","decimal(12,2)","",""],["departed","timestamp(3) with time zone","",""],["tags","array(varchar)","",""]]
DESCRIBE "demo"."vega"."flights";

-- client: Metabase, time zone
-- gives: [["UTC"]]
SELECT current_timezone();

-- client: DBeaver, the definition of a table
-- columns: ["Create Table"]
-- gives: [["CREATE TABLE demo.vega.flights (\n   id bigint NOT NULL COMMENT 'Number of the flight',\n   carrier varchar(2),\n   price decimal(12, 2),\n   departed timestamp(3) with time zone,\n   tags array(varchar)\n)\nCOMMENT 'Flights of a year'"]]
SHOW CREATE TABLE "demo"."vega"."flights";

-- client: DBeaver, the definition of a table with a name that needs quotes
-- gives: [["CREATE TABLE shop.main.items (\n   id integer,\n   \"Odd \"\"name\" varchar\n)"]]
SHOW CREATE TABLE shop.main.items;

-- client: DBeaver, a view taken for a table
-- fails: NOT_SUPPORTED
SHOW CREATE TABLE demo.vega.cheap;

-- client: DBeaver, current catalog and schema
-- session: demo.vega
-- columns: ["current_catalog","_col1"]
-- gives: [["demo","vega"]]
SELECT current_catalog AS current_catalog, current_schema;

-- client: Trino command line, completion of tables
-- session: demo.vega
-- gives: [["cheap"],["flights"]]
SELECT table_name FROM information_schema.tables WHERE table_schema = 'vega' ORDER BY table_name;

-- client: Trino command line, USE system.jdbc and a table without its schema
-- session: system.jdbc
-- gives: [["TABLE"],["VIEW"]]
SELECT * FROM table_types ORDER BY 1;

-- client: Trino command line
-- session: demo.vega
-- gives: [["carrier","varchar(2)","",""]]
SHOW COLUMNS FROM flights LIKE 'c%';

-- client: Trino command line
-- session: demo.vega
-- columns: ["Create Schema"]
-- gives: [["CREATE SCHEMA demo.vega"]]
SHOW CREATE SCHEMA vega;

-- client: Trino command line
-- fails: CATALOG_NOT_FOUND
SHOW SCHEMAS FROM nothing;

-- client: Trino command line
-- fails: SCHEMA_NOT_FOUND
SHOW TABLES FROM demo.nothing;

-- client: Trino command line
-- session: demo.vega
-- fails: TABLE_NOT_FOUND
DESCRIBE nothing;

-- client: Trino command line, a schema without tables
-- gives: []
SHOW TABLES FROM demo.empty;

-- client: Trino command line, a catalog that does not exist
-- fails: CATALOG_NOT_FOUND
SELECT * FROM nothing.information_schema.tables;

-- client: Trino command line
-- fails: NOT_SUPPORTED
SHOW STATS FOR demo.vega.flights;

-- client: Trino command line, statistics of a table that does not exist
-- fails: TABLE_NOT_FOUND
SHOW STATS FOR demo.vega.absent;

-- client: Trino command line, statistics of a query
-- fails: NOT_SUPPORTED
SHOW STATS FOR (SELECT * FROM demo.vega.flights);

-- client: DBeaver, the definition of a view that does not exist
-- fails: TABLE_NOT_FOUND
SHOW CREATE VIEW demo.vega.absent;

-- client: DBeaver, a table taken for a view
-- fails: NOT_SUPPORTED
SHOW CREATE VIEW demo.vega.flights;

-- client: Tableau, one round trip for the form of a result
-- columns: ["table_cat"]
-- gives: []
SELECT * FROM (SELECT table_cat FROM system.jdbc.catalogs) T LIMIT 0;

-- client: any, joins and aggregates over several tables
-- gives: [["flights",5],["cheap",1]]
SELECT t.table_name, count(c.column_name) AS columns
FROM system.jdbc.tables t JOIN system.jdbc.columns c ON c.table_cat = t.table_cat AND c.table_schem = t.table_schem AND c.table_name = t.table_name
WHERE t.table_schem = 'vega' GROUP BY 1 ORDER BY 2 DESC;

-- client: any, the other tables of system
-- gives: [["sluice","476",true,"active"]]
SELECT node_id, node_version, coordinator, state FROM system.runtime.nodes;

-- client: any, the other tables of system
-- gives: [["demo","duckdb"],["shop","duckdb"],["system","system"]]
SELECT catalog_name, connector_name FROM system.metadata.catalogs ORDER BY 1;

-- client: any, the other tables of system
-- gives: []
SELECT * FROM system.metadata.materialized_views;

-- client: any, the tables of system describe themselves
-- gives: [["table_schem","varchar"],["table_catalog","varchar"]]
SELECT column_name, type_name FROM system.jdbc.columns WHERE table_cat = 'system' AND table_schem = 'jdbc' AND table_name = 'schemas' ORDER BY ordinal_position;

-- client: any, data beside the catalogue
-- session: demo.vega
-- fails: NOT_SUPPORTED
SELECT * FROM system.jdbc.tables, flights;

-- client: any, data in a subquery
-- fails: NOT_SUPPORTED
SELECT * FROM system.jdbc.tables WHERE table_name IN (SELECT carrier FROM demo.vega.flights);
