import { SEAL_VERSIONS } from '@sluice/contract/audit-fields';
import { csvText, FORMULA_STARTS } from '@sluice/encoders';
import { base64Of, bytesOfBase64 } from './byte-encodings.ts';
import { canonicalJson } from './canonical-json.ts';
import { csvCells } from './csv-cells.ts';
import {
  cellOfJson,
  type ExportRow,
  exportColumns,
  membersOf,
  membersOfCells,
  membersOfLine,
  rowOf,
  rowText,
  withStrings,
} from './export-row.ts';
import type { AuditSigner } from './signing-key.ts';
import type { SignedPayload } from './trusted-keys.ts';

/** Signed content of the last line of an export. */
export interface ExportPayload {
  readonly kind: 'export';
  readonly tenant_id: string;
  /** Filter of the export; empty for the whole log. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly records: number;
  /** First sequence that the export could contain; null for an empty chain. */
  readonly from: number | null;
  /** SHA-256 of everything before the last line, in lower-case hex. */
  readonly sha256: string;
  /** The end of the chain when the export began. */
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly issued_ts: number;
}

/** Writes and reads an export, one line at a time, without line ends. */
export interface ExportFormat {
  readonly mediaType: string;
  readonly extension: string;
  /** First line of the export. */
  readonly head: string | undefined;
  /** First lines of exports of earlier releases. */
  readonly oldHeads: readonly string[];
  row(row: ExportRow): string;
  end(signed: SignedPayload): string;
  /** Reads a line. Throws SyntaxError for a line that neither `row` nor `end` writes. */
  read(line: string): ExportRow | SignedPayload;
  /** Removes the marks that guard a spreadsheet from a row; absent when the format has none. */
  withoutGuard?(row: ExportRow): ExportRow;
}

const endText = ({ payload, keyId, signature }: SignedPayload): string =>
  JSON.stringify({ type: 'end', payload, key_id: keyId, signature: base64Of(signature) });

const endOf = (text: string): SignedPayload => {
  const { payload, key_id, signature } = JSON.parse(text) as Record<string, unknown>;
  if (typeof payload !== 'string' || typeof key_id !== 'string' || typeof signature !== 'string') {
    throw new SyntaxError('the last line is not a signed end of an export');
  }
  const signed = { payload, keyId: key_id, signature: bytesOfBase64(signature) };
  // The signature covers the payload alone: nothing else may be added to the line.
  if (endText(signed) !== text) throw new SyntaxError('the last line has more than a signed end');
  return signed;
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

/** A string that begins with an apostrophe gets one too, so that removing one is exact. */
const GUARDED_STARTS: readonly string[] = ["'", ...FORMULA_STARTS];

const guard = (text: string): string => (GUARDED_STARTS.some((start) => text.startsWith(start)) ? `'${text}` : text);
const withoutGuard = (text: string): string => (text.startsWith("'") ? text.slice(1) : text);

/** Column that repeats `occurred_us` as ISO 8601 for people. It is not sealed, so it is compared when it is read. */
const TIME_COLUMN = 'time';

const withTime = (columns: readonly string[]): readonly string[] =>
  columns.toSpliced(columns.indexOf('occurred_us') + 1, 0, TIME_COLUMN);

const timeOf = (occurredUs: string): string =>
  `${new Date(Number(occurredUs.slice(0, -3))).toISOString().slice(0, -1)}${occurredUs.slice(-3)}Z`;

/** The first versions were exported without times too. */
const VERSIONS_WITHOUT_TIME = SEAL_VERSIONS.filter((version) => version <= 1);
const VERSIONS_WITH_TIME = SEAL_VERSIONS.filter((version) => version >= 1);

/** Columns of all CSV exports, oldest first. No two have the same number of columns. */
const CSV_LAYOUTS: readonly (readonly string[])[] = [
  ...VERSIONS_WITHOUT_TIME.map(exportColumns),
  ...VERSIONS_WITH_TIME.map((version) => withTime(exportColumns(version))),
];
const CSV_COLUMNS = CSV_LAYOUTS.at(-1) ?? [];

type Cells = readonly (string | undefined)[];

function endOfCells(columns: readonly string[], cells: Cells): SignedPayload {
  const endColumn = columns.indexOf('metadata');
  if (cells.some((cell, index) => cell !== undefined && index !== 0 && index !== endColumn))
    throw new SyntaxError('the last line has more than a signed end');
  return endOf(cells[endColumn] ?? '');
}

function rowOfCells(columns: readonly string[], cells: Cells): ExportRow {
  const time = columns.indexOf(TIME_COLUMN);
  if (time < 0) return rowOf(membersOfCells(columns, cells));
  const row = rowOf(membersOfCells(columns.toSpliced(time, 1), cells.toSpliced(time, 1)));
  if (cells[time] !== timeOf(row.record.occurredUs)) throw new SyntaxError('time is not occurred_us');
  return row;
}

const csv = (write: (text: string) => string): ExportFormat => ({
  mediaType: 'text/csv',
  extension: 'csv',
  head: CSV_COLUMNS.join(','),
  oldHeads: CSV_LAYOUTS.slice(0, -1).map((columns) => columns.join(',')),
  row(row) {
    const members = new Map(membersOf(withStrings(row, write)));
    return CSV_COLUMNS.map((column) =>
      column === TIME_COLUMN ? timeOf(row.record.occurredUs) : csvCell(cellOfJson(column, members.get(column))),
    ).join(',');
  },
  end: (signed) =>
    CSV_COLUMNS.map((column) => {
      if (column === 'sequence') return END_CELL;
      return column === 'metadata' ? csvCell(endText(signed)) : '';
    }).join(','),
  read(line) {
    const cells = csvCells(line);
    const columns = CSV_LAYOUTS.find(({ length }) => length === cells.length);
    if (columns === undefined) throw new SyntaxError('cells are missing or too many');
    return cells[0] === END_CELL ? endOfCells(columns, cells) : rowOfCells(columns, cells);
  },
  withoutGuard: (row) => withStrings(row, withoutGuard),
});

/** `csv` puts an apostrophe before values that a spreadsheet would run, as `excel_safe` does; `raw_csv` holds the exact values. */
export const EXPORT_FORMATS = { ndjson, csv: csv(guard), raw_csv: csv((text) => text) } as const;

export const signExport = (signer: AuditSigner, payload: ExportPayload): SignedPayload => {
  const text = canonicalJson(JSON.stringify(payload));
  return { payload: text, keyId: signer.keyId, signature: signer.sign(text) };
};
