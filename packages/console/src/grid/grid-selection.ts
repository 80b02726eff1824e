/** Cell by position. Row -1 is the header. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export interface GridBounds {
  readonly rows: number;
  readonly columns: number;
}

/** Selected rectangle between `anchor` and `active`, extended to whole rows or columns. The keyboard moves `active`. */
export interface GridSelection {
  readonly shape: 'cells' | 'rows' | 'columns' | 'all';
  readonly anchor: CellPosition;
  readonly active: CellPosition;
}

export type SelectionAction =
  /** Moves the active cell; `extend` keeps the anchor. */
  | { readonly type: 'move'; readonly to: CellPosition; readonly extend: boolean }
  | { readonly type: 'selectRow'; readonly row: number; readonly extend: boolean }
  | { readonly type: 'selectColumn'; readonly column: number; readonly extend: boolean }
  | { readonly type: 'selectAll' };

/** Rows and columns of a selection; the ends are exclusive. */
export interface SelectedRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

const ORIGIN: CellPosition = { row: 0, column: 0 };
export const NO_SELECTION: GridSelection = { shape: 'cells', anchor: ORIGIN, active: ORIGIN };

const within = (value: number, min: number, count: number): number => Math.max(min, Math.min(value, count - 1));

function clampPosition({ row, column }: CellPosition, bounds: GridBounds): CellPosition {
  return { row: within(row, -1, bounds.rows), column: within(column, 0, bounds.columns) };
}

/** Returns the selection after an action. Positions outside of the bounds become the nearest ones inside. */
export function reduceSelection(selection: GridSelection, action: SelectionAction, bounds: GridBounds): GridSelection {
  const next = ACTIONS[action.type](selection, action as never);
  return { ...next, anchor: clampPosition(next.anchor, bounds), active: clampPosition(next.active, bounds) };
}

type ActionOf<Type extends SelectionAction['type']> = Extract<SelectionAction, { type: Type }>;

const ACTIONS: { [Type in SelectionAction['type']]: (from: GridSelection, action: ActionOf<Type>) => GridSelection } = {
  move: (from, { to, extend }) => ({
    shape: extend && from.shape !== 'all' ? from.shape : 'cells',
    anchor: extend ? from.anchor : to,
    active: to,
  }),
  selectRow: (from, { row, extend }) => ({
    shape: 'rows',
    anchor: extend ? { row: from.anchor.row, column: 0 } : { row, column: 0 },
    active: { row, column: from.active.column },
  }),
  selectColumn: (from, { column, extend }) => ({
    shape: 'columns',
    anchor: extend ? { row: 0, column: from.anchor.column } : { row: 0, column },
    active: { row: from.active.row, column },
  }),
  selectAll: (from) => ({ ...from, shape: 'all' }),
};

/** Returns the rows and columns of a selection. Header cells are not part of it. */
export function selectedRange({ shape, anchor, active }: GridSelection, bounds: GridBounds): SelectedRange {
  const allRows = shape === 'columns' || shape === 'all';
  const allColumns = shape === 'rows' || shape === 'all';
  const firstRow = Math.max(0, Math.min(anchor.row, active.row));
  const lastRow = Math.max(anchor.row, active.row) + 1;
  return {
    firstRow: allRows ? 0 : firstRow,
    lastRow: allRows ? bounds.rows : Math.min(lastRow, bounds.rows),
    firstColumn: allColumns ? 0 : Math.min(anchor.column, active.column),
    lastColumn: allColumns ? bounds.columns : Math.min(Math.max(anchor.column, active.column) + 1, bounds.columns),
  };
}

/** Returns how many cells a range has. */
export const cellCount = ({ firstRow, lastRow, firstColumn, lastColumn }: SelectedRange): number =>
  Math.max(0, lastRow - firstRow) * Math.max(0, lastColumn - firstColumn);
