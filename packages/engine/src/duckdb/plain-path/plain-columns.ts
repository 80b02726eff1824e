import type { DuckDBType } from '@duckdb/node-api';
import type duckdb from '@duckdb/node-bindings';
import type { Column } from '@sluice/contract';
import { type CellStyle, csvText, mayExceedDouble } from '@sluice/encoders';
import { type CellContext, cellExpression } from '../cells/cells.ts';
import { columnAlias } from '../cells/row-expression.ts';
import { nullsOf } from '../rows/raw-chunk.ts';
import { type CellReader, cellReader } from './cell-texts.ts';
import { type CellTexts, varcharTexts } from './varchar-texts.ts';

/** One column of a result on the plain path. */
export interface PlainColumn {
  /** What is selected for it; undefined: the column as it is. */
  readonly sql: string | undefined;
  /** The finished cells of a vector of it, NULLs included. */
  open(vector: duckdb.Vector, rows: number): CellTexts;
}

/** A column whose type this side can read is read as it is; any other is written by the engine, as on the fast path. */
export function plainColumn(
  type: DuckDBType,
  column: Column,
  at: { readonly index: number; readonly context: CellContext },
): PlainColumn {
  const { style, timeZone } = at.context;
  const reader = cellReader(type, timeZone);
  if (reader === undefined) {
    const sql = cellExpression(type, columnAlias(at.index), at.context);
    return { sql, open: (vector, rows) => withNulls({ vector, rows, write: (text) => text, none: '' }, varcharTexts) };
  }
  const write = cellWriter(reader.alphabet, column.type, style);
  const none = style.notation === 'json' ? 'null' : '';
  return { sql: undefined, open: (vector, rows) => withNulls({ vector, rows, write, none }, reader.open) };
}

interface OpenColumn {
  readonly vector: duckdb.Vector;
  readonly rows: number;
  readonly write: (text: string) => string;
  readonly none: string;
}

function withNulls({ vector, rows, write, none }: OpenColumn, open: CellReader['open']): CellTexts {
  const isNull = nullsOf(vector, rows) ?? (() => false);
  const texts = open(vector, rows, isNull);
  return (row) => (isNull(row) ? none : write(texts(row)));
}

/** What the style makes of a value's text; the same as `cellExpression` makes of it in SQL. */
function cellWriter(alphabet: CellReader['alphabet'], type: string, style: CellStyle): (text: string) => string {
  if (style.notation === 'csv') return alphabet === 'free' ? (text) => csvText(text, style.formulas) : (text) => text;
  if (alphabet === 'free') return jsonString;
  if (alphabet === 'double') return (text) => (FINITE.test(text) ? text : `"${text}"`);
  const quoted = alphabet === 'plain' || (style.bigNumbers === 'string' && mayExceedDouble(type));
  return quoted ? (text) => `"${text}"` : (text) => text;
}

const FINITE = /\d/;
/** A backslash with what it escapes, so that a backslash of the text's own is never taken for the beginning of an escape. */
const ESCAPE = /\\(?:u00([0-9a-f]{2})|.)/g;

/** As DuckDB's `to_json` writes it: capital digits in the escapes of control characters. */
function jsonString(text: string): string {
  const json = JSON.stringify(text);
  if (!json.includes('\\u00')) return json;
  return json.replace(ESCAPE, (written: string, digits?: string) =>
    digits === undefined ? written : `\\u00${digits.toUpperCase()}`,
  );
}
