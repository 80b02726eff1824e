import type { SealedRecord, SealedRows } from '@sluice/audit';
import type { Transaction } from '../database/transaction.ts';
import { SEAL_STATEMENTS } from './audit-seal-statements.ts';

/** Links and checkpoint of one batch of a tenant. */
export interface NewSeals extends SealedRows {
  readonly tenantId: string;
}

const HOUR_US = 3_600_000_000n;

/** Returns the begin of the hour. Exact for all times of PostgreSQL, before 1970 too. */
const hourOf = (occurredUs: string): string => {
  const us = BigInt(occurredUs);
  return String(us - (((us % HOUR_US) + HOUR_US) % HOUR_US));
};

/** Counts the records, without outcomes, by tenant, kind of count, name and hour. */
const countsOf = (rows: readonly SealedRecord[]): (readonly [...string[], number])[] => {
  const counts = new Map<string, readonly [...string[], number]>();
  for (const { tenantId, recordId, user, action, occurredUs } of rows) {
    if (recordId !== null) continue;
    const hourUs = hourOf(occurredUs);
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

/** Adds the links, checkpoints and counts of a batch. `occurred` has the exact time of each row. */
export const writeSeals = async (
  transaction: Transaction,
  seals: readonly NewSeals[],
  occurred: ReadonlyMap<SealedRecord, string>,
): Promise<void> => {
  const links = seals.flatMap(({ links: own }) =>
    own.map(({ record, sequence, hash }) => [record.tenantId, sequence, occurred.get(record), record.id, hash]),
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
