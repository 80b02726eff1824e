// Selects SQL as the writer of rows (packages/engine/testing/open-duckdb.ts).
process.env.SLUICE_TEST_ROW_WRITER = 'sql';
