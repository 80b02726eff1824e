/** The first and the second row, either side of the engine's chunk of 2,048, far behind, and the last row of all. */
export const ROWS = 150_001;
export const CUT_ROWS = [0, 1, 2047, 2048, 2049, 100_000, ROWS - 1] as const;
/** The engine has handed on rows when it comes to this one. */
export const FAR_ROW = 100_000;

/** A statement with `row` rows on its first line, and then, on its second, what comes as row `row`, of two columns. */
const behind = (row: number, then: string): string =>
  row === 0 ? then : `SELECT n, 'fine' AS word FROM range(${row}) t(n)\nUNION ALL ${then}`;

/** `boom at row <row>`. */
export const errorIn = (row: number): string =>
  behind(row, `SELECT n, error('boom at row ' || n) FROM range(${row}, ${ROWS}) t(n)`);

/** `Could not convert string 'no number <row>' to INT32`, at the CAST. */
export const failedCastIn = (row: number): string =>
  behind(row, `SELECT n, CAST('no number ' || n AS INTEGER)::VARCHAR FROM range(${row}, ${ROWS}) t(n)`);

/** Where the CAST of that statement stands. */
export const castLocation = (row: number): object =>
  row === 0 ? { line: 1, column: 11 } : { line: 2, column: 11 + 'UNION ALL '.length };

/** Says nothing any more from this row on, and can be interrupted. */
export const silentFrom = (row: number): string =>
  behind(row, `SELECT n, 'never' FROM range(9000000000000) t(n) WHERE n % 7 = 8`);
