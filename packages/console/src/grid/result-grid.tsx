import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useMemo, useState } from 'react';
import type { ResultView } from '../result/result-view.ts';
import type { SortOrder } from '../result/row-order.ts';
import { readGridSizes, useColumnLayout } from './column-layout.ts';
import { GridHeader } from './grid-header.tsx';
import { commandOf } from './grid-keyboard.ts';
import { cellId, GridRows } from './grid-row.tsx';
import { type GridSelection, reduceSelection, type SelectionAction, selectedRange } from './grid-selection.ts';
import { type IndexRange, rowsPerPage, scrolledHeight } from './grid-window.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { useGridScroll } from './use-grid-scroll.ts';
import './grid.css';

interface ResultGridProps {
  readonly gridRef: RefObject<HTMLDivElement | null>;
  readonly view: ResultView;
  /** Index in the view of each row that is shown. Undefined: all rows in the order of their arrival. */
  readonly order: Uint32Array | undefined;
  readonly selection: GridSelection;
  readonly onSelect: (selection: GridSelection) => void;
  readonly sort: SortOrder | undefined;
  readonly onSort: (column: number) => void;
  /** Copies the selected cells. */
  readonly onCopy: () => void;
  /** Shows the whole value of the active cell. */
  readonly onOpen: () => void;
  readonly label: string;
  /** Name of the column of row numbers. */
  readonly numberLabel: string;
}

const isWithin = (index: number, { first, last }: IndexRange): boolean => index >= first && index < last;

/**
 * Grid of a result, with the keys of the ARIA grid pattern. Only the rows and columns in the viewport are elements. The grid itself has
 * the focus and names its active cell, so scrolling never takes the focus away.
 */
export function ResultGrid(props: ResultGridProps) {
  const { gridRef: scroller, view, order, selection, onSelect } = props;
  const gridId = useId();
  const [sizes] = useState(readGridSizes);
  const { rowHeight, headerHeight, gutter } = sizes;
  const rows = order?.length ?? view.keptRows;
  const bounds = useMemo(() => ({ rows, columns: view.columns.length }), [rows, view.columns]);
  const { layout, widths, setWidth, fit } = useColumnLayout(view, sizes);
  const scroll = useGridScroll({ scroller, layout, rows, rowHeight, headerHeight, gutter });
  const { window, showCell, showFirst } = scroll;
  const range = selectedRange(selection, bounds);
  const { active } = selection;

  const apply = useCallback(
    (action: SelectionAction) => {
      const next = reduceSelection(selection, action, bounds);
      onSelect(next);
      if (action.type !== 'selectAll') showCell(next.active.row, next.active.column);
    },
    [selection, bounds, onSelect, showCell],
  );
  // Another result, or another order of this one, begins at its first row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => showFirst(), [view.columns, props.sort]);

  const onKeyDown = (event: KeyboardEvent) => {
    const page = rowsPerPage({ rows, rowHeight, headerHeight, viewportHeight: scroll.viewport.current.height });
    const command = commandOf(event, { active, bounds, page });
    if (command === undefined) return;
    event.preventDefault();
    if (command.type === 'select') apply(command.action);
    else if (command.type === 'copy') props.onCopy();
    else if (command.type === 'open') props.onOpen();
    else if (command.type === 'sort') props.onSort(active.column);
    else setWidth(active.column, (widths[active.column] ?? 0) + command.by);
  };
  const pointer = useGridPointer({ ...props, ...scroll, scroller, layout, headerHeight, gutter, bounds, apply });

  const areColumnsSelected = selection.shape === 'columns' || selection.shape === 'all';
  const width = { inlineSize: layout.width + gutter };
  const height = scrolledHeight({ rows, rowHeight, headerHeight, viewportHeight: 0 });
  const isActiveRendered =
    (active.row === -1 || isWithin(active.row, window.rows)) && isWithin(active.column, window.columns);
  const grid = (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      className="grid"
      aria-label={props.label}
      aria-rowcount={view.completeness === 'streaming' ? -1 : rows + 1}
      aria-colcount={view.columns.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={isActiveRendered ? cellId(gridId, active.row, active.column) : undefined}
      onScroll={scroll.onScroll}
      onKeyDown={onKeyDown}
      {...pointer}
    >
      <div role="rowgroup" className="grid-head" style={width}>
        <GridHeader
          columns={view.columns}
          layout={layout}
          gridId={gridId}
          firstColumn={window.columns.first}
          lastColumn={Math.min(window.columns.last, view.columns.length)}
          selectedFrom={areColumnsSelected ? range.firstColumn : 0}
          selectedTo={areColumnsSelected ? range.lastColumn : 0}
          activeColumn={active.row === -1 ? active.column : -1}
          sort={props.sort}
          numberLabel={props.numberLabel}
          onResize={setWidth}
          onFit={fit}
        />
      </div>
      {rows === 0 ? null : (
        <div role="rowgroup" className="grid-body" style={{ ...width, blockSize: height }}>
          <GridRows
            view={view}
            order={order}
            window={window}
            layout={layout}
            gridId={gridId}
            selection={selection}
            range={range}
            rows={rows}
            rowHeight={rowHeight}
          />
        </div>
      )}
    </div>
  );
  // The frame draws the focus ring, which the rows would cover.
  return <div className="grid-frame">{grid}</div>;
}
