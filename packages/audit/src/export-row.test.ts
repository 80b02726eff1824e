import { describe, expect, it } from '@jest/globals';
import { SEAL_VERSIONS } from '@sluice/contract/audit-fields';
import fc from 'fast-check';
import { sampleRecord } from '../testing/sealed-log.ts';
import { canonicalJson } from './canonical-json.ts';
import {
  cellOfJson,
  type ExportRow,
  exportColumns,
  membersOf,
  membersOfCells,
  membersOfLine,
  rowOf,
  rowText,
} from './export-row.ts';
import { SEAL_VERSION } from './sealed-record.ts';

const record = { ...sampleRecord(2), metadata: canonicalJson(sampleRecord(2).metadata) };
const row: ExportRow = { record, sequence: 3, version: SEAL_VERSION, previousHash: 'ab', hash: 'cd' };

/** The row with other strings of the user. */
const anyRow = fc
  .string({ unit: 'binary' })
  .map((user) => ({ ...row, record: { ...record, user: user.toWellFormed() } }));

describe('an exported row', () => {
  it('round-trips as a JSON line and as CSV cells', () => {
    fc.assert(
      fc.property(anyRow, (one) => {
        expect(rowOf(membersOfLine(rowText(one)))).toEqual(one);
        const members = membersOf(one);
        const cells = members.map(([name, json]) => cellOfJson(name, json));
        const columns = members.map(([name]) => name);
        expect(rowOf(membersOfCells(columns, cells))).toEqual(one);
      }),
    );
  });

  it('whose sequence a number would round is malformed', () => {
    const members = new Map(membersOfLine(rowText(row)));
    members.set('sequence', '9007199254740993');
    expect(() => rowOf(members)).toThrow('sequence is too large');
  });

  it('of an older version reads from the columns of the newest, with empty cells', () => {
    const old = { ...row, version: 0 } as const;
    const members = new Map(membersOf(old));
    const columns = exportColumns(SEAL_VERSION);
    const cells = columns.map((name) => cellOfJson(name, members.get(name)));
    expect(rowOf(membersOfCells(columns, cells))).toMatchObject({ version: 0, sequence: 3, hash: 'cd' });
  });

  it('has the columns of the version before, and appends its own', () => {
    for (const version of SEAL_VERSIONS.slice(1)) {
      const before = exportColumns((version - 1) as typeof version);
      expect(exportColumns(version).slice(0, before.length)).toEqual(before);
    }
  });

  it.each<readonly [string, string | undefined]>([
    ['sequence', '1.5'],
    ['sequence', undefined],
    ['timestamp', '1'],
    ['v', '999'],
    ['user', '7'],
    ['hash', 'null'],
    ['metadata', undefined],
  ])('is rejected with %s = %s', (name, json) => {
    const members = membersOfLine(rowText(row));
    if (json === undefined) members.delete(name);
    else members.set(name, json);
    expect(() => rowOf(members)).toThrow(SyntaxError);
  });

  it('is rejected with a member that its version does not have', () => {
    const members = membersOfLine(rowText(row));
    expect(() => rowOf(members.set('more', '1'))).toThrow(SyntaxError);
  });
});
