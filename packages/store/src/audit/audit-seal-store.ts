import type { SealedRecord, SealedRows, SealingPass } from '@sluice/audit';
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

/** Links and checkpoint of one batch of a tenant. */
interface NewSeals extends SealedRows {
  readonly tenantId: string;
}

/** Seals the rows of one tenant after its last checkpoint. */
export type SealRows = (
  tenantId: string,
  rows: readonly SealedRecord[],
  head: StoredHead | undefined,
  pass: SealingPass,
) => NewSeals;

/** Snapshot of which all committed rows are sealed: the time of the database, and its next transaction id. */
export interface SealerSnapshot {
  readonly atMs: number;
  readonly xmax: string;
}

type SealOutcome =
  | { readonly kind: 'busy' }
  | {
      readonly kind: 'sealed';
      readonly rows: number;
      readonly hasMore: boolean;
      /** Undefined while there is more to seal. */
      readonly snapshot: SealerSnapshot | undefined;
    };

export interface AuditSealStore {
  /**
   * Seals the next rows of all tenants, oldest transactions first, in one transaction. `busy`: another process is sealing. `lastSnapshot` is
   * the snapshot that this process sealed last. It takes precedence over an older one in the database.
   */
  sealBatch(seal: SealRows, lastSnapshot?: SealerSnapshot): Promise<SealOutcome>;
  /** Publishes a key, if it is not published yet. */
  putKey(key: { readonly keyId: string; readonly publicKey: Uint8Array }): Promise<void>;
}

interface SealerRow extends Row {
  readonly pending: string | null;
  readonly pendingAtMs: number | null;
  readonly now: string;
  readonly seenXmax: string | null;
  readonly seenAtMs: number | null;
}

interface TenantRow {
  readonly tenantId: string;
  readonly number: string | null;
  readonly sequence: string;
  readonly payload: string;
  readonly nowMs: number;
  readonly keptMs: string;
  readonly ownMs: unknown;
}

interface PositionedRow extends SealedRecord {
  readonly xact: string;
  readonly wasOpen: boolean;
}

/** Small enough that a batch of the longest SQL texts fits into memory and into the timeout of a statement. */
const ROWS_MAX = 200;
const HOUR_US = 3_600_000_000;
/** While there is nothing to seal, the snapshot is stored at this interval, so that a starting host has a recent one. */
const SNAPSHOT_INTERVAL_MS = 60_000;

const byTenant = (rows: readonly SealedRecord[]): Map<string, SealedRecord[]> => {
  const tenants = new Map<string, SealedRecord[]>();
  for (const row of rows) {
    const own = tenants.get(row.tenantId);
    if (own === undefined) tenants.set(row.tenantId, [row]);
    else own.push(row);
  }
  return tenants;
};

/** Counts the records, without outcomes, by tenant, kind of count, name and hour. */
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

/** Returns the values of `moveSealer` after a batch that is not the last one. */
const pausedPosition = (target: string, atMs: number | undefined, row: PositionedRow | undefined): unknown[] => [
  null,
  target,
  row?.xact ?? null,
  row?.occurredUs ?? null,
  row?.id ?? null,
  null,
  atMs ?? null,
];

/** Returns the values of `moveSealer` when all rows that the snapshot sees are sealed. */
const completedPosition = (target: string, atMs: number | undefined): unknown[] => [
  target,
  null,
  null,
  null,
  null,
  atMs ?? null,
  null,
];

const isRecent = ({ seenAtMs }: SealerRow, nowMs: number): boolean =>
  seenAtMs !== null && nowMs - seenAtMs < SNAPSHOT_INTERVAL_MS;

/** Returns the later of the snapshots of the database and of this process. */
const lastSnapshotOf = (
  { seenAtMs, seenXmax }: SealerRow,
  known: SealerSnapshot | undefined,
): SealerSnapshot | undefined => {
  if (seenAtMs === null || seenXmax === null || (known !== undefined && known.atMs > seenAtMs)) return known;
  return { atMs: seenAtMs, xmax: seenXmax };
};

