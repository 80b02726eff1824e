import { csvText } from '@sluice/encoders';
import { canonicalJson } from './canonical-json.ts';
import { csvCells } from './csv-cells.ts';
import {
  cellOfJson,
  EXPORT_COLUMNS,
  type ExportRow,
  jsonOfCell,
  membersOf,
  membersOfLine,
  rowOf,
  rowText,
} from './export-row.ts';
import type { AuditSigner, SignedPayload } from './signing-key.ts';

/** What the last line of an export signs. */
export interface ExportPayload {
  readonly kind: 'export';
  readonly tenant_id: string;
  /** What it was narrowed to; empty where it is everything. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly records: number;
  /** The first sequence that it could have; null where the chain is empty. */
  readonly from: number | null;
  /** Of all that stands before the last line, lower-case hex. */
  readonly sha256: string;
  /** The end of the chain when the export began. */
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly issued_ts: number;
}

/** How an export is written and read, a line at a time, without the line end. */
export interface ExportFormat {
  readonly mediaType: string;
  readonly extension: string;
  /** Stands before the first row. */
  readonly head: string | undefined;
  row(row: ExportRow): string;
  end(signed: SignedPayload): string;
  /** What a line is. Throws SyntaxError for what neither `row` nor `end` writes. */
  read(line: string): ExportRow | SignedPayload;
}

const endText = ({ payload, keyId, signature }: SignedPayload): string =>
  JSON.stringify({ type: 'end', payload, key_id: keyId, signature: Buffer.from(signature).toString('base64') });

const endOf = (text: string): SignedPayload => {
  const { payload, key_id, signature } = JSON.parse(text) as Record<string, unknown>;
  if (typeof payload !== 'string' || typeof key_id !== 'string' || typeof signature !== 'string') {
    throw new SyntaxError('the last line is not one of ours');
  }
  return { payload, keyId: key_id, signature: Buffer.from(signature, 'base64') };
};

const ndjson: ExportFormat = {
  mediaType: 'application/x-ndjson',
  extension: 'ndjson',
  head: undefined,
  row: rowText,
  end: endText,
  read: (line) => (line.startsWith('{"type":"end"') ? endOf(line) : rowOf(membersOfLine(line))),
};

const END_CELL = 'end';

const csvCell = (value: string | undefined): string => (value === undefined ? '' : csvText(value, 'keep'));

const csv: ExportFormat = {
  mediaType: 'text/csv',
  extension: 'csv',
  head: EXPORT_COLUMNS.join(','),
  row: (row) =>
    membersOf(row)
      .map(([column, json]) => csvCell(cellOfJson(column, json)))
      .join(','),
  end: (signed) =>
    EXPORT_COLUMNS.map((column) => {
      if (column === 'sequence') return END_CELL;
      return column === 'metadata' ? csvCell(endText(signed)) : '';
    }).join(','),
  read(line) {
    const cells = csvCells(line);
    if (cells.length !== EXPORT_COLUMNS.length) throw new SyntaxError('cells are missing or too many');
    if (cells[0] === END_CELL) return endOf(cells[EXPORT_COLUMNS.indexOf('metadata')] ?? '');
    return rowOf(new Map(EXPORT_COLUMNS.map((column, index) => [column, jsonOfCell(column, cells[index])])));
  },
};

export const EXPORT_FORMATS = { ndjson, csv } as const;

export const signExport = (signer: AuditSigner, payload: ExportPayload): SignedPayload => {
  const text = canonicalJson(JSON.stringify(payload));
  return { payload: text, keyId: signer.keyId, signature: signer.sign(text) };
};
