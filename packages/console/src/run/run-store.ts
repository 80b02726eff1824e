import type { FrameClock } from '../result/frame-clock.ts';
import type { Completeness, ResultColumn, ResultView } from '../result/result-view.ts';
import { EMPTY_VIEW } from '../result/result-view.ts';
import { RowStore } from '../result/row-store.ts';
import type { PageCache } from './page-cache.ts';
import type { RunFailure } from './run-failure.ts';
import type { ResultKeeping, RunEvent, RunProgress, RunSnapshot, RunState } from './run-state.ts';
import { isFinal, nextState } from './run-transitions.ts';

/** Time over which the rate of rows is measured, in milliseconds. */
const RATE_WINDOW_MS = 2000;
const NO_PROGRESS: RunProgress = { splitsDone: null, splitsTotal: null };

/** Completeness of the result in each state of an execution. */
const COMPLETENESS: Readonly<Record<RunState, Completeness>> = {
  submitted: 'streaming',
  queued: 'streaming',
  withdrawing: 'streaming',
  planning: 'streaming',
  streaming: 'streaming',
  cancelling: 'streaming',
  complete: 'complete',
  limited: 'limited',
  failed: 'failed',
  cancelled: 'cancelled',
  cut: 'cut',
};

/** Rows received until a time. */
interface Mark {
  readonly atMs: number;
  readonly rows: number;
}

/**
 * State and rows of one execution. It is made before the request and never used for another one, so a late event of an earlier
 * execution cannot reach the rows of a later one. Listeners are called at most once a frame, however many rows arrive.
 */
export class RunStore {
  readonly #clock: FrameClock;
  readonly #maxBytes: number | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #startedAtMs: number;
  #state: RunState = 'submitted';
  #rows: RowStore | undefined;
  #queryId: string | undefined;
  #endedAtMs: number | undefined;
  #progress = NO_PROGRESS;
  #failure: RunFailure | undefined;
  #isResuming = false;
  #keeping: ResultKeeping | undefined;
  #pages: PageCache | undefined;
  #marks: Mark[] = [];
  #snapshot: RunSnapshot;
  #view: ResultView = EMPTY_VIEW;
  #isNotifying = false;

  constructor(clock: FrameClock, maxBytes?: number) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
    this.#startedAtMs = clock.now();
    this.#snapshot = this.#createSnapshot();
  }

  /** State now; the snapshot may be up to a frame older. */
  get state(): RunState {
    return this.#state;
  }

  /** Bytes of the rows in memory. */
  get keptBytes(): number {
    return (this.#rows?.keptBytes ?? 0) + (this.#pages?.bytes ?? 0);
  }

  /** Bytes of the JSON text of all values in memory, in UTF-8. */
  get textBytes(): number {
    return this.#rows?.textBytes ?? 0;
  }

  /** Frees the memory of the rows. The page then shows those that the host keeps only. */
  releaseRows(): void {
    this.#rows?.release();
    this.#pages?.clear();
    this.notify();
  }

  /** Registers a listener and returns a function that removes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Returns the same object until listeners are notified. */
  readonly getSnapshot = (): RunSnapshot => this.#snapshot;
  /** Returns the rows that belong to the snapshot. */
  readonly getView = (): ResultView => this.#view;

  /** Applies an event that carries nothing. */
  apply(event: Exclude<RunEvent, 'headers' | 'columns' | 'rows' | 'progress' | 'error'>): void {
    this.#advance(event);
  }

  receiveHeaders(queryId: string): void {
    this.#queryId = queryId;
    this.#advance('headers');
  }

  receiveColumns(columns: readonly ResultColumn[]): void {
    if (this.#advance('columns') === 'streaming') this.#rows ??= new RowStore(columns, this.#maxBytes);
  }

  /** Adds rows while they are expected; rows that arrive later are ignored. */
  receiveRows(rows: readonly (readonly string[])[]): void {
    if (this.#advance('rows') !== 'streaming') return;
    this.#isResuming = false;
    this.#rows?.append(rows);
  }

  /** Notes that the connection was cut, and that the result is continued after the rows that have arrived. */
  receiveResumption(): void {
    this.#isResuming = true;
    this.notify();
  }

  /** Counts rows of a kept result that are not read before they are shown. */
  skipRows(rows: number): void {
    if (this.#advance('rows') === 'streaming') this.#rows?.skip(rows);
  }

  /** Notes whether the host keeps the result. Called before its last event, or after it. */
  receiveKeeping(keeping: ResultKeeping): void {
    this.#keeping = keeping;
    this.notify();
  }

  /** Makes all rows of a kept result reachable, also those that are not in memory. */
  attachPages(pages: PageCache): void {
    this.#pages = pages;
    this.notify();
  }

  receiveProgress(progress: RunProgress): void {
    this.#progress = progress;
    this.#advance('progress');
  }

  /** Applies an event that ends the execution with a failure to show. */
  fail(event: 'error' | 'connectionLost' | 'streamEnded', failure: RunFailure): void {
    if (!isFinal(this.#state)) this.#failure = failure;
    this.#advance(event);
  }

  #advance(event: RunEvent): RunState {
    const wasFinal = isFinal(this.#state);
    this.#state = nextState(this.#state, event);
    if (wasFinal) return this.#state;
    if (isFinal(this.#state)) this.#endedAtMs = this.#clock.now();
    this.notify();
    return this.#state;
  }

  /** Calls the listeners in the next frame. */
  notify(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    void this.#clock.nextFrame().then(() => {
      this.#isNotifying = false;
      this.#snapshot = this.#createSnapshot();
      if (this.#rows !== undefined) this.#view = this.#createView(this.#rows);
      else if (isFinal(this.#state)) this.#view = { ...EMPTY_VIEW, completeness: COMPLETENESS[this.#state] };
      for (const listener of this.#listeners) listener();
    });
  }

  /** Returns the rows now; those of `getView` may be up to a frame older. */
  createResultView(): ResultView {
    return this.#rows === undefined ? EMPTY_VIEW : this.#createView(this.#rows);
  }

  #createView(rows: RowStore): ResultView {
    const view = rows.view(COMPLETENESS[this.#state]);
    return view.loadedRows < view.receivedRows ? { ...view, pages: this.#pages } : view;
  }

  #createSnapshot(): RunSnapshot {
    return {
      state: this.#state,
      queryId: this.#queryId,
      startedAtMs: this.#startedAtMs,
      endedAtMs: this.#endedAtMs,
      receivedRows: this.#rows?.receivedRows ?? 0,
      loadedRows: this.#rows?.loadedRows ?? 0,
      rowsPerSecond: this.#measureRate(),
      progress: this.#progress,
      failure: this.#failure,
      isResuming: this.#isResuming && !isFinal(this.#state),
      keeping: this.#keeping,
    };
  }

  /** Returns the rate of rows over the last two seconds, or over the whole time once the execution is over. */
  #measureRate(): number {
    const now = this.#endedAtMs ?? this.#clock.now();
    const rows = this.#rows?.receivedRows ?? 0;
    this.#marks.push({ atMs: now, rows });
    const first = this.#marks.findIndex(({ atMs }) => atMs >= now - RATE_WINDOW_MS);
    this.#marks = this.#marks.slice(Math.max(0, first - 1));
    const since = this.#endedAtMs === undefined ? this.#marks[0] : { atMs: this.#startedAtMs, rows: 0 };
    const elapsedMs = now - (since?.atMs ?? now);
    return elapsedMs <= 0 ? 0 : ((rows - (since?.rows ?? 0)) * 1000) / elapsedMs;
  }
}
