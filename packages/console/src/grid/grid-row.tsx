import { memo, type ReactNode } from 'react';
import { type CellText, cellText } from '../result/cell-text.ts';
import { cellIfHere, type ResultView } from '../result/result-view.ts';
import { TextParts } from '../ui/visible-text.tsx';
import type { ColumnLayout } from './column-layout.ts';
import type { GridSelection, SelectedRange } from './grid-selection.ts';
import type { GridWindow } from './use-grid-scroll.ts';

interface GridRowProps {
  readonly view: ResultView;
  readonly layout: ColumnLayout;
  /** Prefix of the ids of cells. */
  readonly gridId: string;
  /** Position in the order that is shown. */
  readonly row: number;
  /** Index in the view. */
  readonly source: number;
  /** Whether its values are here. A row of a kept result may still be read. */
  readonly isHere: boolean;
  /** Pixel of the scrolled element at which the row begins. */
  readonly top: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** Selected columns of this row; the second one is exclusive. */
  readonly selectedFrom: number;
  readonly selectedTo: number;
  /** Column of the active cell, or -1 if it is in another row. */
  readonly activeColumn: number;
}

/** Returns the id of a cell, which the grid names as its active descendant. */
export const cellId = (gridId: string, row: number, column: number): string => `${gridId}-${row}-${column}`;

const numberFormat = new Intl.NumberFormat(undefined, { useGrouping: false });

function contentOf(view: ResultView, row: number, column: number): ReactNode {
  const json = cellIfHere(view, row, column);
  return json === undefined ? <span className="grid-pending">{PENDING_SIGN}</span> : cellContent(cellText(json));
}

function Row(props: GridRowProps) {
  const { view, layout, gridId, row, source, top, firstColumn, lastColumn, selectedFrom, selectedTo } = props;
  const cells = [];
  for (let column = firstColumn; column < lastColumn; column += 1) {
    const isSelected = column >= selectedFrom && column < selectedTo;
    const classes = ['grid-cell'];
    if (layout.isRight[column]) classes.push('is-right');
    if (isSelected) classes.push('is-selected');
    if (column === props.activeColumn) classes.push('is-active');
    cells.push(
      <div
        key={column}
        // Only the active cell is referred to. Hundreds of ids would change in a frame.
        id={column === props.activeColumn ? cellId(gridId, row, column) : undefined}
        role="gridcell"
        aria-colindex={column + 2}
        aria-selected={isSelected}
        className={classes.join(' ')}
        style={layout.styles[column]}
      >
        {contentOf(view, source, column)}
      </div>,
    );
  }
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-busy={props.isHere ? undefined : true}
      className="grid-row"
      style={{ insetBlockStart: top }}
    >
      <div role="rowheader" aria-colindex={1} className="grid-number">
        {numberFormat.format(source + 1)}
      </div>
      {cells}
    </div>
  );
}

/** A row of the grid. Rows that are here never change, so a longer view of the same result renders none of them again. */
const GridRow = memo(
  Row,
  ({ view, ...before }, { view: nextView, ...next }) =>
    view.columns === nextView.columns &&
    (Object.keys(next) as (keyof typeof next)[]).every((name) => before[name] === next[name]),
);

/** Stands for a value that is still read. */
const PENDING_SIGN = '…';
/** Words of SQL, the same in every language. */
const NULL_SIGN = 'NULL';
const EMPTY_SIGN = '""';

/**
 * Returns what an element shows for the value of a cell. NULL is a word in another style, and the empty string a sign, so that no string looks
 * like them. Plain text is a string rather than a component: the grid replaces hundreds of them in a frame.
 */
function cellContent(cell: CellText): ReactNode {
  if (cell.kind === 'null') return <span className="grid-null">{NULL_SIGN}</span>;
  if (cell.kind === 'empty') return <span className="grid-empty">{EMPTY_SIGN}</span>;
  const [only] = cell.parts;
  if (cell.parts.length === 1 && only !== undefined && only.codePoint === undefined)
    return cell.isShortened ? `${only.text}…` : only.text;
  return (
    <>
      <TextParts parts={cell.parts} />
      {cell.isShortened ? '…' : null}
    </>
  );
}

interface GridRowsProps {
  readonly view: ResultView;
  readonly order: Uint32Array | undefined;
  readonly window: GridWindow;
  readonly layout: ColumnLayout;
  readonly gridId: string;
  readonly selection: GridSelection;
  readonly range: SelectedRange;
  readonly rows: number;
  readonly rowHeight: number;
}

/** Rows in the window. An element is used again for the row that replaces it, so scrolling only changes text. */
export function GridRows(props: GridRowsProps) {
  const { view, order, window, layout, gridId, selection, range, rowHeight } = props;
  const last = Math.min(window.rows.last, props.rows);
  const rows = [];
  for (let row = window.rows.first; row < last; row += 1) {
    const isSelected = row >= range.firstRow && row < range.lastRow;
    const source = order === undefined ? row : (order[row] as number);
    rows.push(
      <GridRow
        key={row % window.slots}
        view={view}
        layout={layout}
        gridId={gridId}
        row={row}
        source={source}
        isHere={source < view.loadedRows || view.pages?.has(source) === true}
        top={row * rowHeight + window.shift}
        firstColumn={window.columns.first}
        lastColumn={Math.min(window.columns.last, view.columns.length)}
        selectedFrom={isSelected ? range.firstColumn : 0}
        selectedTo={isSelected ? range.lastColumn : 0}
        activeColumn={row === selection.active.row ? selection.active.column : -1}
      />,
    );
  }
  return rows;
}
