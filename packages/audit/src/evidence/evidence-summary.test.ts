import { describe, expect, it } from '@jest/globals';
import { recordWith } from '../../testing/sealed-log.ts';
import type { ExportRow } from '../export-row.ts';
import { EvidenceSummary } from './evidence-summary.ts';

const rowOf = (user: string, action: string, occurredUs: number): ExportRow => ({
  record: recordWith({ user, action, occurredUs: String(occurredUs) }),
  sequence: 1,
  version: 0,
  previousHash: '',
  hash: '',
});

const linesOf = (rows: Iterable<ExportRow>): readonly string[] => {
  const summary = new EvidenceSummary();
  for (const row of rows) summary.add(row);
  return [...summary.csv()].join('').split('\n');
};

describe('EvidenceSummary', () => {
  it('counts by user and action, with the earliest and latest time in any order', () => {
    const rows = [rowOf('bob', 'LOGIN', 3_000_999), rowOf('ann', 'LOGIN', 0), rowOf('bob', 'LOGIN', 1_000_000)];
    expect(linesOf([...rows, rowOf('bob', 'EXPORT', 5)])).toEqual([
      'user,action,count,first,last',
      'ann,LOGIN,1,1970-01-01T00:00:00.000Z,1970-01-01T00:00:00.000Z',
      'bob,EXPORT,1,1970-01-01T00:00:00.000Z,1970-01-01T00:00:00.000Z',
      'bob,LOGIN,2,1970-01-01T00:00:01.000Z,1970-01-01T00:00:03.000Z',
      '',
    ]);
  });

  it('writes names as fields that no spreadsheet runs', () => {
    expect(linesOf([rowOf('=1+1', 'A', 0), rowOf('a,"b', 'A', 0)]).slice(1, 3)).toEqual([
      "'=1+1,A,1,1970-01-01T00:00:00.000Z,1970-01-01T00:00:00.000Z",
      '"a,""b",A,1,1970-01-01T00:00:00.000Z,1970-01-01T00:00:00.000Z',
    ]);
  });

  it('counts users beyond 100,000 together', () => {
    function* rows() {
      for (let index = 0; index < 100_002; index += 1) yield rowOf(`user ${index}`, 'A', 0);
      yield rowOf('user 7', 'A', 0);
    }
    const lines = linesOf(rows());
    expect(lines.filter((line) => /^(?:\(other users\)|user 7),/.test(line)).map((line) => line.split(',')[2])).toEqual(
      ['2', '2'],
    );
    expect(lines).toHaveLength(100_003);
  });
});
