import type { SqlDialect } from './sql-scanner.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Words that a name must not be without quotes, on either engine. */
const RESERVED = words(`
  ALL ALTER AND ANY AS ASC BETWEEN BY CASE CAST CHECK COLLATE COLUMN CONSTRAINT CREATE CROSS CUBE CURRENT_CATALOG CURRENT_DATE
  CURRENT_PATH CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEALLOCATE DEFAULT DELETE DESC DESCRIBE DISTINCT
  DROP ELSE END ESCAPE EXCEPT EXECUTE EXISTS EXTRACT FALSE FETCH FOR FOREIGN FROM FULL GROUP GROUPING HAVING IN INNER INSERT INTERSECT
  INTO IS JOIN JSON_ARRAY JSON_EXISTS JSON_OBJECT JSON_QUERY JSON_TABLE JSON_VALUE LATERAL LEFT LIKE LIMIT LISTAGG LOCALTIME
  LOCALTIMESTAMP NATURAL NORMALIZE NOT NULL OFFSET ON ONLY OR ORDER OUTER PIVOT PLACING PREPARE PRIMARY QUALIFY RECURSIVE REFERENCES
  RETURNING RIGHT ROLLUP SELECT SHOW SKIP SOME SUMMARIZE SYMMETRIC TABLE THEN TO TRAILING TRIM TRUE UESCAPE UNION UNIQUE UNNEST UNPIVOT
  USING VALUES VARIADIC WHEN WHERE WINDOW WITH
`);

const KEYWORDS: Record<SqlDialect | 'both', readonly string[]> = {
  both: words(`
    SELECT FROM WHERE WITH AS GROUP BY ORDER HAVING LIMIT OFFSET DISTINCT ALL AND OR NOT IN IS NULL LIKE BETWEEN EXISTS CASE WHEN THEN ELSE
    END CAST TRY_CAST JOIN LEFT RIGHT FULL INNER OUTER CROSS NATURAL ON USING UNION INTERSECT EXCEPT ASC DESC NULLS FIRST LAST OVER
    PARTITION WINDOW ROWS RANGE GROUPS UNBOUNDED PRECEDING FOLLOWING CURRENT ROW FILTER WITHIN VALUES UNNEST ORDINALITY LATERAL TABLESAMPLE
    BERNOULLI SYSTEM GROUPING SETS ROLLUP CUBE EXTRACT INTERVAL TRUE FALSE DATE TIME TIMESTAMP EXPLAIN ANALYZE DESCRIBE SHOW TABLES COLUMNS
    RECURSIVE ESCAPE AT ZONE
  `),
  duckdb: words(
    'QUALIFY ILIKE SIMILAR GLOB SUMMARIZE PIVOT UNPIVOT EXCLUDE REPLACE RENAME ASOF POSITIONAL ANTI SEMI SAMPLE LAMBDA',
  ),
  trino: words('FETCH NEXT ONLY TIES MATCH_RECOGNIZE MEASURES PATTERN DEFINE CATALOGS SCHEMAS FUNCTIONS'),
};

const FUNCTIONS: Record<SqlDialect | 'both', readonly string[]> = {
  both: words(`
    count sum avg min max abs ceil floor round sqrt power mod greatest least coalesce nullif concat length lower upper trim ltrim rtrim
    substring replace reverse split_part starts_with regexp_replace strpos lpad rpad row_number rank dense_rank ntile lag lead first_value
    last_value nth_value date_trunc date_diff date_part year month day hour minute second current_date current_timestamp now array_agg
    bool_and bool_or count_if arbitrary corr stddev variance approx_percentile cardinality contains element_at
  `),
  duckdb: words(`
    median mode quantile_cont string_agg list list_value list_transform list_filter list_contains struct_pack unnest range generate_series
    strftime strptime epoch_ms regexp_matches regexp_extract any_value arg_max arg_min approx_count_distinct histogram len format printf
    json_extract json_extract_string typeof hash md5 sha256 time_bucket
  `),
  trino: words(`
    approx_distinct map_agg histogram transform filter reduce zip sequence date_add date_format date_parse from_unixtime to_unixtime
    json_extract json_extract_scalar json_parse json_format regexp_like regexp_extract url_extract_host max_by min_by any_value
    typeof md5 sha256 to_hex from_hex format listagg
  `),
};

export const keywordsOf = (dialect: SqlDialect): readonly string[] => [...KEYWORDS.both, ...KEYWORDS[dialect]];
export const functionsOf = (dialect: SqlDialect): readonly string[] => [...FUNCTIONS.both, ...FUNCTIONS[dialect]];

const reserved: ReadonlySet<string> = new Set(RESERVED);
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Writes a name as it must be in SQL, with quotes only where it needs them. Both engines ignore the case of names. */
export function sqlName(name: string): string {
  const isPlain = PLAIN_NAME.test(name) && !reserved.has(name.toUpperCase());
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}
