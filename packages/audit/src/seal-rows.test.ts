import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sampleRecord, sealLog, TENANT, verifyLog } from '../testing/sealed-log.ts';
import { payloadHash, readCheckpoint } from './checkpoint.ts';
import { genesisHash } from './sealed-record.ts';

const anyCount = fc.integer({ min: 1, max: 12 });
const recordsOf = (count: number) => Array.from({ length: count }, (_, index) => sampleRecord(index));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('sealRows', () => {
  it('makes the same chain whatever the batches are, and the chain verifies', async () => {
    await fc.assert(
      fc.asyncProperty(anyCount, anyCount, async (count, batch) => {
        const log = sealLog(recordsOf(count), batch);
        const whole = sealLog(recordsOf(count), count);
        expect(log.entries.map(({ hash }) => hex(hash))).toEqual(whole.entries.map(({ hash }) => hex(hash)));
        expect(await verifyLog(log)).toMatchObject({ records: count, finding: undefined });
      }),
      { numRuns: 30 },
    );
  });

  it('numbers records and checkpoints from 1, and each checkpoint names the previous one', () => {
    const { entries, checkpoints } = sealLog(recordsOf(5), 2);
    expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    const payloads = checkpoints.map(({ payload }) => readCheckpoint(payload));
    expect(payloads.map((payload) => [payload?.number, payload?.sequence])).toEqual([
      [1, 2],
      [2, 4],
      [3, 5],
    ]);
    const previous = checkpoints.map(({ payload }) => payloadHash(payload)).slice(0, -1);
    expect(payloads.map((payload) => payload?.previous)).toEqual([null, ...previous]);
    expect(payloads.at(-1)?.hash).toBe(hex(entries.at(-1)?.hash ?? genesisHash(TENANT)));
  });
});

describe('readCheckpoint', () => {
  it.each(['', '{', '{}', 'null', '{"tenant_id":"t","number":1.5,"sequence":1,"hash":""}'])(
    'returns undefined for %j',
    (text) => {
      expect(readCheckpoint(text)).toBeUndefined();
    },
  );
});
