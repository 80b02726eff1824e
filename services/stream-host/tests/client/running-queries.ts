import { until } from '@sluice/testkit';
import { type Credential, post, send } from './requests.ts';

interface RunningQueryBody {
  readonly query_id: string;
  readonly sql: string;
  readonly state: string;
  readonly started_ts: number;
  readonly rows: number;
  readonly bytes: number;
}

/** A machine that runs all tests at once may keep a database from answering in time; whoever lists is told so and asks again. */
export async function listOf(url: string, credential: Credential): Promise<RunningQueryBody[]> {
  const { status, text, body } = await until(
    async () => {
      const answer = await send(`${url}/query`, { headers: { ...credential } });
      return answer.status === 503 ? undefined : answer;
    },
    { what: 'a list of queries', withinMs: 5000 },
  );
  if (status !== 200) throw new Error(`the list of queries answered ${status}: ${text}`);
  return body.data as RunningQueryBody[];
}

/** Waits until the caller has a running query and answers the newest. */
export const untilRunning = (url: string, credential: Credential): Promise<RunningQueryBody> =>
  until(async () => (await listOf(url, credential)).at(-1), { what: 'a running query', withinMs: 5000 });

export interface StartedQuery {
  readonly queryId: string;
  /** The whole answer, as text; rejects when the connection is cut. */
  readonly text: Promise<string>;
  leave(): void;
}

/** Starts a stream and answers once its headers are there, which says that its record is durable. */
export async function startQuery(url: string, sql: string, credential: Credential): Promise<StartedQuery> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential },
    body: JSON.stringify({ sql }),
    signal: leaving.signal,
  });
  if (response.status !== 200) throw new Error(`the query answered ${response.status}: ${await response.text()}`);
  const text = response.text();
  text.catch(() => undefined); // whoever leaves does not read on
  return { queryId: response.headers.get('x-query-id') ?? '', text, leave: () => leaving.abort() };
}

/** Runs a trivial query: it can only be answered while a worker is free. */
export const probeWorker = async (url: string, credential: Credential): Promise<boolean> =>
  (await post(`${url}/query`, { sql: 'SELECT 42 AS answer' }, credential)).text.includes('{"answer":42}');
