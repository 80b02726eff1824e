/** Says nothing for about a second, and then one row. */
export const SILENT = 'SELECT count(*) AS n FROM range(9000) a, range(9000) b WHERE (a.range * b.range) % 7 = 8';
/** Says nothing for longer than any test waits, and can be interrupted. */
export const ENDLESS =
  'SELECT count(*) AS n FROM range(10000000) a, range(10000000) b WHERE (a.range * b.range) % 7 = 8';
/** Works on one value for many seconds, and never looks whether it is interrupted (measured). */
export const DEAF = `SELECT levenshtein(repeat('a', 90000 + n::INTEGER), repeat('b', 90000)) AS d FROM numbers LIMIT 1`;
/** More rows than any test reads: several gigabytes. */
export const LONG = `SELECT range AS n, repeat('x', 100) AS filler FROM range(50000000)`;
/** Fails in its 90,001st row, when others have been sent. */
export const FAILS_LATE = `SELECT CASE WHEN n = 90000 THEN error('boom at ' || n) ELSE n END AS n FROM numbers`;
/** A million rows at once, and then one every ten milliseconds or slower. */
export const PAUSING = `SELECT n, CASE WHEN n < 1000000 THEN 0
  ELSE levenshtein(repeat('a', 5000 + (n % 2)::INTEGER), repeat('b', 5000)) END AS d FROM range(2000000) t(n)`;
