import type { ResultView } from './result-view.ts';

/** Rows that a grid shows of a view. */
export interface ShownRows {
  /** Indexes of the rows in their order. Undefined: all rows in the order of their arrival. */
  readonly order: Uint32Array | undefined;
  readonly isSorted: boolean;
  readonly isFiltered: boolean;
}

export const ALL_SHOWN: ShownRows = { order: undefined, isSorted: false, isFiltered: false };

/**
 * Returns a view of chosen rows in an order of their own.
 * @param order - indexes of the rows; undefined: all rows in the order of their arrival
 */
export function orderedView(view: ResultView, order: Uint32Array | undefined): ResultView {
  if (order === undefined) return view;
  return {
    columns: view.columns,
    completeness: view.completeness,
    receivedRows: view.receivedRows,
    loadedRows: order.length,
    cell(row, column) {
      const source = order[row];
      if (source === undefined) throw new RangeError(`There is no row ${row}.`);
      return view.cell(source, column);
    },
  };
}
