import { hasShape } from '../api/has-shape.ts';
import { isFinal } from './run-transitions.ts';
import type { Run } from './start-run.ts';

/** An execution that ran when its page was left. The host stops it, because its connection is gone, unless it keeps the result. */
export interface LeftRun {
  /** Empty: the host had not answered yet, so it may have no record. */
  readonly queryId: string;
  readonly startedMs: number;
  /** Whether the host was asked to keep the result: it then continues for a page that asks for it within a minute. */
  readonly isKept: boolean;
}

const SAMPLE: LeftRun = { queryId: '', startedMs: 0, isKept: false };
const keyOf = (tabId: string): string => `sluice.run ${tabId}`;

let isLeaving = false;
// A page that the browser keeps may come back, and its connections are gone all the same.
addEventListener('pagehide', () => {
  isLeaving = true;
});
addEventListener('pageshow', () => {
  isLeaving = false;
});

function store(tabId: string, left: LeftRun | undefined): void {
  try {
    if (left === undefined) sessionStorage.removeItem(keyOf(tabId));
    else sessionStorage.setItem(keyOf(tabId), JSON.stringify(left));
  } catch {
    // Without the storage, a reload shows an empty result, as before the first run.
  }
}

/** Notes in this window that a tab of the editor runs something, until the run is over. */
export function noteRun(tabId: string, run: Run): void {
  const facts = { startedMs: Date.now(), isKept: run.input.keep !== undefined };
  store(tabId, { queryId: '', ...facts });
  const stop = run.store.subscribe(() => {
    const { queryId = '' } = run.store.getSnapshot();
    if (isLeaving) return;
    if (!isFinal(run.store.state)) return store(tabId, { queryId, ...facts });
    store(tabId, undefined);
    stop();
  });
}

/** Forgets what a tab of the editor ran. */
export const forgetLeftRun = (tabId: string): void => store(tabId, undefined);

/** Returns what a tab of the editor ran when this window was left or loaded again. Undefined: nothing. */
export function readLeftRun(tabId: string): LeftRun | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(tabId)) ?? 'null');
    return stored !== null && hasShape(SAMPLE, stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}
