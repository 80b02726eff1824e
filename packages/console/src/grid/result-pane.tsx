import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { type Translate, useTranslation } from '../i18n/translate.tsx';
import { columnKind, isOrdered } from '../result/column-kind.ts';
import type { ShownRows } from '../result/ordered-view.ts';
import {
  cellIfHere,
  holdsFirstRows,
  type ResultColumn,
  type ResultView,
  reachableRows,
} from '../result/result-view.ts';
import { ALL_ROWS, type RowSelection, type SortOrder } from '../result/row-order.ts';
import { CellPanel } from './cell-panel.tsx';
import type { CopyFormat } from './copy-formats.ts';
import { type GridSelection, NO_SELECTION, selectedRange } from './grid-selection.ts';
import { GridToolbar } from './grid-toolbar.tsx';
import { ResultGrid, type RowJump } from './result-grid.tsx';
import { useCopyRange } from './use-copy-range.ts';
import { useRowOrder } from './use-row-order.ts';
import './result-pane.css';

/** Order, filters and selection of one result, which has these `columns`. Another result begins without them. */
interface PaneState {
  readonly columns: readonly ResultColumn[];
  readonly rows: RowSelection;
  readonly selection: GridSelection;
  readonly isPanelOpen: boolean;
}

const initialState = (columns: readonly ResultColumn[]): PaneState => ({
  columns,
  rows: ALL_ROWS,
  selection: NO_SELECTION,
  isPanelOpen: false,
});

function usePaneState({ columns }: ResultView) {
  const [stored, setStored] = useState(() => initialState(columns));
  const state = stored.columns === columns ? stored : initialState(columns);
  const change = useCallback(
    (changes: Partial<PaneState>) =>
      setStored((before) => ({ ...(before.columns === columns ? before : initialState(columns)), ...changes })),
    [columns],
  );
  return [state, change] as const;
}

/** Returns the order after a click on a column: ascending, descending, none. */
function nextSort(sort: SortOrder | undefined, column: number): SortOrder | undefined {
  if (sort?.column !== column) return { column, direction: 'ascending' };
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : undefined;
}

/** Returns the message for a view that shows no cells, once that is certain. */
function emptyTextOf(view: ResultView, shownRows: number, t: Translate): string | undefined {
  const { columns, loadedRows, receivedRows, completeness } = view;
  if (shownRows > 0 && columns.length > 0) return undefined;
  if (loadedRows > 0 && columns.length > 0) {
    if (holdsFirstRows(view)) return t('grid.no-match-first', { count: loadedRows });
    return t(completeness === 'streaming' ? 'grid.no-match-yet' : 'grid.no-match');
  }
  if (receivedRows > 0) return t('grid.released');
  if (completeness !== 'complete') return undefined;
  return t(columns.length === 0 ? 'grid.no-columns' : 'grid.no-rows');
}

interface ResultPaneProps {
  readonly view: ResultView;
  /** Called when other rows are shown, or in another order. */
  readonly onShown?: ((shown: ShownRows) => void) | undefined;
}

/** Rows of a result with everything that a user does with them: search, filter, sort, select, copy, and look at one value. */
export function ResultPane({ view, onShown }: ResultPaneProps) {
  const { t } = useTranslation();
  const [state, change] = usePaneState(view);
  const { rows, selection, isPanelOpen } = state;
  const order = useRowOrder(view, rows);
  const isSorted = rows.sort !== undefined;
  const isFiltered = rows.filters.length > 0 || rows.search !== '';
  useEffect(() => onShown?.({ order: order.rows, isSorted, isFiltered }), [onShown, order.rows, isSorted, isFiltered]);
  const { copy, status } = useCopyRange(view, order.rows);
  const [notice, setNotice] = useState<string>();
  const grid = useRef<HTMLDivElement>(null);
  const [jump, setJump] = useState<RowJump>();
  const shownRows = order.rows?.length ?? reachableRows(view);
  const bounds = { rows: shownRows, columns: view.columns.length };
  const range = selectedRange(selection, bounds);

  const sortBy = (column: number) => {
    const { type } = view.columns[column] as ResultColumn;
    const canSort = isOrdered(columnKind(type));
    setNotice(canSort ? undefined : t('grid.cannot-sort', { type }));
    if (canSort) change({ rows: { ...rows, sort: nextSort(rows.sort, column) } });
  };
  const copyAs = (format: CopyFormat) => {
    setNotice(undefined);
    void copy(range, format);
  };
  const { row, column } = selection.active;
  const source = order.rows === undefined ? row : order.rows[row];
  const isCell = row >= 0 && source !== undefined && source < reachableRows(view) && column < view.columns.length;
  const json = isCell ? cellIfHere(view, source, column) : undefined;
  const failure = order.rows === undefined ? view.pages?.failure : undefined;
  const emptyText = emptyTextOf(view, shownRows, t);
  const closePanel = () => {
    change({ isPanelOpen: false });
    grid.current?.focus();
  };
  // Escape also cancels the run, but not while it has something to close or to leave here.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (isPanelOpen) closePanel();
    else if (event.target instanceof HTMLInputElement) grid.current?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <section className="result-pane" aria-label={t('grid.tools')} onKeyDown={onKeyDown}>
      <GridToolbar
        view={view}
        order={order}
        rows={rows}
        onRows={(next) => change({ rows: next })}
        range={range}
        activeColumn={selection.active.column}
        message={failure ?? notice ?? status?.message}
        isFailure={failure !== undefined || (notice === undefined && status?.tone === 'failed')}
        onJump={(to) => {
          setJump({ row: to });
          grid.current?.focus();
        }}
        onCopy={copyAs}
      />
      <div className="result-pane__body">
        <ResultGrid
          gridRef={grid}
          view={view}
          order={order.rows}
          selection={selection}
          onSelect={(next) => change({ selection: next })}
          sort={rows.sort}
          onSort={sortBy}
          onCopy={() => copyAs('tsv')}
          onOpen={() => change({ isPanelOpen: true })}
          jump={jump}
          label={t('grid.label')}
          numberLabel={t('grid.row-number')}
        />
        {emptyText === undefined ? null : <p className="result-pane__empty">{emptyText}</p>}
        {isPanelOpen && source !== undefined && json !== undefined ? (
          <CellPanel column={view.columns[column] as ResultColumn} row={source + 1} json={json} onClose={closePanel} />
        ) : null}
      </div>
    </section>
  );
}
