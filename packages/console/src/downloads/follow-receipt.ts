import { type Client, type Receipt, SluiceError } from '@sluice/client';

/** Waits between two questions, in milliseconds. The last one repeats. */
const WAITS_MS = [150, 250, 500, 1000];
/** Longest wait while the host cannot be reached, in milliseconds. */
const UNREACHABLE_WAIT_MS = 5000;

/** Receives the outcome of each request for a receipt. */
interface ReceiptWatcher {
  receive(receipt: Receipt): void;
  /** The host has no query of this id yet. Returns false to stop asking. */
  isMissing(): boolean;
  /** The host did not answer. It is asked again. */
  isUnreachable(error: unknown): void;
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * Asks for the receipt of a query until it is final. Resolves with it, or with undefined if `isMissing` or the signal has stopped it.
 * An unreachable host is asked for as long as the page is open, because the browser may still be saving the file.
 */
export async function followReceipt(
  client: Client,
  queryId: string,
  watcher: ReceiptWatcher,
  signal: AbortSignal,
): Promise<Receipt | undefined> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    let waitMs = WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)] as number;
    try {
      const receipt = await client.stream.getQuery({ params: { id: queryId }, signal });
      watcher.receive(receipt);
      if (receipt.ended_ts !== null) return receipt;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof SluiceError && error.status === 404) {
        if (!watcher.isMissing()) return undefined;
      } else {
        watcher.isUnreachable(error);
        waitMs = UNREACHABLE_WAIT_MS;
      }
    }
    await wait(waitMs, signal);
  }
  return undefined;
}
