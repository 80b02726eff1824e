import { useEffect, useRef, useState } from 'react';
import { createFrameBudget, createPageClock } from '../result/frame-clock.ts';
import type { ResultView } from '../result/result-view.ts';
import { orderRows, type RowSelection, showsAllRows } from '../result/row-order.ts';

/** Time of a frame that is spent on ordering, in milliseconds. */
export const WORK_MS = 6;
/** Rows that arrive meanwhile are ordered again after this time at the earliest, in milliseconds. */
const REFRESH_MS = 1000;

/** Rows that are shown, in their order. */
export interface RowOrder {
  /** Index in the view of each row that is shown. Undefined: all rows in the order of their arrival. */
  readonly rows: Uint32Array | undefined;
  /** Loaded rows among which the shown ones were found. */
  readonly ofRows: number;
  /** A newer order is being made; this one stays until then. */
  readonly isBusy: boolean;
}

const NATURAL: RowOrder = { rows: undefined, ofRows: 0, isBusy: false };

/** Returns the rows that a selection shows. It follows rows that arrive later, at most once a second. */
export function useRowOrder(view: ResultView, selection: RowSelection): RowOrder {
  const [order, setOrder] = useState(NATURAL);
  const latest = useRef(view);
  latest.current = view;
  const { columns, completeness } = view;
  const isStreaming = completeness === 'streaming';
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns stand for the result, and isStreaming for its last rows
  useEffect(() => {
    if (showsAllRows(selection)) {
      setOrder(NATURAL);
      return;
    }
    let isOver = false;
    const pause = createFrameBudget(createPageClock(), WORK_MS);
    const pauseOrStop = () => {
      if (isOver) throw new DOMException('Another order was asked for.', 'AbortError');
      return pause();
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = async () => {
      const ordered = latest.current;
      setOrder((before) => ({ ...before, isBusy: true }));
      const rows = await orderRows(ordered, selection, pauseOrStop);
      if (isOver) return;
      setOrder({ rows, ofRows: ordered.loadedRows, isBusy: false });
      if (isStreaming) timer = setTimeout(() => void update().catch(() => undefined), REFRESH_MS);
    };
    // Rejects only when another order was asked for.
    void update().catch(() => undefined);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [columns, selection, isStreaming]);
  return showsAllRows(selection) ? NATURAL : order;
}
