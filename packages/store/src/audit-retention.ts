import type { Checkpoint, DroppedRange } from '@sluice/audit';
import { ProblemError } from '@sluice/contract';
import pg from 'pg';
import { SEAL_STATEMENTS, SEALER_LOCK } from './audit-seal-statements.ts';
import type { StoredHead } from './audit-seal-store.ts';
import { storeProblem } from './store-problem.ts';

export type SignDropped = (
  tenantId: string,
  head: StoredHead | undefined,
  dropped: readonly DroppedRange[],
) => Checkpoint;

export interface RetentionOrder {
  /** Of the role that owns the schema: no serving role may take anything out of the log. */
  readonly ownerUrl: string;
  /** Where a tenant has no time of its own. */
  readonly retentionMs: number;
  readonly sign: SignDropped;
  readonly now: Date;
}

const CONNECT_MS = 5000;

/** Runs as the owner while nobody seals. */
async function asOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'sluice-audit',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`set lock_timeout = '10s'; set time zone 'utc'`);
    await client.query('select pg_advisory_lock($1)', [SEALER_LOCK]);
    return await work(client);
  } catch (thrown) {
    throw storeProblem(thrown);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const answer = await work();
    await client.query('commit');
    return answer;
  } catch (thrown) {
    await client.query('rollback');
    throw thrown;
  }
}

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

/** The first day of the oldest month of which there is a row; undefined when all are kept. */
const MONTH_DUE = `
  with longest as (
    select $1::timestamptz - greatest($2::float8, (select max((settings ->> 'auditRetentionMs')::float8) from tenants))
      * interval '1 millisecond' as cutoff
  )
  select (date_trunc('month', min(occurred)))::date::text as month,
    (date_trunc('month', min(occurred)) + interval '1 month')::date::text as next
  from audit_log where occurred < (select date_trunc('month', cutoff) from longest)`;

const UNSEALED = `
  select count(*)::int as n from audit_log l where l.occurred >= $1 and l.occurred < $2 and not exists (
    select 1 from audit_chain c where c.tenant_id = l.tenant_id and c.occurred = l.occurred and c.record_id = l.id)`;

const RANGES = `
  select tenant_id as "tenantId", min(sequence)::float8 as from, max(sequence)::float8 as to,
    encode((array_agg(hash order by sequence desc))[1], 'hex') as hash
  from (
    select tenant_id, sequence, hash, sequence - row_number() over (partition by tenant_id order by sequence) as island
    from audit_chain where occurred >= $1 and occurred < $2
  ) places group by tenant_id, island order by tenant_id, 2`;

/** Takes one month out: its partitions, and what lies in the default ones. */
async function dropMonth(client: pg.Client, { month, next }: { month: string; next: string }, sign: SignDropped) {
  const unsealed = await client.query<{ n: number }>(UNSEALED, [month, next]);
  if (unsealed.rows[0]?.n !== 0) {
    throw new ProblemError('conflict', `${month} has records that are not sealed. Let a host run, then try again.`);
  }
  const ranges = (await client.query<DroppedRange & { tenantId: string }>(RANGES, [month, next])).rows;
  for (const tenantId of new Set(ranges.map((range) => range.tenantId))) {
    const dropped = ranges
      .filter((range) => range.tenantId === tenantId)
      .map(({ from, to, hash }) => ({ from, to, hash }));
    await addCheckpoint(client, tenantId, sign(tenantId, await headOf(client, tenantId), dropped));
  }
  const suffix = month.slice(0, 7).replace('-', '_');
  for (const table of ['audit_log', 'audit_chain']) {
    await client.query(`drop table if exists ${table}_${suffix}`);
    await client.query(`delete from ${table} where occurred >= $1 and occurred < $2`, [month, next]);
  }
  await client.query('delete from audit_counts where hour < $1', [next]);
  // A receipt is kept as long as its record.
  await client.query('delete from queries where ended is not null and started < $1', [next]);
}

/**
 * Takes out every month that is older than the longest retention of any tenant, each in one transaction with the checkpoints that
 * sign what went. Answers the months. Throws ProblemError.
 */
export function retainAudit({ ownerUrl, retentionMs, sign, now }: RetentionOrder): Promise<string[]> {
  return asOwner(ownerUrl, async (client) => {
    const dropped: string[] = [];
    for (;;) {
      const { rows } = await client.query<{ month: string | null; next: string }>(MONTH_DUE, [now, retentionMs]);
      const [due] = rows;
      if (due === undefined || due.month === null) return dropped;
      const { month, next } = due;
      await inTransaction(client, () => dropMonth(client, { month, next }, sign));
      dropped.push(month.slice(0, 7));
    }
  });
}

/**
 * Takes a tenant out, and all that was its own, and leaves its checkpoints with a signed tombstone. Throws ProblemError:
 * `not_found`.
 */
export function removeTenant(order: {
  readonly ownerUrl: string;
  readonly tenantName: string;
  readonly sign: SignDropped;
}): Promise<void> {
  const { ownerUrl, tenantName, sign } = order;
  return asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from tenants where name = $1', [tenantName]);
    const tenantId = rows[0]?.id;
    if (tenantId === undefined) throw new ProblemError('not_found', `There is no tenant ${tenantName}.`);
    await inTransaction(client, async () => {
      // First, for whoever still acts for the tenant holds its row: no record may come after the tombstone.
      await client.query('delete from tenants where id = $1', [tenantId]);
      await addCheckpoint(client, tenantId, sign(tenantId, await headOf(client, tenantId), []));
      for (const table of ['audit_log', 'audit_chain', 'audit_counts']) {
        await client.query(`delete from ${table} where tenant_id = $1`, [tenantId]);
      }
    });
  });
}
