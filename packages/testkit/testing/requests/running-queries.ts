import { send, until } from '@sluice/testkit';
import { type Credential, post } from './requests.ts';

interface RunningQueryBody {
  readonly query_id: string;
  readonly sql: string;
  readonly state: string;
  readonly started_ts: number;
  readonly rows: number;
  readonly bytes: number;
}

/** Lists the caller's queries. Retries on 503, because the database may be too slow on a busy machine. */
export async function listOf(url: string, credential: Credential): Promise<RunningQueryBody[]> {
  const { status, text, body } = await until(
    async () => {
      const answer = await send(`${url}/query`, { headers: { ...credential } });
      return answer.status === 503 ? undefined : answer;
    },
    { what: 'a list of queries' },
  );
  if (status !== 200) throw new Error(`the list of queries returned ${status}: ${text}`);
  return body.data as RunningQueryBody[];
}

/** Waits until the caller has a running query and returns the newest. One that waits for a worker has no receipt once it is cancelled. */
export const untilRunning = (url: string, credential: Credential): Promise<RunningQueryBody> =>
  until(async () => (await listOf(url, credential)).findLast(({ state }) => state !== 'QUEUED'), {
    what: 'a running query',
  });

export interface StartedQuery {
  readonly queryId: string;
  /** Resolves with the whole body. Rejects when the connection is cut. */
  readonly text: Promise<string>;
  disconnect(): void;
}

/** Starts a stream. Resolves when the headers have arrived, that is when the record is durable. */
export async function startQuery(url: string, sql: string, credential: Credential): Promise<StartedQuery> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential },
    body: JSON.stringify({ sql }),
    signal: leaving.signal,
  });
  if (response.status !== 200) throw new Error(`the query returned ${response.status}: ${await response.text()}`);
  const text = response.text();
  text.catch(() => undefined); // a client that disconnects does not read further
  return { queryId: response.headers.get('x-query-id') ?? '', text, disconnect: () => leaving.abort() };
}

/** Runs a trivial query, which succeeds only if a worker is free. */
export const probeWorker = async (url: string, credential: Credential): Promise<boolean> =>
  (await post(`${url}/query`, { sql: 'SELECT 42 AS answer' }, credential)).text.includes('{"answer":42}');
