import { describe, expect, it } from '@jest/globals';
import { AUDIT_FIELDS, SEAL_VERSIONS } from '@sluice/contract';
import fc from 'fast-check';
import { recordWith, sampleRecord } from '../testing/sealed-log.ts';
import { EXPORT_FORMATS } from './export-format.ts';
import { type ExportRow, exportColumns } from './export-row.ts';
import type { SealedRecord } from './sealed-record.ts';

const anyText = fc.string({
  unit: fc.constantFrom('a', '"', ',', '\n', '\r', '\t', "'", '=', '+', '-', '@', 'é', '{'),
});
const anyHash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));

/** Record with any value in each field of a version. */
const recordOfVersion = (version: number): fc.Arbitrary<SealedRecord> => {
  const values: Record<string, fc.Arbitrary<string | null>> = {};
  for (const field of AUDIT_FIELDS.filter((known) => known.version <= version)) {
    const { property, kind, isNullable } = field;
    if (kind === 'number') values[property] = fc.integer({ min: 1000, max: 2_000_000_000 }).map((ms) => `${ms}000`);
    else if (kind === 'json') values[property] = anyText.map((text) => JSON.stringify({ text }));
    else values[property] = isNullable ? fc.option(anyText) : anyText;
  }
  return fc.record(values).map((record) => recordWith(record as Partial<SealedRecord>));
};

const rowOfVersion = (version: (typeof SEAL_VERSIONS)[number]): fc.Arbitrary<ExportRow> =>
  fc.record({
    record: recordOfVersion(version),
    sequence: fc.integer({ min: 1, max: 1_000_000 }),
    version: fc.constant(version),
    previousHash: anyHash,
    hash: anyHash,
  });

const anyRow = fc.oneof(...SEAL_VERSIONS.map(rowOfVersion));

describe.each(['ndjson', 'raw_csv', 'csv'] as const)('%s', (name) => {
  const format = EXPORT_FORMATS[name];

  it('reads any row of any version as it was written', () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        const read = format.read(format.row(row)) as ExportRow;
        expect(name === 'csv' ? format.withoutGuard?.(read) : read).toEqual(row);
      }),
    );
  });

  it('reads the signed last line as it was written', () => {
    const signed = { payload: '{"kind":"export"}', keyId: 'key', signature: Buffer.alloc(64, 7) };
    expect(format.read(format.end(signed))).toEqual(signed);
  });

  it.each(['', '{}', 'a,b', '{"type":"end"}'])('throws SyntaxError for %j', (line) => {
    expect(() => format.read(line)).toThrow(SyntaxError);
  });
});

it('never changes the columns of the versions that have been released', () => {
  const common = 'tenant_id,id,record_id,user,action,target,request_id,query_id,session_id,address,user_agent';
  const version0 = `sequence,timestamp,occurred_us,${common},metadata,previous_hash,hash`;
  expect(exportColumns(0).join(',')).toBe(version0);
  expect(exportColumns(1).join(',')).toBe(`${version0},v`);
});

describe('times in csv', () => {
  const { csv } = EXPORT_FORMATS;
  const row: ExportRow = {
    record: { ...sampleRecord(1), occurredUs: '1762326571123456' },
    sequence: 1,
    version: 1,
    previousHash: '00',
    hash: '00',
  };

  it('are ISO 8601 beside the numbers', () => {
    expect(csv.head?.split(',').slice(0, 4)).toEqual(['sequence', 'timestamp', 'occurred_us', 'time']);
    expect(csv.row(row).split(',').slice(0, 4)).toEqual([
      '1',
      '1762326571123',
      '1762326571123456',
      '2025-11-05T07:09:31.123456Z',
    ]);
  });

  it('that differ from the sealed number cannot be read', () => {
    const altered = csv.row(row).replace('T07:09', 'T08:09');
    expect(() => csv.read(altered)).toThrow(new SyntaxError('time is not occurred_us'));
  });

  it('are absent from exports of earlier releases, which are read as before', () => {
    const cells = csv.row(row).split(',').toSpliced(3, 1);
    expect(csv.oldHeads.slice(0, 2)).toEqual([exportColumns(0).join(','), exportColumns(1).join(',')]);
    expect(csv.oldHeads).toHaveLength(SEAL_VERSIONS.length);
    expect(csv.read(cells.join(','))).toEqual(csv.read(csv.row(row)));
  });
});

it('csv starts no cell of text with a character that a spreadsheet takes for a formula', () => {
  const target = fc.tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r'), anyText).map((parts) => parts.join(''));
  fc.assert(
    fc.property(rowOfVersion(1), target, (row, text) => {
      const line = EXPORT_FORMATS.csv.row({ ...row, record: { ...row.record, target: text } });
      const read = EXPORT_FORMATS.csv.read(line) as ExportRow;
      expect(read.record.target).toBe(`'${text}`);
    }),
  );
});
