import { fullText } from './cell-text.ts';
import { columnKind, isOrdered } from './column-kind.ts';
import type { ResultView } from './result-view.ts';
import { sortKey } from './sort-key.ts';

export interface SortOrder {
  readonly column: number;
  readonly direction: 'ascending' | 'descending';
}

/** Comparison of a filter. `contains` ignores case; the others compare by the type of the column. */
export type FilterOperator =
  | 'contains'
  | 'equals'
  | 'differs'
  | 'less'
  | 'atMost'
  | 'greater'
  | 'atLeast'
  | 'isNull'
  | 'isNotNull';

export interface RowFilter {
  readonly column: number;
  readonly operator: FilterOperator;
  /** Text to compare with, as the grid shows values. Ignored by `isNull` and `isNotNull`. */
  readonly value: string;
}

/** Choice of the rows in memory that are shown, and their order. */
export interface RowSelection {
  readonly sort: SortOrder | undefined;
  readonly filters: readonly RowFilter[];
  /** Text that one of the cells of a row contains, ignoring case. Empty: all rows. */
  readonly search: string;
}

export const ALL_ROWS: RowSelection = { sort: undefined, filters: [], search: '' };

/** Returns whether a selection shows all rows in the order of their arrival. */
export const showsAllRows = ({ sort, filters, search }: RowSelection): boolean =>
  sort === undefined && filters.length === 0 && search === '';

/** Called between pieces of work. Resolves when the thread was free for a moment, and rejects to give up. */
type Pause = () => Promise<void> | undefined;

/** Rows between two calls of `pause`. */
const SLICE_ROWS = 512;

/**
 * Returns the indexes of the rows that a selection shows, in its order. Rows with the same value keep the order of their arrival, and
 * NULL comes last in both directions.
 * @throws TypeError if the type of the column has no order here
 */
export async function orderRows(view: ResultView, selection: RowSelection, pause: Pause): Promise<Uint32Array> {
  const rows = await filterRows(view, selection, pause);
  return selection.sort === undefined ? rows : await sortRows(view, rows, selection.sort, pause);
}

async function filterRows(view: ResultView, { filters, search }: RowSelection, pause: Pause): Promise<Uint32Array> {
  const tests = filters.map((filter) => createTest(view, filter));
  const matches = createSearch(view, search);
  const kept = new Uint32Array(view.loadedRows);
  let count = 0;
  for (let row = 0; row < view.loadedRows; row += 1) {
    if (row % SLICE_ROWS === 0) await pause();
    if (!tests.every((test) => test(row)) || !matches(row)) continue;
    kept[count] = row;
    count += 1;
  }
  return kept.slice(0, count);
}

type RowTest = (row: number) => boolean;

const contains = (json: string, needle: string): boolean =>
  json !== 'null' && fullText(json).toLowerCase().includes(needle);

function createSearch(view: ResultView, search: string): RowTest {
  if (search === '') return () => true;
  const needle = search.toLowerCase();
  return (row) => view.columns.some((_column, column) => contains(view.cell(row, column), needle));
}

const COMPARISONS: Readonly<
  Record<Exclude<FilterOperator, 'contains' | 'isNull' | 'isNotNull'>, (key: string, value: string) => boolean>
> = {
  equals: (key, value) => key === value,
  differs: (key, value) => key !== value,
  less: (key, value) => key < value,
  atMost: (key, value) => key <= value,
  greater: (key, value) => key > value,
  atLeast: (key, value) => key >= value,
};

function createTest(view: ResultView, { column, operator, value }: RowFilter): RowTest {
  if (operator === 'isNull') return (row) => view.cell(row, column) === 'null';
  if (operator === 'isNotNull') return (row) => view.cell(row, column) !== 'null';
  if (operator === 'contains') {
    const needle = value.toLowerCase();
    return (row) => contains(view.cell(row, column), needle);
  }
  const kind = columnKind(view.columns[column]?.type ?? '');
  const compare = COMPARISONS[operator];
  const limit = sortKey(kind, JSON.stringify(value)) ?? '';
  return (row) => {
    const key = sortKey(kind, view.cell(row, column));
    // As in SQL, NULL is neither equal to a value nor different from it.
    return key !== undefined && compare(key, limit);
  };
}

/** Sorts indexes by merging runs, which can pause at any row and keeps equal rows in their order. */
async function sortRows(view: ResultView, rows: Uint32Array, sort: SortOrder, pause: Pause): Promise<Uint32Array> {
  const kind = columnKind(view.columns[sort.column]?.type ?? '');
  if (!isOrdered(kind)) throw new TypeError(`Values of the type ${view.columns[sort.column]?.type} cannot be sorted.`);
  const keys = new Array<string | undefined>(rows.length);
  for (let index = 0; index < rows.length; index += 1) {
    if (index % SLICE_ROWS === 0) await pause();
    keys[index] = sortKey(kind, view.cell(rows[index] as number, sort.column));
  }
  const sorted = await mergeSort(keys, sort.direction === 'ascending' ? 1 : -1, pause);
  return sorted.map((index) => rows[index] as number);
}

function isInOrder(first: string | undefined, second: string | undefined, sign: 1 | -1): boolean {
  if (first === undefined) return second === undefined;
  if (second === undefined || first === second) return true;
  return first < second === (sign === 1);
}

async function mergeSort(keys: readonly (string | undefined)[], sign: 1 | -1, pause: Pause): Promise<Uint32Array> {
  let from = Uint32Array.from({ length: keys.length }, (_, index) => index);
  let to = new Uint32Array(keys.length);
  for (let width = 1; width < keys.length; width *= 2) {
    let sinceLastPause = 0;
    for (let start = 0; start < keys.length; start += width * 2) {
      const middle = Math.min(start + width, keys.length);
      const end = Math.min(start + width * 2, keys.length);
      let [left, right] = [start, middle];
      for (let index = start; index < end; index += 1) {
        sinceLastPause += 1;
        if (sinceLastPause >= SLICE_ROWS) {
          sinceLastPause = 0;
          await pause();
        }
        const takesLeft =
          right >= end || (left < middle && isInOrder(keys[from[left] as number], keys[from[right] as number], sign));
        to[index] = from[takesLeft ? left++ : right++] as number;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
