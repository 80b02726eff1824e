import type { RunFailure } from './run-failure.ts';

/**
 * State of one execution, as the user sees it.
 * - `submitted`: the request was sent, and no headers have arrived.
 * - `queued`: the headers take longer than QUEUED_AFTER_MS, so the query waits for a slot.
 * - `withdrawing`: cancelled before the headers arrived, so there is no id to cancel. Shown as `cancelling`.
 * - `planning`: the headers have arrived, the columns have not.
 * - `streaming`: the columns have arrived.
 * - `cancelling`: cancelled, and not yet confirmed by the host.
 * - `complete`, `limited`: all rows that the host sent have arrived; `limited` means that there are more.
 * - `failed`: the host reported an error, or the request never reached it.
 * - `cancelled`: the host has confirmed that the statement no longer runs.
 * - `cut`: the result ended without proof that it is complete.
 */
export type RunState = ActiveRunState | FinalRunState;
export type ActiveRunState = 'submitted' | 'queued' | 'withdrawing' | 'planning' | 'streaming' | 'cancelling';
export type FinalRunState = 'complete' | 'limited' | 'failed' | 'cancelled' | 'cut';

/**
 * Event that may change the state of an execution.
 * - `run`: the user asks for the same execution again. Never repeated: a new run is a new object.
 * - `waited`: no headers have arrived for QUEUED_AFTER_MS.
 * - `complete`, `completeLimited`: the last event of a result; the second one says that there are more rows.
 * - `error`: the error event of the host, or an HTTP error.
 * - `streamEnded`: the stream ended without its last event, or contradicts itself.
 * - `connectionLost`: the connection failed or was silent for too long.
 * - `cancel`: the user pressed Escape or the button, or closed the tab.
 * - `stopped`: the host has confirmed that the statement no longer runs.
 */
export type RunEvent =
  | 'run'
  | 'waited'
  | 'headers'
  | 'columns'
  | 'rows'
  | 'progress'
  | 'complete'
  | 'completeLimited'
  | 'error'
  | 'streamEnded'
  | 'connectionLost'
  | 'cancel'
  | 'stopped';

/** A wait for headers that is longer than this is shown as a wait for a slot, in milliseconds. */
export const QUEUED_AFTER_MS = 300;

/** Progress that the engine reports. */
export interface RunProgress {
  readonly splitsDone: number | null;
  readonly splitsTotal: number | null;
}

/** Outcome of keeping a result on the host. Times are epoch milliseconds. */
export type ResultKeeping =
  | {
      /** Time of the execution. */
      readonly asOf: number;
      readonly keptUntil: number;
    }
  /** Sentence of the host that says why the result is not kept. */
  | { readonly notKept: string };

/** Everything that the page shows about an execution, apart from its rows. */
export interface RunSnapshot {
  readonly state: RunState;
  readonly queryId: string | undefined;
  /** Time of the request, as `performance.now()`. */
  readonly startedAtMs: number;
  /** Time of the final state; undefined before. */
  readonly endedAtMs: number | undefined;
  readonly receivedRows: number;
  /** Rows in memory, which are the first ones. */
  readonly loadedRows: number;
  /** Rows a second over the last two seconds. */
  readonly rowsPerSecond: number;
  readonly progress: RunProgress;
  readonly failure: RunFailure | undefined;
  /** Whether the connection was cut and the result is continued, until its next rows. */
  readonly isResuming: boolean;
  /** Undefined: the run did not ask for it, or has not ended. */
  readonly keeping: ResultKeeping | undefined;
}
