/** Any number; the same for every process that seals. */
export const SEALER_LOCK = 7_205_812;

/** The columns of a row as it is sealed. */
export const SEALED_COLUMNS = `
  l.tenant_id as "tenantId", l.id, l.record_id as "recordId", replace(extract(epoch from l.occurred)::text, '.', '') as "occurredUs",
  l.user_name as "user", l.action, l.target, l.metadata::text as metadata, l.request_id as "requestId", l.query_id as "queryId",
  l.session_id as "sessionId", l.address, l.user_agent as "userAgent"`;

export const momentUs = (parameter: string): string =>
  `(timestamptz 'epoch' + ${parameter}::float8 * interval '1 microsecond')`;

export const SEAL_STATEMENTS = {
  lock: `select pg_try_advisory_xact_lock(${SEALER_LOCK}) as locked`,
  findSealer: 'select pending::text as pending, pg_current_snapshot()::text as now from audit_sealer',
  /** What the target sees and nothing before did, behind the position; the bare bounds of xact are for the index. */
  findUnsealed: `
    select ${SEALED_COLUMNS}, l.xact::text as xact from audit_log l, audit_sealer s
    where l.xact >= (select coalesce(after_xact, pg_snapshot_xmin(seen), '0'::xid8) from audit_sealer)
      and l.xact < pg_snapshot_xmax($1::pg_snapshot)
      and pg_visible_in_snapshot(l.xact, $1::pg_snapshot)
      and (s.seen is null or not pg_visible_in_snapshot(l.xact, s.seen))
      and (s.after_xact is null or (l.xact, l.occurred, l.id) > (s.after_xact, s.after_occurred, s.after_id))
    order by l.xact, l.occurred, l.id limit $2::int`,
  findHeads: `
    select c.tenant_id as "tenantId", c.number, c.sequence, c.payload from unnest($1::uuid[]) t (id)
    cross join lateral (select * from audit_checkpoints k where k.tenant_id = t.id order by k.number desc limit 1) c`,
  addLinks: `
    insert into audit_chain (tenant_id, sequence, occurred, record_id, hash)
    select tenant_id, sequence, ${momentUs('occurred_us')}, record_id, hash
    from unnest($1::uuid[], $2::bigint[], $3::float8[], $4::uuid[], $5::bytea[]) as r (tenant_id, sequence, occurred_us, record_id, hash)`,
  addCheckpoints: `
    insert into audit_checkpoints (tenant_id, number, sequence, payload, key_id, signature)
    select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bytea[])`,
  addCounts: `
    insert into audit_counts as c (tenant_id, kind, name, hour, records)
    select tenant_id, kind, name, ${momentUs('hour_us')}, records
    from unnest($1::uuid[], $2::text[], $3::text[], $4::float8[], $5::bigint[]) as r (tenant_id, kind, name, hour_us, records)
    on conflict (tenant_id, kind, name, hour) do update set records = c.records + excluded.records`,
  moveSealer: `
    update audit_sealer set seen = coalesce($1::pg_snapshot, seen), pending = $2::pg_snapshot, after_xact = $3::xid8,
      after_occurred = ${momentUs('$4')}, after_id = $5::uuid`,
  putKey: 'insert into audit_keys (key_id, public_key) values ($1, $2) on conflict (key_id) do nothing',
} as const;
