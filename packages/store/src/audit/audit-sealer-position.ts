import type { Row } from '../database/transaction.ts';

/** Snapshot whose committed rows are all sealed: the time of the database, and its next transaction id. */
export interface SealerSnapshot {
  readonly atMs: number;
  readonly xmax: string;
}

/** The row of `audit_sealer`, with the current snapshot. */
export interface SealerRow extends Row {
  readonly pending: string | null;
  readonly pendingAtMs: number | null;
  readonly now: string;
  readonly seenXmax: string | null;
  readonly seenAtMs: number | null;
  /** Whether a snapshot is later than any of this server. */
  readonly isAhead: boolean | null;
}

/** Row at which a batch ends. */
interface LastRow {
  readonly xact: string;
  /** Exact time as PostgreSQL writes it. */
  readonly occurred: string;
  readonly id: string;
}

/** While there is nothing to seal, the snapshot is stored at this interval, so that a starting host has a recent one. */
const SNAPSHOT_INTERVAL_MS = 60_000;

/** Returns the values of `moveSealer` after a batch that is not the last one. */
export const pausedPosition = (target: string, atMs: number | undefined, row: LastRow | undefined): unknown[] => [
  null,
  target,
  row?.xact ?? null,
  row?.occurred ?? null,
  row?.id ?? null,
  null,
  atMs ?? null,
];

/** Returns the values of `moveSealer` when all rows that the snapshot sees are sealed. */
export const completedPosition = (target: string, atMs: number | undefined): unknown[] => [
  target,
  null,
  null,
  null,
  null,
  atMs ?? null,
  null,
];

export const isRecent = ({ seenAtMs }: SealerRow, nowMs: number): boolean =>
  seenAtMs !== null && nowMs - seenAtMs < SNAPSHOT_INTERVAL_MS;

/** Returns the later of the snapshots of the database and of this process. */
export const lastSnapshotOf = (
  { seenAtMs, seenXmax }: SealerRow,
  known: SealerSnapshot | undefined,
): SealerSnapshot | undefined => {
  if (seenAtMs === null || seenXmax === null || (known !== undefined && known.atMs > seenAtMs)) return known;
  return { atMs: seenAtMs, xmax: seenXmax };
};

/** Reads `xmax` from the text of a `pg_snapshot`: `xmin:xmax:xip_list`. */
export const snapshotOf = (snapshot: string, atMs: number | undefined): SealerSnapshot | undefined =>
  atMs === undefined ? undefined : { atMs, xmax: snapshot.split(':')[1] ?? '0' };
