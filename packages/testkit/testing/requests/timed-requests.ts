import { type ReceivedResponse, send, timeLimit } from '@sluice/testkit';
import { type Credential, eventsOf } from './requests.ts';

export const QUERY_PATHS = ['/query', '/query/download/json', '/query/download/csv'] as const;
export type QueryPath = (typeof QUERY_PATHS)[number];

export interface TimedAnswer extends ReceivedResponse {
  readonly ms: number;
}

interface TimedRequest {
  readonly url: string;
  readonly path: QueryPath;
  readonly body: string | Buffer;
  /** An object, or alternating names and values to send a header twice. */
  readonly headers: Credential | readonly string[];
}

/** Sends a POST of JSON and measures the time of the complete response. */
export async function sendTimed({ url, path, body, headers }: TimedRequest): Promise<TimedAnswer> {
  const begun = performance.now();
  const length = String(Buffer.byteLength(body));
  const sent = Array.isArray(headers)
    ? ['host', '127.0.0.1', 'content-type', 'application/json', 'content-length', length, ...(headers as string[])]
    : { 'content-type': 'application/json', ...(headers as Credential) };
  const answer = await send(`${url}${path}`, { method: 'POST', headers: sent, body });
  return { ...answer, ms: performance.now() - begun };
}

/** Returns the maximum time of a rejection, 1 s. Other work only adds to it, so the best of a few tries counts. */
export const rejectionMsMax = (): number => timeLimit(1_000);
const TRIES_MAX = 5;

interface BestOfTries {
  readonly answer: TimedAnswer;
  readonly tries: number;
}

export async function bestOfTries(request: TimedRequest): Promise<BestOfTries> {
  let answer = await sendTimed(request);
  let tries = 1;
  for (; answer.ms >= rejectionMsMax() && tries < TRIES_MAX; tries += 1) answer = await sendTimed(request);
  return { answer, tries };
}

/** Returns the code of a query from the last event, the result set or the error body. */
export async function codeOf(path: QueryPath, answer: ReceivedResponse): Promise<unknown> {
  if (path !== '/query') return path.endsWith('json') ? answer.body.code : answer.body.error.toUpperCase();
  return (await eventsOf(answer)).at(-1)?.['code'];
}
