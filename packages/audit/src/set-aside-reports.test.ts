import { describe, expect, it } from '@jest/globals';
import { describeSetAside, SetAsideReports } from './set-aside-reports.ts';

const REPORT = {
  entries: 21,
  checkpoints: 1,
  first_entries: [{ sequence: 4, record_id: 'a' }],
  first_checkpoints: [3],
};
const recordOf = (metadata: unknown, action = 'SET_ASIDE_AUDIT_ENTRIES') => ({
  action,
  metadata: JSON.stringify(metadata),
});

describe('SetAsideReports', () => {
  it('describes what a record reports', () => {
    const reports = new SetAsideReports();
    reports.takeRecord(recordOf({}, 'LOGIN'));
    reports.takeRecord(recordOf(REPORT), 6);
    reports.takeRecord(recordOf(REPORT));
    expect(reports.first.map(describeSetAside)).toEqual([
      'Record 6 reports that a host set aside 21 entries and 1 checkpoint that no host had added to the chain: entry 4 for record id a, checkpoint 3 and 20 more.',
      'The newest records report that a host set aside 21 entries and 1 checkpoint that no host had added to the chain: entry 4 for record id a, checkpoint 3 and 20 more.',
    ]);
  });

  it('reports the positions of a forger with all their digits', () => {
    const reports = new SetAsideReports();
    const metadata = `{"entries": 2, "checkpoints": 1, "first_checkpoints": [9223372036854775807],
      "first_entries": [{"sequence": -9223372036854775808, "record_id": "a"}, {"sequence": 9007199254740993, "record_id": "b"}]}`;
    reports.takeRecord({ action: 'SET_ASIDE_AUDIT_ENTRIES', metadata }, 6);
    expect(reports.first.map(describeSetAside)).toEqual([
      'Record 6 reports that a host set aside 2 entries and 1 checkpoint that no host had added to the chain: entry -9223372036854775808 for record id a, entry 9007199254740993 for record id b, checkpoint 9223372036854775807.',
    ]);
  });

  it('counts all reports, and keeps the first 20', () => {
    const reports = new SetAsideReports();
    for (let sequence = 1; sequence <= 25; sequence += 1) reports.takeRecord(recordOf(REPORT), sequence);
    expect([reports.count, reports.first.length, reports.first.at(-1)?.sequence]).toEqual([25, 20, 20]);
  });

  it.each([
    {},
    [],
    null,
    { ...REPORT, entries: '1' },
    { ...REPORT, first_entries: [null] },
    { ...REPORT, first_checkpoints: [{}] },
  ])('ignores metadata that no host writes: %j', (metadata) => {
    const reports = new SetAsideReports();
    reports.takeRecord(recordOf(metadata), 1);
    expect(reports.count).toBe(0);
  });
});
