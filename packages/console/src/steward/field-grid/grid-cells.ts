import { readList, writeList } from '@sluice/contract/metadata-files';
import { type EditableValue, type EnteredValue, propertyKey } from '../metadata-edit.ts';

/** Columns that a user changes, from left to right. */
export const GRID_COLUMNS = ['description', 'tags'] as const;
export type GridColumn = (typeof GRID_COLUMNS)[number];

/** Cell by its positions among the shown fields and `GRID_COLUMNS`. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Selected cells; all edges are part of them. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Changes of a paste, or why the cells do not fit below and beside the selected cell. */
export type PasteResult =
  | { readonly kind: 'changes'; readonly changes: readonly EnteredValue[] }
  | { readonly kind: 'too long'; readonly rows: number; readonly fit: number }
  | { readonly kind: 'too wide'; readonly columns: number; readonly fit: number };

/** Returns the cells between two corners. */
export const rangeOf = (one: CellPosition, other: CellPosition): CellRange => ({
  top: Math.min(one.row, other.row),
  bottom: Math.max(one.row, other.row),
  left: Math.min(one.column, other.column),
  right: Math.max(one.column, other.column),
});

/** Returns the key of the property that a cell shows. */
export const keyOfCell = (fields: readonly string[], { row, column }: CellPosition): string =>
  propertyKey(fields[row] ?? '', GRID_COLUMNS[column] ?? 'description');

/** Returns the tags of a text as metadata files have them: with `;` between two. A backslash that escapes nothing is part of a tag. */
function readTags(text: string): readonly string[] {
  const read = readList(text) ?? [];
  const tags = 'fault' in read ? text.split(';') : read;
  const trimmed = tags.flatMap((tag) => tag.split('\n')).map((tag) => tag.trim());
  const keys = trimmed.map((tag) => tag.toLowerCase());
  return trimmed.filter((tag, index) => tag !== '' && keys.indexOf(tag.toLowerCase()) === index);
}

/** Returns the text of a value, for the clipboard and for the field in a cell. */
export const textOfValue = (value: EditableValue): string =>
  typeof value === 'string' ? value : value.length === 0 ? '' : writeList(value);

/** Returns the value of a text in a column. */
export const valueOfText = (column: GridColumn, text: string): EditableValue =>
  column === 'tags' ? readTags(text) : text;

function* cellsOf({ top, bottom, left, right }: CellRange): Generator<CellPosition> {
  for (let row = top; row <= bottom; row += 1)
    for (let column = left; column <= right; column += 1) yield { row, column };
}

const changeOf = (fields: readonly string[], cell: CellPosition, text: string): EnteredValue => ({
  key: keyOfCell(fields, cell),
  mine: valueOfText(GRID_COLUMNS[cell.column] ?? 'description', text),
});

/**
 * Returns what pasted cells change, from the first selected cell on. A single pasted cell fills all selected cells.
 * @param rowsMax - further rows are left out. Undefined: nothing is pasted unless all rows fit
 */
export function pasteCells(
  fields: readonly string[],
  range: CellRange,
  cells: readonly (readonly string[])[],
  rowsMax?: number,
): PasteResult {
  const columns = cells.slice(0, rowsMax).reduce((widest, row) => Math.max(widest, row.length), 0);
  const [only] = cells[0] ?? [];
  if (cells.length === 1 && columns === 1 && only !== undefined)
    return { kind: 'changes', changes: [...cellsOf(range)].map((cell) => changeOf(fields, cell, only)) };
  const columnsFit = GRID_COLUMNS.length - range.left;
  if (columns > columnsFit) return { kind: 'too wide', columns, fit: columnsFit };
  const rowsFit = fields.length - range.top;
  if (rowsMax === undefined && cells.length > rowsFit) return { kind: 'too long', rows: cells.length, fit: rowsFit };
  const changes = cells
    .slice(0, rowsMax ?? rowsFit)
    .flatMap((row, index) =>
      row.map((text, offset) => changeOf(fields, { row: range.top + index, column: range.left + offset }, text)),
    );
  return { kind: 'changes', changes };
}

/**
 * Returns the changes that give each selected cell the value of the first one of its column. In a selection of one row, that is the cell
 * above it.
 */
export function fillDown(
  fields: readonly string[],
  range: CellRange,
  readValue: (key: string) => EditableValue,
): readonly EnteredValue[] {
  const source = range.top === range.bottom ? range.top - 1 : range.top;
  if (source < 0) return [];
  return [...cellsOf({ ...range, top: source + 1 })].map((cell) => ({
    key: keyOfCell(fields, cell),
    mine: readValue(keyOfCell(fields, { row: source, column: cell.column })),
  }));
}

/** Returns the changes that empty the selected cells. */
export const clearCells = (fields: readonly string[], range: CellRange): readonly EnteredValue[] =>
  [...cellsOf(range)].map((cell) => changeOf(fields, cell, ''));

/** Returns the texts of the selected cells, for the clipboard. */
export const textsOf = (
  fields: readonly string[],
  range: CellRange,
  readValue: (key: string) => EditableValue,
): readonly (readonly string[])[] =>
  Array.from({ length: range.bottom - range.top + 1 }, (_, row) =>
    Array.from({ length: range.right - range.left + 1 }, (_each, column) =>
      textOfValue(readValue(keyOfCell(fields, { row: range.top + row, column: range.left + column }))),
    ),
  );
