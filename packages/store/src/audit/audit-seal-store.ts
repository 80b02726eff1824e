import type { SealedRecord, SealedRows } from '@sluice/audit';
import type { Database } from '../database/database.ts';
import type { Row, Transaction } from '../database/transaction.ts';
import { SEAL_STATEMENTS } from './audit-seal-statements.ts';

/** The last checkpoint of a tenant. */
export interface StoredHead {
  readonly tenantId: string;
  readonly number: number;
  readonly sequence: number;
  readonly payload: string;
}

/** What a batch of one tenant's rows became. */
export interface NewSeals extends SealedRows {
  readonly tenantId: string;
}

/** Seals the rows of one tenant behind its head. */
export type SealRows = (tenantId: string, rows: readonly SealedRecord[], head: StoredHead | undefined) => NewSeals;

export type SealOutcome =
  | { readonly kind: 'busy' }
  | { readonly kind: 'sealed'; readonly rows: number; readonly isMore: boolean };

export interface AuditSealStore {
  /**
   * Seals the next rows of every tenant, oldest transactions first, in one transaction. `busy`: another process is at it.
   */
  sealBatch(seal: SealRows): Promise<SealOutcome>;
  /** Publishes a key; does nothing when it is known. */
  putKey(key: { readonly keyId: string; readonly publicKey: Uint8Array }): Promise<void>;
}

interface SealerRow extends Row {
  readonly pending: string | null;
  readonly now: string;
}

type Position = readonly [xact: string, occurredUs: string, id: string];
interface PositionedRow extends SealedRecord {
  readonly xact: string;
}

/** Few enough that a batch of the longest statements still fits in memory and in the time of one statement. */
const ROWS_MAX = 200;
const HOUR_US = 3_600_000_000;

const byTenant = (rows: readonly SealedRecord[]): Map<string, SealedRecord[]> => {
  const tenants = new Map<string, SealedRecord[]>();
  for (const row of rows) {
    const own = tenants.get(row.tenantId);
    if (own === undefined) tenants.set(row.tenantId, [row]);
    else own.push(row);
  }
  return tenants;
};

/** First rows by tenant, kind of count, name and hour. */
const countsOf = (rows: readonly SealedRecord[]): (readonly [...string[], number])[] => {
  const counts = new Map<string, readonly [...string[], number]>();
  for (const { tenantId, recordId, user, action, occurredUs } of rows) {
    if (recordId !== null) continue;
    const hourUs = String(Math.floor(Number(occurredUs) / HOUR_US) * HOUR_US);
    for (const [kind, name] of [
      ['all', ''],
      ['user', user],
      ['action', action],
    ] as const) {
      const key = JSON.stringify([tenantId, kind, name, hourUs]);
      const counted = (counts.get(key)?.at(-1) as number | undefined) ?? 0;
      counts.set(key, [tenantId, kind, name, hourUs, counted + 1]);
    }
  }
  return [...counts.values()];
};

const column = (rows: readonly (readonly unknown[])[], index: number): unknown[] => rows.map((row) => row[index]);

const write = async (transaction: Transaction, seals: readonly NewSeals[]): Promise<void> => {
  const links = seals.flatMap(({ links: own }) =>
    own.map(({ record, sequence, hash }) => [record.tenantId, sequence, record.occurredUs, record.id, hash]),
  );
  const signed = seals.map(({ tenantId, checkpoint: { number, sequence, payload, keyId, signature } }) => [
    tenantId,
    number,
    sequence,
    payload,
    keyId,
    signature,
  ]);
  const counts = countsOf(seals.flatMap(({ links: own }) => own.map(({ record }) => record)));
  for (const [statement, rows, columns] of [
    [SEAL_STATEMENTS.addLinks, links, 5],
    [SEAL_STATEMENTS.addCheckpoints, signed, 6],
    [SEAL_STATEMENTS.addCounts, counts, 5],
  ] as const) {
    if (rows.length === 0) continue;
    await transaction.query(
      statement,
      Array.from({ length: columns }, (_, index) => column(rows, index)),
    );
  }
};

const positionOf = (row: PositionedRow | undefined): Position | readonly [null, null, null] =>
  row === undefined ? [null, null, null] : [row.xact, row.occurredUs, row.id];

export function createAuditSealStore(database: Database): AuditSealStore {
  const sealIn = async (transaction: Transaction, seal: SealRows): Promise<SealOutcome> => {
    const [lock] = await transaction.query<{ locked: boolean }>(SEAL_STATEMENTS.lock);
    if (lock?.locked !== true) return { kind: 'busy' };
    const [sealer] = await transaction.query<SealerRow>(SEAL_STATEMENTS.findSealer);
    const target = sealer?.pending ?? sealer?.now;
    const rows = await transaction.query<PositionedRow>(SEAL_STATEMENTS.findUnsealed, [target, ROWS_MAX]);
    const isMore = rows.length === ROWS_MAX;
    if (rows.length === 0 && (sealer?.pending ?? null) === null) return { kind: 'sealed', rows: 0, isMore };
    const tenants = byTenant(rows);
    const heads = await transaction.query<StoredHead & { sequence: string; number: string }>(
      SEAL_STATEMENTS.findHeads,
      [[...tenants.keys()]],
    );
    const headOf = (tenantId: string): StoredHead | undefined => {
      const found = heads.find((head) => head.tenantId === tenantId);
      return found && { ...found, number: Number(found.number), sequence: Number(found.sequence) };
    };
    await write(
      transaction,
      [...tenants].map(([tenantId, own]) => seal(tenantId, own, headOf(tenantId))),
    );
    await transaction.query(SEAL_STATEMENTS.moveSealer, [
      isMore ? null : target,
      isMore ? target : null,
      ...positionOf(isMore ? rows.at(-1) : undefined),
    ]);
    return { kind: 'sealed', rows: rows.length, isMore };
  };

  return {
    sealBatch: (seal) => database.acrossTenants((transaction) => sealIn(transaction, seal)),
    async putKey({ keyId, publicKey }) {
      await database.withoutTenant((transaction) => transaction.query(SEAL_STATEMENTS.putKey, [keyId, publicKey]));
    },
  };
}
