import { describe, expect, it } from '@jest/globals';
import { sampleRecord, sealLog, TENANT } from '../testing/sealed-log.ts';
import { hexOf } from './byte-encodings.ts';
import { ChainVerifier } from './chain-verifier.ts';
import type { ChainEntry } from './check-link.ts';
import { type CheckpointPayload, type DroppedRange, readCheckpoint } from './checkpoint.ts';
import { RecordTimes } from './record-times.ts';
import { RetentionHistory } from './retention-history.ts';
import { SetAsideReports } from './set-aside-reports.ts';

const log = sealLog([0, 1, 2, 3, 4, 5].map(sampleRecord), 2);
const payloads = log.checkpoints.map(({ payload }) => readCheckpoint(payload) as CheckpointPayload);

async function start({ dropped = [] as readonly DroppedRange[] } = {}): Promise<ChainVerifier> {
  const checkpoints = async function* () {
    yield* payloads;
  };
  const verifier = new ChainVerifier({
    tenantId: TENANT,
    dropped: new Map(dropped.map((range) => [range.from, range])),
    checkpoints: checkpoints(),
    times: new RecordTimes(),
    retention: new RetentionHistory(),
    reports: new SetAsideReports(),
  });
  await verifier.start();
  return verifier;
}

const takeAll = async (verifier: ChainVerifier, entries: readonly ChainEntry[]) => {
  for (const [index, entry] of entries.entries()) {
    const finding = await verifier.take(entry, () => entries.slice(index + 1));
    if (finding !== undefined) return finding;
  }
  return await verifier.end();
};

describe('ChainVerifier', () => {
  it('counts the records of a whole chain', async () => {
    const verifier = await start();
    expect([await takeAll(verifier, log.entries), verifier.records]).toEqual([undefined, 6]);
  });

  it('continues after a dropped range with the hash that was signed for its end', async () => {
    const range = { from: 1, to: 2, hash: hexOf(log.entries[1]?.hash ?? new Uint8Array()) };
    const verifier = await start({ dropped: [range] });
    expect([await takeAll(verifier, log.entries.slice(2)), verifier.records]).toEqual([undefined, 4]);
    const forged = await start({ dropped: [{ ...range, hash: '00' }] });
    expect(await takeAll(forged, log.entries.slice(2))).toMatchObject({ kind: 'altered', sequence: 3 });
  });

  it('finds where a chain has a gap, a second entry, or no end', async () => {
    const [first, , third] = log.entries as [ChainEntry, ChainEntry, ChainEntry];
    expect(await takeAll(await start(), [first, third])).toMatchObject({ kind: 'missing', sequence: 2 });
    expect(await takeAll(await start(), [first, first])).toMatchObject({ kind: 'inserted', sequence: 1 });
    expect(await takeAll(await start(), log.entries.slice(0, 5))).toMatchObject({ kind: 'missing', sequence: 6 });
  });

  it('knows which entry continues the verified part', async () => {
    const [first, second, third] = log.entries as [ChainEntry, ChainEntry, ChainEntry];
    const verifier = await start();
    await verifier.take(first, () => []);
    expect([second, third, { ...second, record: third.record }].map((entry) => verifier.isNext(entry))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
