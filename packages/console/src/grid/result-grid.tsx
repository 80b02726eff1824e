import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react';
import { type ResultColumn, type ResultView, reachableRows } from '../result/result-view.ts';
import type { SortOrder } from '../result/row-order.ts';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import { type ColumnLayout, readGridSizes, useColumnLayout } from './column-layout.ts';
import { commandOf } from './grid-keyboard.ts';
import { cellId, GridRows } from './grid-row.tsx';
import { type GridSelection, reduceSelection, type SelectionAction, selectedRange } from './grid-selection.ts';
import { type IndexRange, rowsPerPage, scrolledHeight } from './grid-window.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { useGridScroll } from './use-grid-scroll.ts';
import './grid.css';

/** A jump of the user to a row. */
export interface RowJump {
  readonly row: number;
}

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
  /** Row to show, with a number of its own for each jump. Undefined: the user has not jumped. */
  readonly jump: RowJump | undefined;
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
  const rows = order?.length ?? reachableRows(view);
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each jump, whatever else changes later
  useEffect(() => {
    if (props.jump !== undefined) apply({ type: 'move', to: { row: props.jump.row, column: 0 }, extend: false });
  }, [props.jump]);
  const { first, last } = window.rows;
  const { pages, loadedRows } = view;
  useEffect(() => {
    if (order === undefined && last > loadedRows) pages?.show(Math.max(first, loadedRows), last);
  }, [pages, loadedRows, order, first, last]);

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

interface GridHeaderProps {
  readonly columns: readonly ResultColumn[];
  readonly layout: ColumnLayout;
  readonly gridId: string;
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** Columns that are selected as a whole; the second one is exclusive. */
  readonly selectedFrom: number;
  readonly selectedTo: number;
  readonly activeColumn: number;
  readonly sort: SortOrder | undefined;
  /** Name of the column of row numbers. */
  readonly numberLabel: string;
  readonly onResize: (column: number, width: number) => void;
  /** Fits a column to its values. */
  readonly onFit: (column: number) => void;
}

/** Resizes a column while the pointer is down. */
function resizeWith(event: PointerEvent<HTMLElement>, width: number, onWidth: (width: number) => void): void {
  event.stopPropagation();
  const handle = event.currentTarget;
  const startX = event.clientX;
  handle.setPointerCapture(event.pointerId);
  const move = ({ clientX }: globalThis.PointerEvent) => onWidth(width + clientX - startX);
  handle.addEventListener('pointermove', move);
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true });
}

/** Names and types of the columns. It stays at the top while the rows scroll. */
const GridHeader = memo(function Header(props: GridHeaderProps) {
  const { columns, layout, gridId, firstColumn, lastColumn, sort } = props;
  const cells = [];
  for (let column = firstColumn; column < lastColumn; column += 1) {
    const { name, type } = columns[column] as ResultColumn;
    const classes = ['grid-head-cell'];
    if (layout.isRight[column]) classes.push('is-right');
    if (column >= props.selectedFrom && column < props.selectedTo) classes.push('is-selected');
    if (column === props.activeColumn) classes.push('is-active');
    const direction = sort?.column === column ? sort.direction : undefined;
    const width = (layout.starts[column + 1] as number) - (layout.starts[column] as number);
    cells.push(
      <div
        key={column}
        id={cellId(gridId, -1, column)}
        role="columnheader"
        aria-colindex={column + 2}
        aria-sort={direction ?? 'none'}
        className={classes.join(' ')}
        style={layout.styles[column]}
        title={`${visibleText(name)}\n${type}`}
      >
        <span className="grid-head-name">
          <bdi>
            <VisibleText text={name} />
          </bdi>
          {direction === undefined ? null : (
            <span className="grid-head-sort" aria-hidden="true">
              {direction === 'ascending' ? '↑' : '↓'}
            </span>
          )}
        </span>
        <span className="grid-head-type">{type}</span>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Alt and an arrow do the same by keyboard */}
        <span
          className="grid-resize"
          onPointerDown={(event) => resizeWith(event, width, (next) => props.onResize(column, next))}
          onClick={(event) => event.stopPropagation()}
          onKeyDown={undefined}
          onDoubleClick={(event) => {
            event.stopPropagation();
            props.onFit(column);
          }}
        />
      </div>,
    );
  }
  return (
    <div role="row" aria-rowindex={1} className="grid-head-row">
      <div role="columnheader" aria-colindex={1} className="grid-corner">
        <span className="visually-hidden">{props.numberLabel}</span>
      </div>
      {cells}
    </div>
  );
});
