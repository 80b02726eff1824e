import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ColumnLayout } from './column-layout.ts';
import {
  type IndexRange,
  type ScrollPosition,
  type ScrollSizes,
  scrollNatively,
  scrollTo,
  scrollToColumn,
  scrollToRow,
  slotCount,
  visibleColumns,
  visibleRows,
  withOverscan,
} from './grid-window.ts';

/** Rendered range of rows and columns. It changes only when other rows or columns become visible. */
export interface GridWindow {
  readonly rows: IndexRange;
  readonly columns: IndexRange;
  /** Pixels from the position of a row in the result to its position in the scrolled element. */
  readonly shift: number;
  /** Rows that are rendered at most. Elements are used again for the row that is this number further. */
  readonly slots: number;
}

interface ScrollInput {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly layout: ColumnLayout;
  readonly rows: number;
  readonly rowHeight: number;
  readonly headerHeight: number;
  readonly gutter: number;
}

const isSameWindow = (a: GridWindow, b: GridWindow): boolean =>
  a.rows.first === b.rows.first &&
  a.rows.last === b.rows.last &&
  a.columns.first === b.columns.first &&
  a.columns.last === b.columns.last &&
  a.shift === b.shift &&
  a.slots === b.slots;

const overlap = (a: IndexRange, b: IndexRange): boolean => a.first < b.last && b.first < a.last;

/** Milliseconds without another jump after which the rows beyond the viewport are rendered too. */
const SETTLE_MS = 100;
const NOTHING: IndexRange = { first: 0, last: 0 };

/** Follows the scroller and returns the window to render, and functions that scroll. */
export function useGridScroll(input: ScrollInput) {
  const { scroller, layout, rows, rowHeight, headerHeight, gutter } = input;
  const position = useRef<ScrollPosition>({ nativeTop: 0, virtualTop: 0 });
  const viewport = useRef({ width: 0, height: 0 });
  const rendered = useRef(NOTHING);
  const [settled, setSettled] = useState(0);
  const settleTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [window, setWindow] = useState<GridWindow>({ rows: NOTHING, columns: NOTHING, shift: 0, slots: 1 });

  const sizesNow = useCallback(
    (): ScrollSizes => ({ rows, rowHeight, viewportHeight: viewport.current.height, headerHeight }),
    [rows, rowHeight, headerHeight],
  );

  /** Renders the window at the position, and moves the scroll bar if it is elsewhere. */
  const update = useCallback(
    (to: ScrollPosition) => {
      const element = scroller.current;
      if (element === null) return;
      const sizes = sizesNow();
      position.current = to;
      if (Math.abs(element.scrollTop - to.nativeTop) >= 1) element.scrollTop = to.nativeTop;
      const visible = visibleRows(to, sizes);
      const isJump = visible.first < visible.last && !overlap(visible, rendered.current);
      rendered.current = isJump ? visible : withOverscan(visible, sizes);
      clearTimeout(settleTimer.current);
      // All rows are new in this frame, and more of them would make it longer.
      if (isJump) settleTimer.current = setTimeout(() => setSettled((count) => count + 1), SETTLE_MS);
      const next: GridWindow = {
        rows: rendered.current,
        columns: visibleColumns(layout.starts, element.scrollLeft, viewport.current.width - gutter),
        shift: to.nativeTop - to.virtualTop,
        slots: slotCount(sizes),
      };
      setWindow((before) => (isSameWindow(before, next) ? before : next));
    },
    [scroller, layout, gutter, sizesNow],
  );

  const onScroll = useCallback(() => {
    const element = scroller.current;
    // Before the browser paints, so that no row is missing for a frame.
    if (element !== null) flushSync(() => update(scrollNatively(position.current, element.scrollTop, sizesNow())));
  }, [scroller, update, sizesNow]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      viewport.current = { width: element.clientWidth, height: element.clientHeight };
      update(scrollNatively(position.current, element.scrollTop, sizesNow()));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, update, sizesNow]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that the scroll position settles, also when nothing else has changed
  useEffect(() => update(position.current), [settled]);
  useEffect(() => () => clearTimeout(settleTimer.current), []);

  /** Scrolls no further than needed to show a whole cell. */
  const showCell = useCallback(
    (row: number, column: number) => {
      const element = scroller.current;
      if (element === null) return;
      element.scrollLeft = scrollToColumn(layout.starts, column, element.scrollLeft, viewport.current.width - gutter);
      update(row < 0 ? position.current : scrollToRow(position.current, row, sizesNow()));
    },
    [scroller, layout, gutter, update, sizesNow],
  );

  /** Scrolls to the first row, as for another result. */
  const showFirst = useCallback(() => update(scrollTo(0, sizesNow())), [update, sizesNow]);

  /** Returns the row at a pixel of the viewport, which may be outside of the result. */
  const rowAt = useCallback(
    (y: number) => Math.floor((y - headerHeight + position.current.virtualTop) / rowHeight),
    [headerHeight, rowHeight],
  );

  return { window, viewport, onScroll, showCell, showFirst, rowAt };
}
