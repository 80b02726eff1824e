/** Why EXPLAIN ANALYZE is not described: it would run in full, and its columns are those of a plan. */
export const ANALYZE_RUNS = 'EXPLAIN ANALYZE runs what it explains, and a statement is only described here';
