import type { CheckpointRow, ClassifyCheckpoint, SealedRecord, SealingPass, SetAside } from '@sluice/audit';
import type { Database } from '../database/database.ts';
import { safeInteger } from '../database/safe-integer.ts';
import { prepared, type Row, type Transaction } from '../database/transaction.ts';
import { findGenuineHead, setAsideForgeries } from './audit-chain-end.ts';
import { SEAL_STATEMENTS } from './audit-seal-statements.ts';
import {
  completedPosition,
  isRecent,
  lastSnapshotOf,
  pausedPosition,
  type SealerRow,
  type SealerSnapshot,
  snapshotOf,
} from './audit-sealer-position.ts';
import { type NewSeals, writeSeals } from './write-seals.ts';

/** The last checkpoint of a tenant. */
export interface StoredHead {
  readonly tenantId: string;
  readonly number: number;
  readonly sequence: number;
  readonly payload: string;
}

/** Seals the rows of one tenant after its last checkpoint. */
export type SealRows = (
  tenantId: string,
  rows: readonly SealedRecord[],
  head: StoredHead | undefined,
  pass: SealingPass,
) => NewSeals;

/** Seals rows, and finds out who signed a checkpoint. */
export interface Sealer {
  readonly seal: SealRows;
  readonly classify: ClassifyCheckpoint;
}

/** Signs of a change of the chain by somebody who is not a sealer. */
export interface SealingProblem {
  readonly tenantId: string;
  /** Forgeries that were moved out of the chain. */
  readonly setAside?: SetAside;
  /** Ids of rows that were not sealed, because the sealed part of the chain has an entry for them already. */
  readonly skipped?: readonly string[];
}

type SealOutcome =
  | { readonly kind: 'busy' }
  | {
      readonly kind: 'sealed';
      readonly rows: number;
      readonly hasMore: boolean;
      /** Undefined while there is more to seal. */
      readonly snapshot: SealerSnapshot | undefined;
      readonly problems: readonly SealingProblem[];
    };

export interface AuditSealStore {
  /**
   * Seals the next rows of all tenants, oldest transactions first, in one transaction. `busy`: another process is sealing. `lastSnapshot` is
   * the snapshot that this process sealed last. It takes precedence over an older one in the database. What others added to a chain is set
   * aside before.
   */
  sealBatch(sealer: Sealer, lastSnapshot?: SealerSnapshot): Promise<SealOutcome>;
  /** Returns the current snapshot of the database, for `hasUnsealed`. */
  currentSnapshot(): Promise<string>;
  /** Returns whether records of any tenant that the snapshot sees are not sealed yet. */
  hasUnsealed(snapshot: string): Promise<boolean>;
  /** Publishes a key, if it is not published yet. */
  putKey(key: { readonly keyId: string; readonly publicKey: Uint8Array }): Promise<void>;
}

type TenantRow = { readonly [K in keyof CheckpointRow]: CheckpointRow[K] | null } & {
  readonly tenantId: string;
  readonly nowMs: number;
  readonly keptMs: string | null;
  readonly ownMs: unknown;
  readonly isContinued: boolean;
};

interface PositionedRow extends SealedRecord {
  readonly xact: string;
  readonly wasOpen: boolean;
  /** Exact time as PostgreSQL writes it. */
  readonly occurred: string;
  /** Position in the chain, if the row has one already. */
  readonly entry: string | null;
}

/** Small enough that a batch of the longest statements fits into memory and into the timeout of a statement. */
const ROWS_MAX = 200;
const byTenant = (rows: readonly PositionedRow[]): Map<string, PositionedRow[]> => {
  const tenants = new Map<string, PositionedRow[]>();
  for (const row of rows) {
    const own = tenants.get(row.tenantId);
    if (own === undefined) tenants.set(row.tenantId, [row]);
    else own.push(row);
  }
  return tenants;
};

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

/** Returns whether a position belongs to the part of the chain that the head signs. What is outside was set aside. */
const isWithin = (entry: string | null, head: StoredHead | undefined): boolean =>
  entry !== null && BigInt(entry) >= 1n && BigInt(entry) <= BigInt(head?.sequence ?? 0);

const isStored = (tenant: TenantRow): tenant is TenantRow & CheckpointRow => tenant.number !== null;

const headOf = (tenantId: string, checkpoint: CheckpointRow | undefined): StoredHead | undefined =>
  checkpoint && {
    tenantId,
    number: safeInteger(checkpoint.number),
    sequence: safeInteger(checkpoint.sequence),
    payload: checkpoint.payload,
  };

const AHEAD =
  'The position of the sealer is ahead of this server, so audit records are not sealed: it was changed, or the database was restored from a ' +
  'logical backup. Run deploy/postgres/after-restore.sql as the owner.';
const NO_RETENTION =
  'audit_retention has no row, so audit records are not sealed. As the owner, run: insert into audit_retention default values';

