import { useSyncExternalStore } from 'react';
import type { ResultView } from '../result/result-view.ts';
import { EMPTY_VIEW } from '../result/result-view.ts';
import type { RunSnapshot } from './run-state.ts';
import type { Run } from './start-run.ts';

const NEVER = () => () => undefined;

/** Returns the state of a run, at most a frame old. Undefined without a run. */
export function useRunSnapshot(run: Run | undefined): RunSnapshot | undefined {
  return useSyncExternalStore(run?.store.subscribe ?? NEVER, run?.store.getSnapshot ?? (() => undefined));
}

/** Returns the rows of a run, at most a frame old. */
export function useRunView(run: Run | undefined): ResultView {
  return useSyncExternalStore(run?.store.subscribe ?? NEVER, run?.store.getView ?? (() => EMPTY_VIEW));
}
