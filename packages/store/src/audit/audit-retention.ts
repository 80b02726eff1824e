import type { Checkpoint, DroppedRange } from '@sluice/audit';
import { ProblemError } from '@sluice/contract';
import pg from 'pg';
import type { Database } from '../database/database.ts';
import { safeInteger } from '../database/safe-integer.ts';
import { prepared } from '../database/transaction.ts';
import { inTransaction, withConnection } from './audit-connection.ts';
import { SEAL_STATEMENTS, SEALER_LOCK } from './audit-seal-statements.ts';
import type { StoredHead } from './audit-seal-store.ts';

/** Signs the checkpoint of dropped ranges, or of a removed tenant, behind its last checkpoint. */
export type SignDropped = (
  tenantId: string,
  head: StoredHead | undefined,
  dropped: readonly DroppedRange[],
) => Checkpoint;

interface RetentionOptions {
  /** Connection of the API host's role or of the owner. */
  readonly url: string;
  /** Retention of tenants without their own setting. */
  readonly retentionMs: number;
  readonly sign: SignDropped;
}

/** SQLSTATE `object_not_in_prerequisite_state`, which `drop_audit_month` raises when it must not drop the month. */
const NOT_DROPPABLE = '55000';

/** Blocks sealing until the transaction ends. */
const lockSealer = (client: pg.Client): Promise<unknown> =>
  client.query(`set local lock_timeout = '10s'; select pg_advisory_xact_lock(${SEALER_LOCK})`);

const addCheckpoint = async (client: pg.Client, tenantId: string, signed: Checkpoint): Promise<void> => {
  const { number, sequence, payload, keyId, signature } = signed;
  await client.query(SEAL_STATEMENTS.addCheckpoints, [
    [tenantId],
    [number],
    [sequence],
    [payload],
    [keyId],
    [signature],
  ]);
};

const headOf = async (client: pg.Client, tenantId: string): Promise<StoredHead | undefined> => {
  const { rows } = await client.query<StoredHead & Record<'number' | 'sequence', string>>(SEAL_STATEMENTS.findHeads, [
    [tenantId],
  ]);
  const [head] = rows;
  return head && { ...head, number: safeInteger(head.number), sequence: safeInteger(head.sequence) };
};

/**
 * Finds the first day of the oldest month with rows, and of the month after it. Finds nothing when all months are kept, or while a query
 * runs that began in that month: its outcome refers to its record, and its statement is nowhere else.
 */
const MONTH_DUE = `
  with longest as (
    select date_trunc('month', (now() - greatest($1::float8, r.kept_ms, (select max((settings ->> 'auditRetentionMs')::float8) from tenants))
      * interval '1 millisecond') at time zone 'utc') at time zone 'utc' as cutoff
    from audit_retention r
  ), oldest as (
    select date_trunc('month', min(occurred) at time zone 'utc') as month from audit_log where occurred < (select cutoff from longest)
  )
  select month::date::text as month, (month + interval '1 month')::date::text as next from oldest
  where month is not null and not exists (
    select 1 from queries q where q.ended is null and q.started < (month + interval '1 month') at time zone 'utc')`;

const IS_DUE = prepared('audit_month_due', MONTH_DUE);

/** Returns whether `retainAudit` would drop a month. Cheap enough to be called every hour. */
export async function isAuditMonthDue(database: Database, retentionMs: number): Promise<boolean> {
  return (await database.run('every-tenant', IS_DUE, [retentionMs])).length > 0;
}

interface MonthDue {
  readonly month: string;
  readonly next: string;
}

type StoredRange = Record<'tenantId' | 'from' | 'to' | 'hash', string>;

const RANGES = `
  select tenant_id as "tenantId", min(sequence)::text as from, max(sequence)::text as to,
    encode((array_agg(hash order by sequence desc))[1], 'hex') as hash
  from (
    select tenant_id, sequence, hash, sequence - row_number() over (partition by tenant_id order by sequence) as island
    from audit_chain where occurred >= $1 and occurred < $2
  ) places group by tenant_id, island order by tenant_id, min(sequence)`;

