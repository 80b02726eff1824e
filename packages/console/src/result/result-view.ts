/** Column of a result, as the host names it, such as `{ name: 'price', type: 'decimal(5,2)' }`. */
export interface ResultColumn {
  readonly name: string;
  readonly type: string;
}

/**
 * State of the rows in a view, relative to the whole result.
 * - `streaming`: more may arrive.
 * - `complete`: the host sent all rows, and said so.
 * - `limited`: the host sent all rows up to the limit, and there are more.
 * - `failed`, `cancelled`, `cut`: the rows are the first ones of a result that has no end.
 */
export type Completeness = 'streaming' | 'complete' | 'limited' | 'failed' | 'cancelled' | 'cut';

/**
 * The rows of one execution, by position. Everything that shows, copies, exports or draws rows takes a view, so nothing can show rows
 * without knowing what they are. A view only grows: a row that is there never changes.
 */
export interface ResultView {
  readonly columns: readonly ResultColumn[];
  readonly completeness: Completeness;
  /** Rows that arrived. */
  readonly receivedRows: number;
  /** Rows in memory: the first ones. Fewer than `receivedRows` when the result is larger than the memory set aside for it. */
  readonly loadedRows: number;
  /**
   * Returns the JSON text of a value as the host sent it, such as `250.00`, `"a"` or `null`.
   * @throws RangeError if there is no such row or column
   */
  cell(row: number, column: number): string;
  /** All rows of a kept result of which only the first ones are in memory. Undefined: there are no others to read. */
  readonly pages?: RowPages | undefined;
}

/**
 * Rows of a kept result, which are read from the host when they are shown. Only the grid and its copies use them: everything that needs all
 * rows at once works on those in memory.
 */
export interface RowPages {
  /** Rows of the whole result. */
  readonly rows: number;
  /** Sentence about the last read that failed. Undefined: none did since the last success. */
  readonly failure: string | undefined;
  /** Returns whether a row is here. */
  has(row: number): boolean;
  /** Returns the JSON text of a value, or undefined while its row is not here. */
  cell(row: number, column: number): string | undefined;
  /** Asks for rows that are shown now, from `first` to `last` (exclusive). Replaces what was asked for before. */
  show(first: number, last: number): void;
  /**
   * Returns a view of which these rows are readable, from `first` to `last` (exclusive). They stay so as long as the view is used.
   * @throws SluiceError if they cannot be read
   */
  read(first: number, last: number): Promise<ResultView>;
}

/** Returns the JSON text of a value, or undefined while its row is not here. */
export const cellIfHere = (view: ResultView, row: number, column: number): string | undefined =>
  row < view.loadedRows ? view.cell(row, column) : view.pages?.cell(row, column);

/** Returns the number of rows that a grid shows in the order of their arrival. */
export const reachableRows = ({ loadedRows, pages }: ResultView): number => pages?.rows ?? loadedRows;

/** Returns whether a view holds every row that the statement returns. */
export const holdsWholeResult = (view: ResultView): boolean =>
  view.completeness === 'complete' && view.loadedRows === view.receivedRows;

/** Returns whether a view has the first rows of a result whose other rows the page has not asked for. */
export const holdsFirstRows = ({ completeness }: ResultView): boolean => completeness === 'limited';

/** A view without columns and rows, before the first one arrives. */
export const EMPTY_VIEW: ResultView = {
  columns: [],
  completeness: 'streaming',
  receivedRows: 0,
  loadedRows: 0,
  cell: (row, column) => {
    throw new RangeError(`There is no row ${row} or column ${column}.`);
  },
};

/** Message that says why a view is not the whole result. */
interface IncompleteNote {
  readonly key: `result.note.${Exclude<Completeness, 'complete'> | 'loaded'}`;
  readonly values: { readonly rows: number; readonly loaded: number };
}

/** Returns the message for copies, charts and exports of a view that is not the whole result. Undefined if it is. */
export function incompleteNote(view: ResultView): IncompleteNote | undefined {
  if (holdsWholeResult(view)) return undefined;
  const { completeness, receivedRows: rows, loadedRows: loaded } = view;
  return { key: `result.note.${completeness === 'complete' ? 'loaded' : completeness}`, values: { rows, loaded } };
}
