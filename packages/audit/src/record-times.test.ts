import { describe, expect, it } from '@jest/globals';
import { recordWith } from '../testing/sealed-log.ts';
import type { ChainEntry } from './check-link.ts';
import type { CheckpointPayload } from './checkpoint.ts';
import { RecordTimes, type UnsealedRow } from './record-times.ts';

const SINCE = 1_700_000_000_000;
const MINUTE = 60_000;

const checkpoint = (changes: Partial<CheckpointPayload> = {}): CheckpointPayload => ({
  v: 1,
  kind: 'checkpoint',
  tenant_id: 'tenant',
  number: 1,
  sequence: 1,
  hash: '',
  issued_ts: SINCE + 1000,
  previous: null,
  since_ts: SINCE,
  until_ts: SINCE + 1000,
  ...changes,
});

const entryAt = (ms: number): ChainEntry => ({
  sequence: 1,
  hash: Buffer.alloc(32),
  version: 1,
  recordId: 'record',
  record: recordWith({ occurredUs: String(ms * 1000) }),
});

const unsealed = (ms: number, changes: Partial<UnsealedRow> = {}): UnsealedRow => ({
  id: 'record',
  occurredUs: String(ms * 1000),
  action: 'LOGIN',
  metadata: '{}',
  isPassed: false,
  wasOpen: false,
  ...changes,
});

const isSealedTimeValid = (ms: number, changes: Partial<CheckpointPayload> = {}): boolean =>
  new RecordTimes().checkSealed(entryAt(ms), checkpoint(changes)) === undefined;

describe('checkSealed', () => {
  it('accepts times between the signed ones, and 5 seconds around them', () => {
    expect(isSealedTimeValid(SINCE - 5000)).toBe(true);
    expect(isSealedTimeValid(SINCE + 6000)).toBe(true);
    expect(isSealedTimeValid(SINCE - 5001)).toBe(false);
    expect(isSealedTimeValid(SINCE + 6001)).toBe(false);
  });

  it('accepts records that are 15 minutes older only if the checkpoint lists them as late', () => {
    expect(isSealedTimeValid(SINCE - 15 * MINUTE, { late: [1] })).toBe(true);
    expect(isSealedTimeValid(SINCE - 15 * MINUTE, { late: [2] })).toBe(false);
    expect(isSealedTimeValid(SINCE - 15 * MINUTE - 1, { late: [1] })).toBe(false);
  });

  it('allows 15 minutes after the checkpoint for version 0, which signs no times of the database', () => {
    const { v: _v, since_ts: _since, until_ts: _until, ...old } = checkpoint();
    const times = new RecordTimes();
    expect(times.checkSealed(entryAt(old.issued_ts + 15 * MINUTE), old)).toBeUndefined();
    expect(times.checkSealed(entryAt(old.issued_ts + 15 * MINUTE + 1), old)).toMatchObject({ kind: 'inserted' });
  });

  it('keeps the latest signed time when a later checkpoint goes back', () => {
    const times = new RecordTimes();
    times.pass(checkpoint({ since_ts: SINCE }));
    const back = checkpoint({ number: 2, since_ts: SINCE - 60 * MINUTE });
    expect(times.checkSealed(entryAt(SINCE - 30 * MINUTE), back)).toMatchObject({ kind: 'inserted' });
  });
});

describe('checkUnsealed', () => {
  const clock = { seenMs: SINCE, nowMs: SINCE + 1000 };
  const kindOf = (row: UnsealedRow) => new RecordTimes().checkUnsealed(row, clock)?.kind;

  it('accepts a row that is newer than the last snapshot', () => {
    expect(kindOf(unsealed(SINCE + 500))).toBeUndefined();
  });

  it('reports a row that the sealer has passed, one that is older, and one in the future', () => {
    expect(kindOf(unsealed(SINCE + 500, { isPassed: true }))).toBe('inserted');
    expect(kindOf(unsealed(SINCE - 5001))).toBe('inserted');
    expect(kindOf(unsealed(SINCE + 6001))).toBe('inserted');
  });

  it('accepts an older row if its transaction was open at the last snapshot', () => {
    expect(kindOf(unsealed(SINCE - 15 * MINUTE, { wasOpen: true }))).toBeUndefined();
  });
});
