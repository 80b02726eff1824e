import { SEAL_VERSION } from '@sluice/audit';
import { AUDIT_FIELDS } from '@sluice/contract';

/** Advisory lock of sealers. An arbitrary number. */
export const SEALER_LOCK = 7_205_812;

/** Highest `bigint`. */
const COUNT_MAX = '9223372036854775807';

const EXPRESSIONS = {
  text: (column: string) => `l.${column}`,
  uuid: (column: string) => `l.${column}`,
  number: (column: string) => `replace(extract(epoch from l.${column})::text, '.', '')`,
  json: (column: string) => `l.${column}::text`,
} as const;

/** Columns of a sealed row, named after the properties of `SealedRecord`. */
export const SEALED_COLUMNS = AUDIT_FIELDS.map(
  ({ kind, column, property }) => `${EXPRESSIONS[kind](column)} as "${property}"`,
).join(', ');

/** Returns the `timestamptz` of microseconds since the epoch. */
const momentUs = (parameter: string): string =>
  `(timestamptz 'epoch' + ${parameter}::float8 * interval '1 microsecond')`;

const momentMs = (parameter: string): string =>
  `(timestamptz 'epoch' + ${parameter}::float8 * interval '1 millisecond')`;
export const epochMs = (moment: string): string => `(extract(epoch from ${moment}) * 1000)::float8`;

export const SEAL_STATEMENTS = {
  /** `nowMs` is earlier than the snapshots of the statements that follow. */
  lock: `select pg_try_advisory_xact_lock(${SEALER_LOCK}) as locked, ${epochMs('clock_timestamp()')} as "nowMs"`,
  findSealer: `
    select pending::text as pending, ${epochMs('pending_at')} as "pendingAtMs", pg_current_snapshot()::text as now,
      pg_snapshot_xmax(seen)::text as "seenXmax", ${epochMs('seen_at')} as "seenAtMs",
      greatest(pg_snapshot_xmax(seen), pg_snapshot_xmax(pending), after_xact) > pg_snapshot_xmax(pg_current_snapshot()) as "isAhead"
    from audit_sealer`,
  /**
   * Finds the rows after the position that the target snapshot sees and the last one did not. The bounds of `xact` follow from the other
   * conditions; the index needs them. `entry` is the position that a row already has: its transaction id was changed, or its entry is
   * forged. No host writes a row with an infinite time.
   */
  findUnsealed: `
    select u.*, (select max(c.sequence)::text from audit_chain c
      where c.tenant_id = u."tenantId" and c.occurred = u.moment and c.record_id = u.id) as entry
    from (
      select ${SEALED_COLUMNS}, l.occurred as moment, l.occurred::text as occurred, l.xact::text as xact,
        coalesce(l.xact < $3::xid8, false) as "wasOpen"
      from audit_log l, audit_sealer s
      where l.xact >= (select coalesce(after_xact, pg_snapshot_xmin(seen), '0'::xid8) from audit_sealer)
        and l.xact < pg_snapshot_xmax($1::pg_snapshot)
        and pg_visible_in_snapshot(l.xact, $1::pg_snapshot)
        and (s.seen is null or not pg_visible_in_snapshot(l.xact, s.seen))
        and (s.after_xact is null or (l.xact, l.occurred, l.id) > (s.after_xact, s.after_occurred, s.after_id))
        and isfinite(l.occurred)
      order by l.xact, l.occurred, l.id limit $2::int
    ) u`,
  currentSnapshot: 'select pg_current_snapshot()::text as snapshot',
  /**
   * Returns whether a row that the snapshot sees is not sealed: no sealer has passed it. The bound of `xact` is that of the rows of which
   * a sealer has passed all, so that a poll during a long backlog does not read the sealed part again.
   */
  hasUnsealed: `
    select coalesce((
      select true from audit_log l, audit_sealer s
      where l.xact >= (select coalesce(
          greatest(pg_snapshot_xmin(seen), case when after_xact is not null then least(after_xact, pg_snapshot_xmin(pending)) end),
          '0'::xid8) from audit_sealer)
        and l.xact < pg_snapshot_xmax($1::pg_snapshot)
        and pg_visible_in_snapshot(l.xact, $1::pg_snapshot)
        and (s.seen is null or not pg_visible_in_snapshot(l.xact, s.seen))
        and not coalesce(pg_visible_in_snapshot(l.xact, s.pending)
          and (l.xact, l.occurred, l.id) <= (s.after_xact, s.after_occurred, s.after_id), false)
        and isfinite(l.occurred)
      order by l.xact, l.occurred limit 1
    ), false) as "hasUnsealed"`,
  findHeads: `
    select c.tenant_id as "tenantId", c.number, c.sequence, c.payload from unnest($1::uuid[]) t (id)
    cross join lateral (select * from audit_checkpoints k where k.tenant_id = t.id order by k.number desc limit 1) c`,
  /**
   * Finds the last checkpoint of each tenant, if any, and its retention. `isContinued`: something is after that checkpoint, or before the
   * first, where no host writes.
   */
  findTenants: `
    select t.id as "tenantId", c.number::text as number, c.sequence::text as sequence, c.payload, c.key_id as "keyId", c.signature,
      ${epochMs('clock_timestamp()')} as "nowMs", r.kept_ms as "keptMs", n.settings -> 'auditRetentionMs' as "ownMs",
      exists (select from audit_chain e where e.tenant_id = t.id and e.sequence > coalesce(c.sequence, 0))
        or exists (select from audit_chain e where e.tenant_id = t.id and e.sequence < 1)
        or exists (select from audit_checkpoints k where k.tenant_id = t.id and k.number < 1) as "isContinued"
    from unnest($1::uuid[]) t (id)
    left join audit_retention r on true
    left join tenants n on n.id = t.id
    left join lateral (select * from audit_checkpoints k where k.tenant_id = t.id order by k.number desc limit 1) c on true`,
  addLinks: `
    insert into audit_chain (tenant_id, sequence, occurred, record_id, hash, v)
    select tenant_id, sequence, occurred, record_id, hash, ${SEAL_VERSION}
    from unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::uuid[], $5::bytea[]) as r (tenant_id, sequence, occurred, record_id, hash)`,
  addCheckpoints: `
    insert into audit_checkpoints (tenant_id, number, sequence, payload, key_id, signature)
    select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bytea[])`,
  /** A count that somebody raised to the highest number must not end the sealing. */
  addCounts: `
    insert into audit_counts as c (tenant_id, kind, name, hour, records)
    select tenant_id, kind, name, ${momentUs('hour_us')}, records
    from unnest($1::uuid[], $2::text[], $3::text[], $4::float8[], $5::bigint[]) as r (tenant_id, kind, name, hour_us, records)
    on conflict (tenant_id, kind, name, hour)
    do update set records = least(c.records::numeric + excluded.records, ${COUNT_MAX})::bigint`,
  moveSealer: `
    update audit_sealer set seen = coalesce($1::pg_snapshot, seen), pending = $2::pg_snapshot, after_xact = $3::xid8,
      after_occurred = $4::timestamptz, after_id = $5::uuid,
      seen_at = coalesce(${momentMs('$6')}, seen_at), pending_at = ${momentMs('$7')}`,
  putKey: 'insert into audit_keys (key_id, public_key) values ($1, $2) on conflict (key_id) do nothing',
} as const;
