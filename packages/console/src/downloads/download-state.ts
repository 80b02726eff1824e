import type { Receipt } from '@sluice/client';

/**
 * State of one download, as the user sees it.
 * - `preparing`: the ticket was asked for.
 * - `starting`: the browser, or this page, asks for the file; the host has no query for it yet.
 * - `queued`, `running`: the receipt says so.
 * - `cancelling`: cancelled, and not yet confirmed by the host.
 * - `complete`, `limited`: the host has sent the whole file; `limited` means that there are more rows.
 * - `failed`: the host reported an error, or the download never started.
 * - `cancelled`: cancelled here, and the host has confirmed it.
 * - `cut`: the transfer ended early. The connection was cut, or the user cancelled it in the browser: the host does not know which.
 * - `unknown`: the host died, so no client knows whether the file is whole.
 */
export type DownloadState = ActiveDownloadState | EndedDownloadState;
export type ActiveDownloadState = 'preparing' | 'starting' | 'queued' | 'running' | 'cancelling';
export type EndedDownloadState = 'complete' | 'limited' | 'failed' | 'cancelled' | 'cut' | 'unknown';

const ACTIVE: ReadonlySet<DownloadState> = new Set<DownloadState>([
  'preparing',
  'starting',
  'queued',
  'running',
  'cancelling',
]);

export const isActive = (state: DownloadState): state is ActiveDownloadState => ACTIVE.has(state);

/** Failure of a download. For `PAGE_FAILURES`, the message catalog has the sentence, and `message` is empty. */
export interface DownloadFailure {
  readonly code: string;
  /** Sentence of the host or the client. */
  readonly message: string;
  readonly requestId: string | undefined;
}

/** Everything that the page shows about a download. */
export interface DownloadSnapshot {
  readonly id: string;
  /** Name of the file with its extension. */
  readonly fileName: string;
  readonly state: DownloadState;
  /** Whether this page fetches and compares the file before it is saved, instead of the browser. */
  readonly isComparing: boolean;
  /** Whether the page has found the SHA-256 of the receipt in the bytes that it has saved. */
  readonly isCompared: boolean;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
  readonly endedAtMs: number | undefined;
  readonly queryId: string | undefined;
  /** Last receipt of the host. Undefined before the first one. */
  readonly receipt: Receipt | undefined;
  readonly failure: DownloadFailure | undefined;
  /** Whether the last question for progress failed. The transfer itself may go on. */
  readonly isUnreachable: boolean;
}

const ENDS: Readonly<
  Record<Exclude<Receipt['state'], 'QUEUED' | 'RUNNING' | 'FINISHED' | 'CANCELLED'>, EndedDownloadState>
> = {
  FAILED: 'failed',
  UNKNOWN: 'unknown',
};

/** Returns the state of a download that has this receipt. */
export function stateOf({ state, limited }: Receipt, wasCancelledHere: boolean): DownloadState {
  switch (state) {
    case 'QUEUED':
    case 'RUNNING':
      if (wasCancelledHere) return 'cancelling';
      return state === 'QUEUED' ? 'queued' : 'running';
    case 'FINISHED':
      return limited ? 'limited' : 'complete';
    case 'CANCELLED':
      return wasCancelledHere ? 'cancelled' : 'cut';
    default:
      return ENDS[state];
  }
}
