import { randomUUID } from 'node:crypto';
import {
  type CountMismatch,
  type ExactInteger,
  exactInteger,
  type ReceiptMismatch,
  type RetentionSettings,
  type SealedRecord,
  type SealerClock,
  type UnsealedRow,
} from '@sluice/audit';
import type { SealVersion } from '@sluice/contract';
import pg from 'pg';
import { storeProblem } from '../database/store-problem.ts';
import { limitTransaction, SLOW_READER_TIMEOUT } from '../database/transaction-limits.ts';
import { epochMs, SEALED_COLUMNS } from './audit-seal-statements.ts';
import { COUNT_MISMATCH, READS_MISMATCH, RECEIPT_MISMATCH, RETENTION } from './audit-verification-statements.ts';

interface VerifiedRow {
  readonly sequence: ExactInteger;
  readonly hash: Buffer;
  readonly version: SealVersion;
  readonly recordId: string;
  /** Undefined when the log has no such row. */
  readonly record: SealedRecord | undefined;
  /** Whether the row is sealed, but its transaction id hides it from searches. */
  readonly isHidden: boolean;
}

/** Snapshot of the whole audit log for a verifier. The caller must dispose of it. */
export interface AuditVerification extends AsyncDisposable {
  /** Returns all tenants that have a record, a position or a checkpoint. */
  tenantIds(): Promise<string[]>;
  keys(): Promise<{ readonly keyId: string; readonly publicKey: Buffer }[]>;
  /** Returns the checkpoints in batches, by number. */
  checkpoints(
    tenantId: string,
  ): AsyncIterable<{ readonly payload: string; readonly keyId: string; readonly signature: Buffer }[]>;
  /** Returns the chain in batches, by sequence. */
  entries(tenantId: string): AsyncIterable<VerifiedRow[]>;
  /** Returns the rows without a position in batches, oldest first. */
  unsealed(tenantId: string): AsyncIterable<UnsealedRow[]>;
  clock(): Promise<SealerClock>;
  /** Returns the first mismatch by hour. */
  countMismatch(tenantId: string): Promise<CountMismatch | undefined>;
  /** Returns the first mismatch by the sequence of the query's record. */
  receiptMismatch(tenantId: string): Promise<ReceiptMismatch | undefined>;
  /** Returns undefined when the tenant was removed. */
  retention(tenantId: string): Promise<RetentionSettings | undefined>;
}

const ROWS_MAX = 500;

/**
 * Makes the rows of all tenants visible to a serving role. Row security does not bind the owner. The locks come before the snapshot: a
 * snapshot does not show the rows of a partition that was dropped after it, but nor does it show the checkpoint that signed the drop
 * (https://www.postgresql.org/docs/current/mvcc-caveats.html). Until this transaction ends, retention drops no month and tries later.
 */
const OPEN = `begin isolation level repeatable read read only; set local statement_timeout = 0;
  lock table audit_log, audit_chain, audit_reads in access share mode;
  select set_config('sluice.tenant_id', '*', true), ${limitTransaction(SLOW_READER_TIMEOUT)}`;

const TENANTS = `
  select tenant_id as id from audit_checkpoints where number = 1
  union select tenant_id from audit_chain union select tenant_id from audit_log order by 1`;

const CHECKPOINTS = `
  select payload, key_id as "keyId", signature from audit_checkpoints where tenant_id = $1 order by number, issued`;

const ENTRIES = `
  select c.sequence, c.hash, c.v, c.record_id as place, not pg_visible_in_snapshot(l.xact, pg_current_snapshot()) as hidden, ${SEALED_COLUMNS}
  from audit_chain c
  left join audit_log l on l.tenant_id = c.tenant_id and l.occurred = c.occurred and l.id = c.record_id
  where c.tenant_id = $1 order by c.sequence, c.occurred`;

const CLOCK = `
  select ${epochMs('seen_at')} as "seenMs", ${epochMs('clock_timestamp()')} as "nowMs" from audit_sealer`;

