import type { OutgoingHttpHeaders } from 'node:http';
import type { HttpClient, HttpResponse } from './http-client.ts';
import { withRetries } from './retry.ts';

/** Time for which a cancel is retried. */
const RETRY_MS = 2_000;
const TIMEOUT_MS = 5_000;
const RESPONSE_BYTES_MAX = 1024 * 1024;

/** Cancels a statement at one of its addresses. Rejects if Trino does not accept the request. */
export async function cancelStatement(http: HttpClient, url: string, headers: OutgoingHttpHeaders): Promise<void> {
  const request = { method: 'DELETE', url, headers, bytesMax: RESPONSE_BYTES_MAX, timeoutMs: TIMEOUT_MS } as const;
  const send = (): Promise<HttpResponse> => http.send(request);
  await withRetries(send, { retryForMs: RETRY_MS });
}
