import { type ReceivedResponse, send } from '@sluice/testkit';
import { type Credential, eventsOf } from './requests.ts';

export const QUERY_PATHS = ['/query', '/query/download/json', '/query/download/csv'] as const;
export type QueryPath = (typeof QUERY_PATHS)[number];

interface RawRequest {
  readonly url: string;
  readonly path: QueryPath;
  readonly body: string | Buffer;
  /** An object, or alternating names and values to send a header twice. */
  readonly headers: Credential | readonly string[];
}

/** Sends a POST with these bytes, whether or not they are JSON. */
export function postRaw({ url, path, body, headers }: RawRequest): Promise<ReceivedResponse> {
  const length = String(Buffer.byteLength(body));
  const sent = Array.isArray(headers)
    ? ['host', '127.0.0.1', 'content-type', 'application/json', 'content-length', length, ...(headers as string[])]
    : { 'content-type': 'application/json', ...(headers as Credential) };
  return send(`${url}${path}`, { method: 'POST', headers: sent, body });
}

/** Returns the code of a query from the last event, the result set or the error body. */
export async function codeOf(path: QueryPath, answer: ReceivedResponse): Promise<unknown> {
  if (path !== '/query') return path.endsWith('json') ? answer.body.code : answer.body.error.toUpperCase();
  return (await eventsOf(answer)).at(-1)?.['code'];
}
