import type { Receipt } from '../contract-types.ts';
import { ResponseError } from '../errors.ts';
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

/**
 * Checks that a receipt is that of a query: a proxy that caches may return another one.
 * @throws ResponseError `unexpected_response`
 */
export function requireReceiptOf(queryId: string, receipt: Receipt): void {
  if (receipt.query_id.toLowerCase() === queryId.toLowerCase()) return;
  const message = `The server's answer is not valid: it is the receipt of another query than ${queryId}. Check the proxies on the way.`;
  throw new ResponseError('unexpected_response', message, { queryId });
}

/** Waits until a query has ended, and returns its receipt. */
export function awaitReceipt(
  stream: Pick<StreamOperations, 'getQuery'>,
  id: string,
  { signal, onReceipt, ...options }: AwaitReceiptOptions = {},
): Promise<Receipt> {
  const read = async (): Promise<Receipt> => {
    const receipt = await stream.getQuery({ params: { id }, ...(signal === undefined ? {} : { signal }) });
    requireReceiptOf(id, receipt);
    return receipt;
  };
  return poll(read, { ...options, signal, onResult: onReceipt, isFinal: ({ ended_ts }) => ended_ts !== null });
}
