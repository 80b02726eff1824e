import type { Receipt } from '../contract-types.ts';
import { poll } from '../http/poll.ts';
import type { CallOptions, StreamOperations } from '../operations/operations.ts';

export interface AwaitReceiptOptions extends Pick<CallOptions, 'signal'> {
  /** Called with each receipt that is read, also while the query runs. */
  readonly onReceipt?: (receipt: Receipt) => void;
  /** Called when a request fails. Returns whether to ask again. Default: while the host cannot be reached for `lostTimeoutMs`. */
  readonly onFailure?: (error: unknown) => boolean;
  /** Longest time without a response of the host in milliseconds. Default: 60,000. */
  readonly lostTimeoutMs?: number;
}

/** Waits until a query has ended, and returns its receipt. */
export const awaitReceipt = (
  stream: Pick<StreamOperations, 'getQuery'>,
  id: string,
  { signal, onReceipt, ...options }: AwaitReceiptOptions = {},
): Promise<Receipt> =>
  poll(() => stream.getQuery({ params: { id }, ...(signal === undefined ? {} : { signal }) }), {
    ...options,
    signal,
    onResult: onReceipt,
    isFinal: ({ ended_ts }) => ended_ts !== null,
  });
