/**
 * The time at which a row of the log is written, never before its transaction has its number. So a row whose transaction is newer than
 * what the sealer looked at has a newer time too, and a row that was dated back differs from it. CASE computes its parts in order.
 */
export const WRITTEN_AT = '(case when pg_current_xact_id() is not null then clock_timestamp() end)';
