-- After pg_restore, and before hosts start: transaction ids of the old server mean nothing to the new one. Sealed records become visible to
-- every reader. Records that were not sealed yet get a new id, so that an API host seals them. Needs the owner or a superuser.
update audit_sealer set seen = pg_current_snapshot(), pending = null, pending_at = null,
  after_xact = null, after_occurred = null, after_id = null;
update audit_log l set xact = case
  when exists (select from audit_chain c where (c.tenant_id, c.occurred, c.record_id) = (l.tenant_id, l.occurred, l.id)) then '0'::xid8
  else pg_current_xact_id() end;
-- The entries of the tables that a record names have the transaction of the row that names them: the record, or the first outcome.
update audit_reads r set xact = coalesce(
  (select l.xact from audit_log l where l.tenant_id = r.tenant_id and l.record_id = r.record_id
    and l.metadata -> 'tables_read' is not null order by l.xact limit 1),
  (select l.xact from audit_log l where (l.tenant_id, l.occurred, l.id) = (r.tenant_id, r.occurred, r.record_id)),
  '0'::xid8);
