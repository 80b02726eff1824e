import { describe, expect, it } from '@jest/globals';
import { addRecords, LIVE_RECORDS_MAX, NO_LIVE_RECORDS, pause, readLiveRecord, resume } from './live-records.ts';

const record = (sequence: number, more: object = {}) =>
  readLiveRecord(
    JSON.stringify({ sequence, id: String(sequence), user: 'Ann@acme.example', action: 'LOGIN', ...more }),
  );
const some = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => record(from + index));
const idsOf = (records: readonly { readonly entry: { readonly id: string } }[]) =>
  records.map(({ entry }) => Number(entry.id));

describe('a live list', () => {
  it('has the newest record first', () => {
    expect(idsOf(addRecords(addRecords(NO_LIVE_RECORDS, some(0, 2)), some(2, 4)).shown)).toEqual([3, 2, 1, 0]);
  });

  it('stays as it is while it is paused, and has everything afterwards', () => {
    const paused = addRecords(pause(addRecords(NO_LIVE_RECORDS, some(0, 2))), some(2, 5));
    expect([idsOf(paused.shown), paused.held.length]).toEqual([[1, 0], 3]);
    expect(idsOf(resume(paused).shown)).toEqual([4, 3, 2, 1, 0]);
  });

  it('counts what it does not keep, also while it is paused', () => {
    const full = addRecords(NO_LIVE_RECORDS, some(0, LIVE_RECORDS_MAX + 3));
    expect([full.shown.length, full.dropped]).toEqual([LIVE_RECORDS_MAX, 3]);
    const paused = addRecords(pause(full), some(1000, 1000 + LIVE_RECORDS_MAX + 1));
    expect([paused.held.length, paused.dropped]).toEqual([LIVE_RECORDS_MAX, 4]);
    const resumed = resume(paused);
    expect([resumed.shown.length, resumed.dropped]).toEqual([LIVE_RECORDS_MAX, 4 + LIVE_RECORDS_MAX]);
    expect(resumed.shown.length + resumed.dropped).toBe(2 * LIVE_RECORDS_MAX + 4);
  });

  it('keeps the digits of every number in the text of a record', () => {
    expect(readLiveRecord('{"id":"1","metadata":{"n":9007199254740993}}').json).toContain('9007199254740993');
  });
});
