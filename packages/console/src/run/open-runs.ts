import { ROW_TEXT_MAX_BYTES } from '../result/row-store.ts';
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

/** Memory for the rows of all tabs of this window, in bytes. */
const ROWS_MAX_BYTES = 2 * ROW_TEXT_MAX_BYTES;

/**
 * The last execution of each editor tab of this window. When their rows need too much memory together, those of the tab that was shown
 * longest ago are removed first, never those of the tab that is shown.
 */
export class OpenRuns {
  readonly #maxBytes: number;
  #runs: ReadonlyMap<string, TabRun> = new Map();
  /** Ids of tabs, the one that is shown last. */
  #shown: readonly string[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(maxBytes = ROWS_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the executions by id of their tab; the same object until they change. */
  readonly getSnapshot = (): ReadonlyMap<string, TabRun> => this.#runs;

  /** Returns the function that stops listening. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Notes that a tab is shown. */
  show(tabId: string): void {
    this.#shown = [...this.#shown.filter((id) => id !== tabId), tabId];
  }

  /** Replaces the execution of a tab, and frees the rows of the one before. */
  set(tabId: string, run: TabRun): void {
    run.run.store.subscribe(() => this.#limitMemory());
    this.#change(new Map(this.#runs).set(tabId, run));
  }

  /** Cancels the executions of all other tabs, which were closed, and frees their rows. */
  keepOnly(tabIds: ReadonlySet<string>): void {
    this.#shown = this.#shown.filter((id) => tabIds.has(id));
    const closed = [...this.#runs].filter(([tabId]) => !tabIds.has(tabId));
    if (closed.length === 0) return;
    for (const [, { run }] of closed) run.cancel();
    this.#change(new Map([...this.#runs].filter(([tabId]) => tabIds.has(tabId))));
  }

  #limitMemory(): void {
    const bytesOf = ({ run }: TabRun): number => run.store.keptBytes;
    let bytes = [...this.#runs.values()].reduce((sum, run) => sum + bytesOf(run), 0);
    if (bytes <= this.#maxBytes) return;
    const rankOf = (tabId: string): number => this.#shown.indexOf(tabId);
    // A store that is released reports it, so one without rows is not released again.
    const oldestFirst = [...this.#runs]
      .filter(([, run]) => bytesOf(run) > 0)
      .sort(([one], [other]) => rankOf(one) - rankOf(other));
    for (const [tabId, run] of oldestFirst) {
      if (bytes <= this.#maxBytes || tabId === this.#shown.at(-1)) return;
      bytes -= bytesOf(run);
      run.run.store.releaseRows();
    }
  }

  #change(runs: ReadonlyMap<string, TabRun>): void {
    this.#runs = runs;
    for (const listener of this.#listeners) listener();
  }
}
