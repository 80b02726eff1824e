import { csvText, FORMULA_STARTS } from '@sluice/encoders';
import { canonicalJson } from './canonical-json.ts';
import { csvCells } from './csv-cells.ts';
import {
  cellOfJson,
  EXPORT_COLUMNS,
  EXPORT_COLUMNS_V0,
  type ExportRow,
  jsonOfCell,
  membersOf,
  membersOfLine,
  rowOf,
  rowText,
  withTexts,
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
  /** Heads that exports of before may have. */
  readonly oldHeads: readonly string[];
  row(row: ExportRow): string;
  end(signed: SignedPayload): string;
  /** Reads a line. Throws SyntaxError for what neither `row` nor `end` writes. */
  read(line: string): ExportRow | SignedPayload;
  /** A row that was read, without the marks that guard a spreadsheet; undefined where the format has none. */
  withoutGuard?(row: ExportRow): ExportRow;
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
  oldHeads: [],
  row: rowText,
  end: endText,
  read: (line) => (line.startsWith('{"type":"end"') ? endOf(line) : rowOf(membersOfLine(line))),
};

const END_CELL = 'end';

const csvCell = (value: string | undefined): string => (value === undefined ? '' : csvText(value, 'keep'));

/** A text that begins with a mark gets one too, so that taking one off is exact. */
const GUARDED_STARTS: readonly string[] = ["'", ...FORMULA_STARTS];

const guard = (text: string): string => (GUARDED_STARTS.some((start) => text.startsWith(start)) ? `'${text}` : text);
const withoutGuard = (text: string): string => (text.startsWith("'") ? text.slice(1) : text);

const csv = (write: (text: string) => string): ExportFormat => ({
  mediaType: 'text/csv',
  extension: 'csv',
  head: EXPORT_COLUMNS.join(','),
  oldHeads: [EXPORT_COLUMNS_V0.join(',')],
  row(row) {
    const members = new Map(membersOf(withTexts(row, write)));
    return EXPORT_COLUMNS.map((column) => csvCell(cellOfJson(column, members.get(column)))).join(',');
  },
  end: (signed) =>
    EXPORT_COLUMNS.map((column) => {
      if (column === 'sequence') return END_CELL;
      return column === 'metadata' ? csvCell(endText(signed)) : '';
    }).join(','),
  read(line) {
    const cells = csvCells(line);
    const columns = [EXPORT_COLUMNS, EXPORT_COLUMNS_V0].find(({ length }) => length === cells.length);
    if (columns === undefined) throw new SyntaxError('cells are missing or too many');
    if (cells[0] === END_CELL) return endOf(cells[EXPORT_COLUMNS.indexOf('metadata')] ?? '');
    const members = new Map(columns.map((column, index) => [column, jsonOfCell(column, cells[index])]));
    if (members.get('v') === '') members.delete('v');
    return rowOf(members);
  },
  withoutGuard: (row) => withTexts(row, withoutGuard),
});

/** CSV puts an apostrophe before texts that a spreadsheet would run, as `excel_safe` does; `raw_csv` holds the exact texts. */
export const EXPORT_FORMATS = { ndjson, csv: csv(guard), raw_csv: csv((text) => text) } as const;

export const signExport = (signer: AuditSigner, payload: ExportPayload): SignedPayload => {
  const text = canonicalJson(JSON.stringify(payload));
  return { payload: text, keyId: signer.keyId, signature: signer.sign(text) };
};
