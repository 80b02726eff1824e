import { useEffect, useRef, useState } from 'react';
import { createFrameBudget, createPageClock } from '../result/frame-clock.ts';
import type { ResultView } from '../result/result-view.ts';

/** Time of a frame that is spent on computing, in milliseconds. */
const WORK_MS = 6;
/** Rows that arrive meanwhile are used after this time at the earliest, in milliseconds. */
const REFRESH_MS = 2000;

type Compute<Value> = (view: ResultView, pause: () => Promise<void> | undefined) => Promise<Value>;

/**
 * Returns what `compute` makes of the loaded rows, or undefined until it is there. It is computed again for another function or result,
 * and at most every two seconds while rows arrive.
 */
export function useComputed<Value>(view: ResultView, compute: Compute<Value>): Value | undefined {
  const [result, setResult] = useState<{ readonly value: Value; readonly compute: Compute<Value> }>();
  const latest = useRef(view);
  latest.current = view;
  const { columns, completeness } = view;
  const isStreaming = completeness === 'streaming';
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns stand for the result, and isStreaming for its last rows
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const pause = createFrameBudget(createPageClock(), WORK_MS);
    const pauseOrStop = () => {
      if (isOver) throw new DOMException('Something else is computed now.', 'AbortError');
      return pause();
    };
    const update = async () => {
      const value = await compute(latest.current, pauseOrStop);
      if (isOver) return;
      setResult({ value, compute });
      if (isStreaming) timer = setTimeout(() => void update().catch(() => undefined), REFRESH_MS);
    };
    // Rejects only when something else is computed now.
    void update().catch(() => undefined);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [columns, isStreaming, compute]);
  return result?.compute === compute ? result.value : undefined;
}