/** Reads `xmax` from the text of a `pg_snapshot`: `xmin:xmax:xip_list`. */
const snapshotOf = (snapshot: string, atMs: number | undefined): SealerSnapshot | undefined =>
  atMs === undefined ? undefined : { atMs, xmax: snapshot.split(':')[1] ?? '0' };

const passOf = (
  rows: readonly PositionedRow[],
  tenant: TenantRow,
  snapshot: SealerSnapshot | undefined,
): SealingPass => ({
  sinceMs: snapshot === undefined ? null : Math.floor(snapshot.atMs),
  untilMs: Math.ceil(tenant.nowMs),
  lateIds: new Set(rows.filter(({ wasOpen }) => wasOpen).map(({ id }) => id)),
  retention: { kept_ms: Number(tenant.keptMs), tenant_ms: tenant.ownMs },
});

const headOf = ({ tenantId, number, sequence, payload }: TenantRow): StoredHead | undefined =>
  number === null ? undefined : { tenantId, number: Number(number), sequence: Number(sequence), payload };

export function createAuditSealStore(database: Database): AuditSealStore {
  const sealIn = async (
    transaction: Transaction,
    seal: SealRows,
    known: SealerSnapshot | undefined,
  ): Promise<SealOutcome> => {
    const [lock] = await transaction.query<{ locked: boolean; nowMs: number }>(SEAL_STATEMENTS.lock);
    if (lock?.locked !== true) return { kind: 'busy' };
    const [sealer] = await transaction.query<SealerRow>(SEAL_STATEMENTS.findSealer);
    if (sealer === undefined) throw new Error('audit_sealer has no row');
    const last = lastSnapshotOf(sealer, known);
    const target = sealer.pending ?? sealer.now;
    // Hosts of the previous version do not store the time of the snapshot.
    const targetAtMs = sealer.pending === null ? lock.nowMs : (sealer.pendingAtMs ?? last?.atMs);
    const values = [target, ROWS_MAX, last?.xmax ?? null];
    const rows = await transaction.query<PositionedRow>(SEAL_STATEMENTS.findUnsealed, values);
    const hasMore = rows.length === ROWS_MAX;
    const snapshot = hasMore ? undefined : snapshotOf(target, targetAtMs);
    const isIdle = rows.length === 0 && sealer.pending === null && isRecent(sealer, lock.nowMs);
    if (!isIdle) {
      await sealTenants(transaction, rows, seal, last);
      const position = hasMore
        ? pausedPosition(target, targetAtMs, rows.at(-1))
        : completedPosition(target, targetAtMs);
      await transaction.query(SEAL_STATEMENTS.moveSealer, position);
    }
    return { kind: 'sealed', rows: rows.length, hasMore, snapshot };
  };

  const sealTenants = async (
    transaction: Transaction,
    rows: readonly PositionedRow[],
    seal: SealRows,
    last: SealerSnapshot | undefined,
  ): Promise<void> => {
    if (rows.length === 0) return;
    const byId = byTenant(rows);
    const tenants = await transaction.query<TenantRow>(SEAL_STATEMENTS.findTenants, [[...byId.keys()]]);
    const seals = tenants.map((tenant) =>
      seal(tenant.tenantId, byId.get(tenant.tenantId) ?? [], headOf(tenant), passOf(rows, tenant, last)),
    );
    await write(transaction, seals);
  };

  return {
    sealBatch: (seal, lastSnapshot) => database.acrossTenants((transaction) => sealIn(transaction, seal, lastSnapshot)),
    async putKey({ keyId, publicKey }) {
      await database.withoutTenant((transaction) => transaction.query(SEAL_STATEMENTS.putKey, [keyId, publicKey]));
    },
  };
}
