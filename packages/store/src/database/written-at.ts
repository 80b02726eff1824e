/**
 * Time at which a row of the log is written, never earlier than the assignment of its transaction's number. A row whose transaction is
 * newer than the sealer's snapshot therefore has a newer time too, and a backdated row does not. CASE evaluates its parts in order.
 */
export const WRITTEN_AT = '(case when pg_current_xact_id() is not null then clock_timestamp() end)';
