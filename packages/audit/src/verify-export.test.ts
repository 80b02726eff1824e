import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { SealVersion } from '@sluice/contract';
import { recordWith } from '../testing/sealed-log.ts';
import { canonicalJson } from './canonical-json.ts';
import { csvCells, csvRecords } from './csv-cells.ts';
import { EXPORT_FORMATS, signExport } from './export-format.ts';
import { EXPORT_COLUMNS, type ExportRow, exportColumns } from './export-row.ts';
import { chainHash, genesisHash, type SealedRecord, sealedText } from './sealed-record.ts';
import { createAuditSigner, trustedKeys } from './signing-key.ts';
import { verifyExport } from './verify-export.ts';

const signer = createAuditSigner(Buffer.alloc(32, 3));
const keys = trustedKeys([signer.publicKey]);
const TENANT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const TEXTS = ['ann@example.com', '=1+1', "'=1+1", "''", "O'Hara", '+49 30', '-', '@SUM(A1)', '\t', 'a,"b"\n=c', ''];

const recordOf = (text: string, index: number): SealedRecord =>
  recordWith({
    tenantId: TENANT,
    id: `7c9e6679-7425-40de-944b-${String(index).padStart(12, '0')}`,
    occurredUs: String(1_700_000_000_000_000 + index),
    user: text,
    action: 'LOGIN',
    target: text,
    metadata: '{"n": 9007199254740993}',
    requestId: text,
    userAgent: text,
  });

/** Creates a chain of records with these texts. */
const chain = (version: SealVersion): ExportRow[] => {
  let previous = genesisHash(TENANT);
  return TEXTS.map((text, index) => {
    const record = recordOf(text, index);
    const hash = chainHash(previous, sealedText(record, index + 1, version));
    const row = {
      record,
      sequence: index + 1,
      version,
      previousHash: previous.toString('hex'),
      hash: hash.toString('hex'),
    };
    previous = hash;
    return row;
  });
};

/** Appends the signed last line. The lines have no line ends. */
const signed = (lines: readonly string[], rows: readonly ExportRow[]): string[] => {
  const { sequence, hash } = rows.at(-1) as ExportRow;
  const end = signExport(signer, {
    kind: 'export',
    tenant_id: TENANT,
    filter: {},
    records: rows.length,
    from: 1,
    sha256: createHash('sha256')
      .update(lines.map((line) => `${line}\n`).join(''))
      .digest('hex'),
    head: { sequence, hash },
    issued_ts: 0,
  });
  return [...lines, EXPORT_FORMATS.ndjson.end(end)];
};

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

const findingOf = async (format: 'ndjson' | 'csv', text: string) =>
  (await verifyExport({ format, lines: linesOf(text), keys })).finding;

const csvEnd = (line: string): string => `end,${','.repeat(13)}"${line.replaceAll('"', '""')}",,`;

describe('an export of version 0', () => {
  it('verifies as NDJSON and as CSV', async () => {
    const rows = chain(0);
    const texts = rows.map(({ record, sequence, previousHash, hash }) => ({
      sequence,
      timestamp: 1_700_000_000_000,
      occurred_us: Number(record.occurredUs),
      tenant_id: record.tenantId,
      id: record.id,
      record_id: null,
      user: record.user,
      action: record.action,
      target: record.target,
      request_id: record.requestId,
      query_id: null,
      session_id: null,
      address: null,
      user_agent: record.userAgent,
      metadata: 0,
      previous_hash: previousHash,
      hash,
    }));
    // The hashed text has no version.
    const [first] = rows as [ExportRow];
    const {
      sequence: _sequence,
      timestamp: _timestamp,
      previous_hash: _previous,
      hash: _hash,
      ...members
    } = texts[0] ?? {};
    const plain = JSON.stringify({ ...members, sequence: 1 }).replace(
      '"metadata":0',
      '"metadata":{"n": 9007199254740993}',
    );
    expect(createHash('sha256').update(genesisHash(TENANT)).update(canonicalJson(plain)).digest('hex')).toBe(
      first.hash,
    );

    const lines = texts.map((row) => JSON.stringify(row).replace('"metadata":0', '"metadata":{"n": 9007199254740993}'));
    expect(await findingOf('ndjson', signed(lines, rows).join('\n'))).toBeUndefined();

    const cell = (value: unknown) => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`);
    const head = Object.keys(texts[0] ?? {}).join(',');
    const csv = texts.map((row) =>
      Object.entries(row)
        .map(([name, value]) => {
          if (name === 'metadata') return '"{""n"": 9007199254740993}"';
          return typeof value === 'number' ? String(value) : cell(value);
        })
        .join(','),
    );
    const csvLines = signed([head, ...csv], rows);
    const text = csvLines.with(-1, csvEnd(csvLines.at(-1) ?? '')).join('\n');
    expect(await findingOf('csv', text)).toBeUndefined();
    expect(await findingOf('csv', text.replace('+49', '+48'))).toMatchObject({ kind: 'altered', sequence: 6 });
  });
});

describe('an export as CSV', () => {
  const csvOf = (name: 'csv' | 'raw_csv', rows: readonly ExportRow[]): string => {
    const format = EXPORT_FORMATS[name];
    const lines = signed([format.head ?? '', ...rows.map((row) => format.row(row))], rows);
    const laterColumns = ','.repeat(EXPORT_COLUMNS.length - exportColumns(0).length);
    return lines.with(-1, csvEnd(lines.at(-1) ?? '') + laterColumns).join('\n');
  };

  it.each([0, 1] as const)(
    'contains no cell that a spreadsheet runs, unless it is raw, and verifies either way (v %s)',
    async (v) => {
      const rows = chain(v);
      const guarded = csvOf('csv', rows);
      const cells: (string | undefined)[] = [];
      for await (const record of csvRecords(linesOf(guarded))) cells.push(...csvCells(record));
      expect(cells).toHaveLength((rows.length + 2) * EXPORT_COLUMNS.length);
      expect(cells.filter((text) => text !== undefined && /^[=+\-@\t\r]/.test(text))).toEqual([]);
      expect(guarded).toContain("'=1+1");
      expect(guarded).toContain("''=1+1");
      expect(guarded).toContain("O'Hara");
      expect(await findingOf('csv', guarded)).toBeUndefined();
      const raw = csvOf('raw_csv', rows);
      expect(raw).toContain(',=1+1,');
      expect(await findingOf('csv', raw)).toBeUndefined();
    },
  );

  it('does not verify after a guard mark was removed', async () => {
    const text = csvOf('csv', chain(1)).replace("'+49", '49');
    expect(await findingOf('csv', text)).toMatchObject({ kind: 'altered', sequence: 6 });
  });
});
