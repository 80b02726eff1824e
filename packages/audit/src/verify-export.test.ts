import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { SealVersion } from '@sluice/contract';
import { recordWith } from '../testing/sealed-log.ts';
import { hexOf } from './byte-encodings.ts';
import { canonicalJson } from './canonical-json.ts';
import { csvCells, csvRecords } from './csv-cells.ts';
import { EXPORT_FORMATS, signExport } from './export-format.ts';
import { splitLines } from './export-lines.ts';
import { type ExportRow, exportColumns } from './export-row.ts';
import { chainHash, genesisHash, type SealedRecord, sealedText } from './sealed-record.ts';
import { createAuditSigner, trustedKeys } from './signing-key.ts';
import { verifyExport } from './verify-export.ts';

const signer = createAuditSigner(Buffer.alloc(32, 3));
const keys = trustedKeys([signer.publicKey]);
const TENANT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const STRINGS = ['ann@example.com', '=1+1', "'=1+1", "''", "O'Hara", '+49 30', '-', '@SUM(A1)', '\t', 'a,"b"\n=c', ''];

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

/** Creates a chain of records with these strings. */
const chain = (version: SealVersion): ExportRow[] => chainOf(STRINGS.map(recordOf), version);

function chainOf(records: readonly SealedRecord[], version: SealVersion): ExportRow[] {
  let previous = genesisHash(TENANT);
  return records.map((record, index) => {
    const hash = chainHash(previous, sealedText(record, index + 1, version));
    const row = {
      record,
      sequence: index + 1,
      version,
      previousHash: hexOf(previous),
      hash: hexOf(hash),
    };
    previous = hash;
    return row;
  });
}

/** Appends the signed last line. The lines have no line ends. */
const signed = (lines: readonly string[], rows: readonly ExportRow[], headHash?: string): string[] => {
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
    head: { sequence, hash: headHash ?? hash },
    issued_ts: 0,
  });
  return [...lines, EXPORT_FORMATS.ndjson.end(end)];
};

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

const findingOf = async (format: 'ndjson' | 'csv', text: string) =>
  (await verifyExport({ format, lines: linesOf(text), keys })).finding;

const csvEnd = (line: string, columns = exportColumns(0)): string =>
  columns
    .map((column) => {
      if (column === 'sequence') return 'end';
      return column === 'metadata' ? `"${line.replaceAll('"', '""')}"` : '';
    })
    .join(',');

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
    return lines.with(-1, csvEnd(lines.at(-1) ?? '', format.head?.split(','))).join('\n');
  };

  it.each([0, 1] as const)(
    'contains no cell that a spreadsheet runs, unless it is raw, and verifies either way (v %s)',
    async (v) => {
      const rows = chain(v);
      const guarded = csvOf('csv', rows);
      const columns = EXPORT_FORMATS.csv.head?.split(',').length ?? 0;
      const cells: (string | undefined)[] = [];
      for await (const record of csvRecords(linesOf(guarded))) cells.push(...csvCells(record));
      expect(cells).toHaveLength((rows.length + 2) * columns);
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

describe('an export as NDJSON', () => {
  const lines = (rows: readonly ExportRow[]): string[] =>
    signed(
      rows.map((row) => EXPORT_FORMATS.ndjson.row(row)),
      rows,
    );
  const rows = chain(1);
  const text = lines(rows).join('\n');

  it('returns what its last line says', async () => {
    const { end, records } = await verifyExport({ format: 'ndjson', lines: linesOf(text), keys });
    expect([records, end?.records, end?.head.sequence]).toEqual([rows.length, rows.length, rows.length]);
  });

  it.each(['\n', `\n${lines(rows)[0]}`, `\n${lines(rows).at(-1)}`])(
    'finds text after the last line (%j)',
    async (more) => {
      expect(await findingOf('ndjson', text + more)).toMatchObject({
        kind: 'inserted',
        reason: expect.stringContaining('follows'),
      });
    },
  );

  it('names a record behind the end of the chain, and two records of which one was altered', async () => {
    const [end = ''] = lines(rows).slice(-1);
    const forged = { ...(rows.at(-1) as ExportRow), sequence: rows.length + 1, previousHash: rows.at(-1)?.hash ?? '' };
    const hash = chainHash(Buffer.from(forged.previousHash, 'hex'), sealedText(forged.record, forged.sequence, 1));
    const more = [...lines(rows).slice(0, -1), EXPORT_FORMATS.ndjson.row({ ...forged, hash: hexOf(hash) }), end];
    expect(await findingOf('ndjson', more.join('\n'))).toMatchObject({ kind: 'inserted', sequence: rows.length + 1 });
    const row = rows[2] as ExportRow;
    const other = { ...row, record: { ...row.record, user: 'eve@example.com' } };
    const rehashed = hexOf(chainHash(Buffer.from(row.previousHash, 'hex'), sealedText(other.record, 3, 1)));
    const changed = lines(rows).with(2, EXPORT_FORMATS.ndjson.row({ ...other, hash: rehashed }));
    expect(await findingOf('ndjson', changed.join('\n'))).toMatchObject({
      kind: 'altered',
      sequence: 4,
      reason: 'It does not continue from record 3: one of the two was altered.',
    });
  });

  it('finds a chain that was computed again from an altered record on', async () => {
    const forged = chainOf(
      STRINGS.map((text, index) => recordOf(index === 2 ? 'eve@example.com' : text, index)),
      1,
    );
    const { hash } = rows.at(-1) as ExportRow;
    const resigned = signed(forged.map(EXPORT_FORMATS.ndjson.row), forged, hash);
    expect(await findingOf('ndjson', resigned.join('\n'))).toMatchObject({
      kind: 'altered',
      sequence: rows.length,
      reason: expect.stringContaining('sealed with another hash'),
    });
  });

  it('rejects a last line with more than its signature covers, and one that was signed for something else', async () => {
    expect(await findingOf('ndjson', text.replace('{"type":"end"', '{"type":"end","note":"x"'))).toBeDefined();
    const payload = JSON.stringify({ kind: 'evidence', filter: {} });
    const other = { payload, keyId: signer.keyId, signature: signer.sign(payload) };
    const replayed = lines(rows).with(-1, EXPORT_FORMATS.ndjson.end(other));
    expect(await findingOf('ndjson', replayed.join('\n'))).toMatchObject({
      reason: expect.stringContaining('something else'),
    });
    const noJson = { ...other, payload: 'x', signature: signer.sign('x') };
    expect(await findingOf('ndjson', EXPORT_FORMATS.ndjson.end(noJson))).toMatchObject({ kind: 'altered' });
  });

  it('finds bytes that are not UTF-8, and a line without an end', async () => {
    const read = async (chunks: readonly Uint8Array[]) => {
      const source = async function* () {
        yield* chunks;
      };
      return (await verifyExport({ format: 'ndjson', lines: splitLines(source()), keys })).finding;
    };
    expect(await read([Buffer.from(text)])).toBeUndefined();
    expect(await read([Buffer.from([0xff]), Buffer.from(text)])).toMatchObject({
      reason: expect.stringContaining('UTF-8'),
    });
    expect(await read(Array(70).fill(Buffer.alloc(1024 * 1024, 'x')))).toMatchObject({
      reason: expect.stringContaining('longer than any record'),
    });
  });
});
