import { describe, expect, it } from '@jest/globals';
import { AUDIT_FIELDS } from '@sluice/contract';
import fc from 'fast-check';
import { type SealedLog, sampleRecord, sealLog, verifyLog } from '../testing/sealed-log.ts';
import type { ChainEntry } from './check-link.ts';
import type { SealedRecord } from './sealed-record.ts';
import type { SignedPayload } from './trusted-keys.ts';

const RECORDS = 12;
const BATCH = 4;
const log: SealedLog = sealLog(
  Array.from({ length: RECORDS }, (_, index) => sampleRecord(index)),
  BATCH,
);

const replaced = <T>(items: readonly T[], index: number, ...by: readonly T[]): readonly T[] => [
  ...items.slice(0, index),
  ...by,
  ...items.slice(index + 1),
];

const swapped = <T>(items: readonly T[], index: number, other: number): readonly T[] =>
  items.with(index, items[other] as T).with(other, items[index] as T);

const flipped = (bytes: Uint8Array, bit: number): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  const at = Math.floor(bit / 8) % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << (bit % 8));
  return copy;
};

const changedValue = (record: SealedRecord, { property, kind }: (typeof AUDIT_FIELDS)[number], suffix: string) => {
  const value = record[property];
  if (kind === 'number') return String(Number(value) + 1 + suffix.length);
  if (kind === 'json') return `{"changed": ${JSON.stringify(suffix)}}`;
  return value === null ? suffix : `${value}${suffix}`;
};

const entryAt = (index: number): ChainEntry => log.entries[index] as ChainEntry;
const checkpointAt = (index: number): SignedPayload => log.checkpoints[index] as SignedPayload;
const withEntries = (entries: readonly ChainEntry[]): SealedLog => ({ ...log, entries });
const withCheckpoints = (checkpoints: readonly SignedPayload[]): SealedLog => ({ ...log, checkpoints });

const anyEntry = fc.nat(RECORDS - 1);
const anyCheckpoint = fc.nat(log.checkpoints.length - 1);
const anyText = fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme-ascii' });
const anyBit = fc.nat(255);
/** Two different positions of a list. */
const anyPair = (length: number) =>
  fc.tuple(fc.nat(length - 1), fc.nat(length - 1)).filter(([first, second]) => first !== second);

