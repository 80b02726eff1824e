import type { TextPosition } from './run-problem.tsx';
import type { Run } from './start-run.ts';

/** An execution, and the part of the text of its editor tab that ran. */
export interface TabRun {
  readonly run: Run;
  /** UTF-16 offsets of the statement in the text, the end not included. */
  readonly statement: { readonly from: number; readonly to: number };
  /** Line and column at which it begins; both count from 1. */
  readonly start: TextPosition;
}

/** The last execution of each editor tab of this window. */
export class OpenRuns {
  #runs: ReadonlyMap<string, TabRun> = new Map();
  readonly #listeners = new Set<() => void>();

  /** Returns the executions by id of their tab; the same object until they change. */
  readonly getSnapshot = (): ReadonlyMap<string, TabRun> => this.#runs;

  /** Returns the function that stops listening. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Replaces the execution of a tab, and frees the rows of the one before. */
  set(tabId: string, run: TabRun): void {
    this.#change(new Map(this.#runs).set(tabId, run));
  }

  /** Cancels the executions of all other tabs, which were closed, and frees their rows. */
  keepOnly(tabIds: ReadonlySet<string>): void {
    const closed = [...this.#runs].filter(([tabId]) => !tabIds.has(tabId));
    if (closed.length === 0) return;
    for (const [, { run }] of closed) run.cancel();
    this.#change(new Map([...this.#runs].filter(([tabId]) => tabIds.has(tabId))));
  }

  #change(runs: ReadonlyMap<string, TabRun>): void {
    this.#runs = runs;
    for (const listener of this.#listeners) listener();
  }
}
