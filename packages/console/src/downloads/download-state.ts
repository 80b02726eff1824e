import type { Receipt } from '@sluice/client';

/**
 * State of one download, as the user sees it.
 * - `preparing`: the ticket was asked for.
 * - `starting`: the browser, or this page, asks for the file; the host has no query for it yet.
 * - `queued`, `running`: the receipt says so.
 * - `cancelling`: cancelled, and not yet confirmed by the host.
 * - `saving`: this page writes the file from the rows that it holds.
 * - `saved`: this page has written the whole file and given it to the browser.
 * - `handed`: the browser saves the file of a kept result, which the host has made whole. A page does not see how that ends.
 * - `complete`, `limited`: the host has sent the whole file; `limited` means that there are more rows.
 * - `failed`: the host reported an error, or the download never started.
 * - `cancelled`: cancelled here, and the host has confirmed it.
 * - `cut`: the transfer ended early. The connection was cut, or the user cancelled it in the browser: the host does not know which.
 * - `unknown`: the host died, so no client knows whether the file is whole.
 */
export type DownloadState = ActiveDownloadState | EndedDownloadState;
export type ActiveDownloadState = 'preparing' | 'starting' | 'queued' | 'running' | 'cancelling' | 'saving';
export type EndedDownloadState =
  | 'saved'
  | 'handed'
  | 'complete'
  | 'limited'
  | 'failed'
  | 'cancelled'
  | 'cut'
  | 'unknown';

const ACTIVE: ReadonlySet<DownloadState> = new Set<DownloadState>([
  'preparing',
  'starting',
  'queued',
  'running',
  'cancelling',
  'saving',
]);

export const isActive = (state: DownloadState): state is ActiveDownloadState => ACTIVE.has(state);

/** Failure of a download. For `PAGE_FAILURES`, the message catalog has the sentence, and `message` is empty. */
export interface DownloadFailure {
  readonly code: string;
  /** Sentence of the host or the client. */
  readonly message: string;
  readonly requestId: string | undefined;
}

/** File that this page has written from the rows of a tab, or that of a kept result. The host has no receipt for it. */
export interface SavedRows {
  readonly rows: number;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Whether the host has made it from a kept result. Default: this page has, from the rows of a tab. */
  readonly isOfHost?: boolean;
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
  /** Undefined for a file of the host, and until the end. */
  readonly saved?: SavedRows;
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

/** Returns the SHA-256 of the whole file, as far as it is known. */
export const sha256Of = ({ receipt, saved }: DownloadSnapshot): string | undefined =>
  saved?.sha256 ?? receipt?.sha256 ?? undefined;

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