const MUTATIONS: Readonly<Record<string, fc.Arbitrary<SealedLog>>> = {
  'a changed member of a record': fc
    .tuple(anyEntry, fc.constantFrom(...AUDIT_FIELDS), anyText)
    .map(([index, field, text]) => {
      const { record, ...entry } = entryAt(index);
      const changed = {
        ...(record as SealedRecord),
        [field.property]: changedValue(record as SealedRecord, field, text),
      };
      return withEntries(replaced(log.entries, index, { ...entry, record: changed }));
    }),
  'a changed hash': fc
    .tuple(anyEntry, anyBit)
    .map(([index, bit]) =>
      withEntries(replaced(log.entries, index, { ...entryAt(index), hash: flipped(entryAt(index).hash, bit) })),
    ),
  'a changed version': anyEntry.map((index) =>
    withEntries(replaced(log.entries, index, { ...entryAt(index), version: 0 })),
  ),
  'a changed sequence number': fc
    .tuple(anyEntry, fc.integer({ min: -RECORDS, max: RECORDS }))
    .filter(([, by]) => by !== 0)
    .map(([index, by]) =>
      withEntries(replaced(log.entries, index, { ...entryAt(index), sequence: Number(entryAt(index).sequence) + by })),
    ),
  'a record that searches hide': anyEntry.map((index) =>
    withEntries(replaced(log.entries, index, { ...entryAt(index), isHidden: true })),
  ),
  'a deleted record': anyEntry.map((index) =>
    withEntries(replaced(log.entries, index, { ...entryAt(index), record: undefined })),
  ),
  'a deleted entry': anyEntry.map((index) => withEntries(replaced(log.entries, index))),
  'a repeated entry': anyEntry.map((index) =>
    withEntries(replaced(log.entries, index, entryAt(index), entryAt(index))),
  ),
  'an inserted entry': fc.tuple(anyEntry, anyBit).map(([index, bit]) => {
    const entry = entryAt(index);
    const inserted = { ...entry, hash: flipped(entry.hash, bit), record: sampleRecord(RECORDS + 1) };
    return withEntries(replaced(log.entries, index, inserted, entry));
  }),
  'two swapped entries': anyPair(RECORDS).map(([one, other]) => withEntries(swapped(log.entries, one, other))),
  'two swapped records': anyPair(RECORDS).map(([one, other]) => {
    const [first, second] = [entryAt(one), entryAt(other)];
    const entries = log.entries
      .with(one, { ...first, record: second.record, recordId: second.recordId })
      .with(other, { ...second, record: first.record, recordId: first.recordId });
    return withEntries(entries);
  }),
  'a changed character of a checkpoint': fc.tuple(anyCheckpoint, fc.nat(), anyText).map(([index, at, text]) => {
    const { payload, ...signed } = checkpointAt(index);
    const position = at % payload.length;
    const by = payload[position] === text[0] ? '~~' : (text[0] ?? '');
    const changed = payload.slice(0, position) + by + payload.slice(position + 1);
    return withCheckpoints(replaced(log.checkpoints, index, { ...signed, payload: changed }));
  }),
  'a changed signature': fc.tuple(anyCheckpoint, fc.nat(511)).map(([index, bit]) => {
    const signed = checkpointAt(index);
    return withCheckpoints(replaced(log.checkpoints, index, { ...signed, signature: flipped(signed.signature, bit) }));
  }),
  'a changed key id': fc.tuple(anyCheckpoint, anyText).map(([index, text]) => {
    const signed = checkpointAt(index);
    return withCheckpoints(replaced(log.checkpoints, index, { ...signed, keyId: signed.keyId + text }));
  }),
  'a deleted checkpoint': anyCheckpoint.map((index) => withCheckpoints(replaced(log.checkpoints, index))),
  'a repeated checkpoint': anyCheckpoint.map((index) =>
    withCheckpoints(replaced(log.checkpoints, index, checkpointAt(index), checkpointAt(index))),
  ),
  'two swapped checkpoints': anyPair(log.checkpoints.length).map(([one, other]) =>
    withCheckpoints(swapped(log.checkpoints, one, other)),
  ),
  'a receipt that differs from the log': fc
    .record({
      kind: fc.constantFrom('altered' as const, 'missing' as const, 'inserted' as const),
      queryId: fc.uuid(),
      recordId: fc.option(fc.uuid()),
      sequence: fc.option(fc.integer({ min: 1, max: RECORDS })),
      columns: fc.array(fc.constantFrom('rows', 'bytes', 'sha256', 'state')),
    })
    .map((receiptMismatch) => ({ ...log, receiptMismatch })),
};

describe('verifyChain', () => {
  it('accepts a sealed log', async () => {
    expect(await verifyLog(log)).toMatchObject({ records: RECORDS, checkpoints: 3, finding: undefined });
  });

  it.each(Object.keys(MUTATIONS))('finds %s', async (name) => {
    await fc.assert(
      fc.asyncProperty(MUTATIONS[name] as fc.Arbitrary<SealedLog>, async (mutated) => {
        expect((await verifyLog(mutated)).finding).toBeDefined();
      }),
      { numRuns: 100 },
    );
  });

  it('finds a log whose end was removed together with its checkpoints when a copy of them was saved', async () => {
    const cut = { entries: log.entries.slice(0, BATCH), checkpoints: log.checkpoints.slice(0, 1) };
    expect((await verifyLog(cut)).finding).toBeUndefined();
    const saved = new Map(log.checkpoints.map(({ payload }, index) => [index + 1, payload]));
    expect((await verifyLog({ ...cut, saved })).finding).toMatchObject({ kind: 'missing', checkpoint: 2 });
  });
});
