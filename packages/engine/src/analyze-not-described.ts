/** EXPLAIN ANALYZE is not described: it would run the statement, and its columns are those of a plan. */
export const ANALYZE_NOT_DESCRIBED = 'EXPLAIN ANALYZE runs the statement that it explains, so it cannot be described';