/** Signs the ranges of a month and drops it. `drop_audit_month` fails if rows were sealed into the month meanwhile. */
async function dropMonth(client: pg.Client, { month, next }: MonthDue, sign: SignDropped): Promise<void> {
  const ranges = (await client.query<StoredRange>(RANGES, [month, next])).rows;
  await lockSealer(client);
  for (const tenantId of new Set(ranges.map((range) => range.tenantId))) {
    const dropped = ranges
      .filter((range) => range.tenantId === tenantId)
      .map(({ from, to, hash }) => ({ from: safeInteger(from), to: safeInteger(to), hash }));
    await addCheckpoint(client, tenantId, sign(tenantId, await headOf(client, tenantId), dropped));
  }
  await client.query('select drop_audit_month($1)', [month]).catch((thrown: unknown) => {
    if (!(thrown instanceof pg.DatabaseError) || thrown.code !== NOT_DROPPABLE) throw thrown;
    throw new ProblemError('conflict', `${month.slice(0, 7)} was not dropped: ${thrown.message}.`, { cause: thrown });
  });
}

/**
 * Drops every month that is older than the longest retention of all tenants and of the owner (`setRetentionFloor`). Each month is one
 * transaction with the checkpoints that sign the dropped ranges. Returns the months, `YYYY-MM`. Throws ProblemError: `conflict` for a month
 * with unsealed rows, and `service_unavailable` also while a long read holds a lock. Both may pass; try again later.
 */
export function retainAudit({ url, retentionMs, sign }: RetentionOptions): Promise<string[]> {
  return withConnection(url, async (client) => {
    const dropped: string[] = [];
    for (;;) {
      const month = await inTransaction(client, async () => {
        const [due] = (await client.query<MonthDue>(MONTH_DUE, [retentionMs])).rows;
        if (due !== undefined) await dropMonth(client, due, sign);
        return due?.month;
      });
      if (month === undefined) return dropped;
      dropped.push(month.slice(0, 7));
    }
  });
}

/** Tables of the log that do not refer to the tenant's row. Its checkpoints stay. */
const TENANT_TABLES = [
  'audit_log',
  'audit_chain',
  'audit_counts',
  'audit_set_aside',
  'audit_reads',
  'audit_read_names',
  'audit_read_counts',
] as const;

/**
 * Removes a tenant with all of its rows except its checkpoints, and adds a signed tombstone to those. Throws ProblemError: `not_found`;
 * `conflict` when `onlyIf` is set and the removal was withdrawn.
 */
export function removeTenant(options: {
  readonly ownerUrl: string;
  readonly tenantName: string;
  /** Checks the request again within the transaction: a removal may wait for long, and can be withdrawn until it begins. */
  readonly onlyIf?: 'removal requested';
  readonly sign: SignDropped;
}): Promise<void> {
  const { ownerUrl, tenantName, onlyIf, sign } = options;
  const condition = onlyIf === undefined ? '' : ' and removal_requested is not null';
  return withConnection(ownerUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from tenants where name = $1', [tenantName]);
    const tenantId = rows[0]?.id;
    if (tenantId === undefined) throw new ProblemError('not_found', `There is no tenant ${tenantName}.`);
    await inTransaction(client, async () => {
      await lockSealer(client);
      // First, because requests of the tenant lock its row: no record may be written after the tombstone.
      const removed = await client.query(`delete from tenants where id = $1${condition}`, [tenantId]);
      if (removed.rowCount === 0) {
        throw new ProblemError('conflict', `The removal of ${tenantName} was withdrawn.`);
      }
      await addCheckpoint(client, tenantId, sign(tenantId, await headOf(client, tenantId), []));
      for (const table of TENANT_TABLES) {
        await client.query(`delete from ${table} where tenant_id = $1`, [tenantId]);
      }
    });
  });
}