/** Returns the last genuine checkpoint of a tenant, once everything after it was set aside. */
async function openChain(
  transaction: Transaction,
  tenant: TenantRow,
  classify: ClassifyCheckpoint,
): Promise<{ readonly head: StoredHead | undefined; readonly setAside: SetAside | undefined }> {
  const { tenantId, isContinued } = tenant;
  const stored = isStored(tenant) ? tenant : undefined;
  const head = stored && (await findGenuineHead({ transaction, classify }, tenantId));
  const isForged = head?.number !== stored?.number;
  const setAside = isForged || isContinued ? await setAsideForgeries(transaction, tenantId, head) : undefined;
  return { head: headOf(tenantId, head), setAside };
}

const CURRENT_SNAPSHOT = prepared('audit_snapshot', SEAL_STATEMENTS.currentSnapshot);
const HAS_UNSEALED = prepared('audit_unsealed', SEAL_STATEMENTS.hasUnsealed);

export function createAuditSealStore(database: Database): AuditSealStore {
  const sealIn = async (
    transaction: Transaction,
    sealer: Sealer,
    known: SealerSnapshot | undefined,
  ): Promise<SealOutcome> => {
    const [lock] = await transaction.query<{ locked: boolean; nowMs: number }>(SEAL_STATEMENTS.lock);
    if (lock?.locked !== true) return { kind: 'busy' };
    const [position] = await transaction.query<SealerRow>(SEAL_STATEMENTS.findSealer);
    if (position === undefined) throw new Error('audit_sealer has no row');
    if (position.isAhead === true) throw new Error(AHEAD);
    const last = lastSnapshotOf(position, known);
    const target = position.pending ?? position.now;
    // Hosts of the previous version do not store the time of the snapshot.
    const targetAtMs = position.pending === null ? lock.nowMs : (position.pendingAtMs ?? last?.atMs);
    const values = [target, ROWS_MAX, last?.xmax ?? null];
    const rows = await transaction.query<PositionedRow & Row>(SEAL_STATEMENTS.findUnsealed, values);
    const hasMore = rows.length === ROWS_MAX;
    const snapshot = hasMore ? undefined : snapshotOf(target, targetAtMs);
    const isIdle = rows.length === 0 && position.pending === null && isRecent(position, lock.nowMs);
    if (isIdle) return { kind: 'sealed', rows: 0, hasMore, snapshot, problems: [] };
    const problems = await sealTenants(transaction, rows, sealer, last);
    const next = hasMore ? pausedPosition(target, targetAtMs, rows.at(-1)) : completedPosition(target, targetAtMs);
    await transaction.query(SEAL_STATEMENTS.moveSealer, next);
    return { kind: 'sealed', rows: rows.length, hasMore, snapshot, problems };
  };

  const sealTenants = async (
    transaction: Transaction,
    rows: readonly PositionedRow[],
    { seal, classify }: Sealer,
    last: SealerSnapshot | undefined,
  ): Promise<readonly SealingProblem[]> => {
    if (rows.length === 0) return [];
    const byId = byTenant(rows);
    const tenants = await transaction.query<TenantRow & Row>(SEAL_STATEMENTS.findTenants, [[...byId.keys()]]);
    const seals: NewSeals[] = [];
    const problems: SealingProblem[] = [];
    for (const tenant of tenants) {
      if (tenant.keptMs === null) throw new Error(NO_RETENTION);
      const { tenantId } = tenant;
      const { head, setAside } = await openChain(transaction, tenant, classify);
      if (setAside !== undefined) problems.push({ tenantId, setAside });
      const isSealed = ({ entry }: PositionedRow): boolean => isWithin(entry, head);
      const own = byId.get(tenantId) ?? [];
      const skipped = own.filter(isSealed).map(({ id }) => id);
      if (skipped.length > 0) problems.push({ tenantId, skipped });
      const unsealed = own.filter((row) => !isSealed(row));
      if (unsealed.length > 0) seals.push(seal(tenantId, unsealed, head, passOf(rows, tenant, last)));
    }
    await writeSeals(transaction, seals, new Map(rows.map((row) => [row, row.occurred])));
    return problems;
  };

  return {
    sealBatch: (sealer, lastSnapshot) =>
      database.acrossTenants((transaction) => sealIn(transaction, sealer, lastSnapshot)),
    async currentSnapshot() {
      const [row] = await database.run<{ snapshot: string }>('every-tenant', CURRENT_SNAPSHOT, []);
      if (row === undefined) throw new Error('the server returned no snapshot');
      return row.snapshot;
    },
    async hasUnsealed(snapshot) {
      const [row] = await database.run<{ hasUnsealed: boolean }>('every-tenant', HAS_UNSEALED, [snapshot]);
      return row?.hasUnsealed !== false;
    },
    async putKey({ keyId, publicKey }) {
      await database.withoutTenant((transaction) => transaction.query(SEAL_STATEMENTS.putKey, [keyId, publicKey]));
    },
  };
}
