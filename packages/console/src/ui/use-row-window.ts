import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Rows rendered beyond each edge of the viewport. */
const OVERSCAN_ROWS = 8;

/** Height of a row in pixels, which follows the user's font size (`--row`). */
function readRowHeight(): number {
  const style = getComputedStyle(document.documentElement);
  return Math.round(Number.parseFloat(style.getPropertyValue('--row')) * Number.parseFloat(style.fontSize));
}

/**
 * Follows an element that scrolls rows of equal height. Returns those in its viewport, and a function that scrolls to a row.
 * @param headRows - height, in rows, of a head that stays above the rows
 */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, rows: number, headRows = 0) {
  const [rowHeight] = useState(readRowHeight);
  const [window, setWindow] = useState({ first: 0, last: 0 });
  const update = useCallback(() => {
    const { scrollTop, clientHeight } = scroller.current ?? { scrollTop: 0, clientHeight: 0 };
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - OVERSCAN_ROWS);
    const last = Math.ceil((scrollTop + clientHeight) / rowHeight) + OVERSCAN_ROWS;
    setWindow((before) => (before.first === first && before.last === last ? before : { first, last }));
  }, [scroller, rowHeight]);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(update);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [scroller, update]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the browser moves the viewport when there are fewer rows
  useLayoutEffect(update, [rows, update]);
  return {
    rowHeight,
    rowsPerPage: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1 - headRows),
    first: window.first,
    last: Math.min(window.last, rows),
    // Before the browser paints, so that no row is missing for a frame.
    onScroll: () => flushSync(update),
    show(row: number) {
      const element = scroller.current;
      if (element === null) return;
      const lowest = row * rowHeight;
      const highest = lowest + rowHeight * (1 + headRows) - element.clientHeight;
      element.scrollTop = Math.min(Math.max(element.scrollTop, highest), lowest);
    },
  };
}