const UNSEALED = `
  select l.id, replace(extract(epoch from l.occurred)::text, '.', '') as "occurredUs", l.action, l.metadata::text as metadata,
    coalesce(pg_visible_in_snapshot(l.xact, s.seen), false) or coalesce(pg_visible_in_snapshot(l.xact, s.pending)
      and (l.xact, l.occurred, l.id) <= (s.after_xact, s.after_occurred, s.after_id), false) as "isPassed",
    coalesce(l.xact < pg_snapshot_xmax(s.seen), false) as "wasOpen"
  from audit_sealer s, audit_log l
  where l.tenant_id = $1 and not exists (
    select 1 from audit_chain c where c.tenant_id = l.tenant_id and c.occurred = l.occurred and c.record_id = l.id
  )
  order by l.occurred`;

type StoredReceiptMismatch = Omit<ReceiptMismatch, 'sequence'> & { readonly sequence: string | null };

type EntryRow = SealedRecord & {
  readonly sequence: string;
  readonly hash: Buffer;
  readonly v: SealVersion;
  readonly place: string;
  readonly hidden: boolean | null;
};

const entryOf = ({ sequence, hash, v, place, hidden, ...record }: EntryRow): VerifiedRow => ({
  sequence: exactInteger(sequence),
  hash,
  version: v,
  recordId: place,
  record: (record.id as string | null) === null ? undefined : record,
  isHidden: hidden === true,
});

/** Runs a statement within an open transaction and returns its rows. */
export type RunStatement = <R extends object>(text: string, values?: readonly unknown[]) => Promise<R[]>;

/** Reads the rows of a statement in batches from a server-side cursor. */
async function* batches<R extends object>(
  runStatement: RunStatement,
  text: string,
  tenantId: string,
): AsyncGenerator<R[]> {
  const name = `audit_${randomUUID().replaceAll('-', '')}`;
  await runStatement(`declare ${name} no scroll cursor for ${text}`, [tenantId]);
  for (;;) {
    const rows = await runStatement<R>(`fetch ${ROWS_MAX} from ${name}`);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_MAX) break;
  }
  await runStatement(`close ${name}`);
}

/** Reads the log within an open transaction. */
export const createAuditVerification = (
  runStatement: RunStatement,
): Omit<AuditVerification, typeof Symbol.asyncDispose> => ({
  async tenantIds() {
    return (await runStatement<{ id: string }>(TENANTS)).map(({ id }) => id);
  },
  keys: () => runStatement('select key_id as "keyId", public_key as "publicKey" from audit_keys order by added'),
  checkpoints: (tenantId) => batches(runStatement, CHECKPOINTS, tenantId),
  async *entries(tenantId) {
    for await (const rows of batches<EntryRow>(runStatement, ENTRIES, tenantId)) yield rows.map(entryOf);
  },
  unsealed: (tenantId) => batches(runStatement, UNSEALED, tenantId),
  async clock() {
    const [clock] = await runStatement<SealerClock>(CLOCK);
    return clock ?? { seenMs: null, nowMs: Date.now() };
  },
  async countMismatch(tenantId) {
    const [mismatch] = await runStatement<CountMismatch>(COUNT_MISMATCH, [tenantId]);
    return mismatch ?? (await runStatement<CountMismatch>(READS_MISMATCH, [tenantId]))[0];
  },
  async receiptMismatch(tenantId) {
    const [found] = await runStatement<StoredReceiptMismatch>(RECEIPT_MISMATCH, [tenantId]);
    return found && { ...found, sequence: found.sequence === null ? null : exactInteger(found.sequence) };
  },
  async retention(tenantId) {
    return (await runStatement<RetentionSettings>(RETENTION, [tenantId]))[0];
  },
});

/** Opens a connection of any role that can read the audit tables. Throws ProblemError when that fails. */
export async function openAuditVerification(url: string): Promise<AuditVerification> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    application_name: 'sluice-audit',
  });
  client.on('error', () => undefined);
  const runStatement: RunStatement = async (text, values = []) => (await client.query(text, [...values])).rows;
  try {
    await client.connect();
    await client.query(OPEN);
  } catch (thrown) {
    await client.end().catch(() => undefined);
    throw storeProblem(thrown);
  }
  return {
    ...createAuditVerification(runStatement),
    async [Symbol.asyncDispose]() {
      await client.end().catch(() => undefined);
    },
  };
}
