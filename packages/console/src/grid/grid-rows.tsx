import type { ResultView } from '../result/result-view.ts';
import type { ColumnLayout } from './column-layout.ts';
import { GridRow } from './grid-row.tsx';
import type { GridSelection, SelectedRange } from './grid-selection.ts';
import type { GridWindow } from './use-grid-scroll.ts';

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

/** Rows in the window. An element is used again for the row that takes its place, so scrolling only changes text. */
export function GridRows(props: GridRowsProps) {
  const { view, order, window, layout, gridId, selection, range, rowHeight } = props;
  const last = Math.min(window.rows.last, props.rows);
  const rows = [];
  for (let row = window.rows.first; row < last; row += 1) {
    const isSelected = row >= range.firstRow && row < range.lastRow;
    rows.push(
      <GridRow
        key={row % window.slots}
        view={view}
        layout={layout}
        gridId={gridId}
        row={row}
        source={order === undefined ? row : (order[row] as number)}
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
