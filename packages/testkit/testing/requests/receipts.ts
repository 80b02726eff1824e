import { createHash } from 'node:crypto';
import type { Receipt } from '@sluice/contract';
import { send, until } from '@sluice/testkit';
import type { Credential } from './requests.ts';

export async function receiptOf(url: string, queryId: string, credential: Credential): Promise<Receipt> {
  const answer = await send(`${url}/query/${queryId}`, { headers: { ...credential } });
  if (answer.status !== 200) throw new Error(`the receipt returned ${answer.status}: ${answer.text}`);
  return answer.body as Receipt;
}

/** Waits for the end of a query and returns its receipt. */
export const finalReceipt = (
  url: string,
  queryId: string,
  { credential, ...limit }: { readonly credential: Credential; readonly withinMs?: number },
): Promise<Receipt> =>
  until(
    async () => {
      const receipt = await receiptOf(url, queryId, credential);
      return receipt.ended_ts === null ? undefined : receipt;
    },
    { what: `the end of query ${queryId}`, ...limit },
  );

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
