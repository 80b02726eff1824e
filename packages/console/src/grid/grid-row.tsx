import { memo } from 'react';
import { cellText } from '../result/cell-text.ts';
import type { ResultView } from '../result/result-view.ts';
import { cellContent } from './cell-content.tsx';
import type { ColumnLayout } from './column-layout.ts';

interface GridRowProps {
  readonly view: ResultView;
  readonly layout: ColumnLayout;
  /** Prefix of the ids of cells. */
  readonly gridId: string;
  /** Position in the order that is shown. */
  readonly row: number;
  /** Index in the view. */
  readonly source: number;
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
        {cellContent(cellText(view.cell(source, column)))}
      </div>,
    );
  }
  return (
    <div role="row" aria-rowindex={row + 2} className="grid-row" style={{ insetBlockStart: top }}>
      <div role="rowheader" aria-colindex={1} className="grid-number">
        {numberFormat.format(source + 1)}
      </div>
      {cells}
    </div>
  );
}

/** A row of the grid. Rows of a view never change, so a longer view of the same result renders no row again. */
export const GridRow = memo(
  Row,
  ({ view, ...before }, { view: nextView, ...next }) =>
    view.columns === nextView.columns &&
    (Object.keys(next) as (keyof typeof next)[]).every((name) => before[name] === next[name]),
);
