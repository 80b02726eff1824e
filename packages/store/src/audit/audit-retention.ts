import type { Checkpoint, DroppedRange } from '@sluice/audit';
import { ProblemError } from '@sluice/contract';
import pg from 'pg';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';
import { inTransaction, withConnection } from './audit-connection.ts';
import { SEAL_STATEMENTS, SEALER_LOCK } from './audit-seal-statements.ts';
import type { StoredHead } from './audit-seal-store.ts';

export type SignDropped = (
  tenantId: string,
  head: StoredHead | undefined,
  dropped: readonly DroppedRange[],
) => Checkpoint;

export interface RetentionOptions {
  /** Of the API host's role, or of the owner. */
  readonly url: string;
  /** Where a tenant has no time of its own. */
  readonly retentionMs: number;
  readonly sign: SignDropped;
}

/** `object_not_in_prerequisite_state`, by which `drop_audit_month` refuses. */
const REFUSED = '55000';

/** Until the transaction ends nobody seals. */
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
  const { rows } = await client.query<StoredHead>(SEAL_STATEMENTS.findHeads, [[tenantId]]);
  return rows[0] && { ...rows[0], number: Number(rows[0].number), sequence: Number(rows[0].sequence) };
};

/** The first day of the oldest month of which there is a row, and of the month after it; undefined when all are kept. */
const MONTH_DUE = `
  with longest as (
    select date_trunc('month', (now() - greatest($1::float8, r.kept_ms, (select max((settings ->> 'auditRetentionMs')::float8) from tenants))
      * interval '1 millisecond') at time zone 'utc') at time zone 'utc' as cutoff
    from audit_retention r
  ), oldest as (
    select date_trunc('month', min(occurred) at time zone 'utc') as month from audit_log where occurred < (select cutoff from longest)
  )
  select month::date::text as month, (month + interval '1 month')::date::text as next from oldest where month is not null`;

const IS_DUE = prepared('audit_month_due', MONTH_DUE);

/** Whether `retainAudit` would take anything out: a short question, for whoever asks it every hour. */
export async function isAuditMonthDue(database: Database, retentionMs: number): Promise<boolean> {
  return (await database.run('every-tenant', IS_DUE, [retentionMs])).length > 0;
}

interface MonthDue {
  readonly month: string;
  readonly next: string;
}

const RANGES = `
  select tenant_id as "tenantId", min(sequence)::float8 as from, max(sequence)::float8 as to,
    encode((array_agg(hash order by sequence desc))[1], 'hex') as hash
  from (
    select tenant_id, sequence, hash, sequence - row_number() over (partition by tenant_id order by sequence) as island
    from audit_chain where occurred >= $1 and occurred < $2
  ) places group by tenant_id, island order by tenant_id, 2`;

/** Signs what goes and lets it go; what was sealed into the month meanwhile, `drop_audit_month` finds and refuses. */
async function dropMonth(client: pg.Client, { month, next }: MonthDue, sign: SignDropped): Promise<void> {
  const ranges = (await client.query<DroppedRange & { tenantId: string }>(RANGES, [month, next])).rows;
  await lockSealer(client);
  for (const tenantId of new Set(ranges.map((range) => range.tenantId))) {
    const dropped = ranges
      .filter((range) => range.tenantId === tenantId)
      .map(({ from, to, hash }) => ({ from, to, hash }));
    await addCheckpoint(client, tenantId, sign(tenantId, await headOf(client, tenantId), dropped));
  }
  await client.query('select drop_audit_month($1)', [month]).catch((thrown: unknown) => {
    if (!(thrown instanceof pg.DatabaseError) || thrown.code !== REFUSED) throw thrown;
    throw new ProblemError('conflict', `${month.slice(0, 7)} was not taken out: ${thrown.message}.`, { cause: thrown });
  });
}

/**
 * Takes out every month that is older than the longest retention of any tenant and of the owner (`setRetentionFloor`), each in one
 * transaction with the checkpoints that sign what went. Answers the months, `YYYY-MM`. Throws ProblemError: `conflict` for a month
 * of which something is not sealed; `service_unavailable` too while somebody reads the log for long. Try again later then.
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

/**
 * Takes a tenant out, and all that was its own, and leaves its checkpoints with a signed tombstone. Throws ProblemError:
 * `not_found`; `conflict`, with `onlyIf`, when its removal is not asked for at that moment.
 */
export function removeTenant(order: {
  readonly ownerUrl: string;
  readonly tenantName: string;
  /** Whoever removes what was asked for may be told of it long before its turn comes, and it may be called off until then. */
  readonly onlyIf?: 'removal requested';
  readonly sign: SignDropped;
}): Promise<void> {
  const { ownerUrl, tenantName, onlyIf, sign } = order;
  const condition = onlyIf === undefined ? '' : ' and removal_requested is not null';
  return withConnection(ownerUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from tenants where name = $1', [tenantName]);
    const tenantId = rows[0]?.id;
    if (tenantId === undefined) throw new ProblemError('not_found', `There is no tenant ${tenantName}.`);
    await inTransaction(client, async () => {
      await lockSealer(client);
      // First, for whoever still acts for the tenant holds its row: no record may come after the tombstone.
      const removed = await client.query(`delete from tenants where id = $1${condition}`, [tenantId]);
      if (removed.rowCount === 0) {
        throw new ProblemError('conflict', `The removal of ${tenantName} is not asked for any more.`);
      }
      await addCheckpoint(client, tenantId, sign(tenantId, await headOf(client, tenantId), []));
      for (const table of ['audit_log', 'audit_chain', 'audit_counts']) {
        await client.query(`delete from ${table} where tenant_id = $1`, [tenantId]);
      }
    });
  });
}
