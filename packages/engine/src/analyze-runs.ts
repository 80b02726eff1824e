/** EXPLAIN ANALYZE is not described: it would run the statement, and its columns are those of a plan. */
export const ANALYZE_RUNS =
  'EXPLAIN ANALYZE runs the statement that it explains, but here a statement is only described';
