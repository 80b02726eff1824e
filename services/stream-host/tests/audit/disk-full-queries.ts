import { basicOf, post } from '../client/requests.ts';
import type { TestHosts } from '../hosts/start-hosts.ts';

export interface TimedQuery {
  readonly status: number;
  /** The code of a refusal; empty where the query was served. */
  readonly error: string;
  readonly requestId: string;
  readonly ms: number;
}

/** A short query of an analyst, and how long its answer took. */
export async function timedQuery(hosts: TestHosts): Promise<TimedQuery> {
  const begun = performance.now();
  const { status, body, headers } = await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, basicOf(hosts.ann));
  const error = status === 200 ? '' : body.error;
  return { status, error, requestId: String(headers['x-request-id']), ms: performance.now() - begun };
}

/** How many of these requests are on record. */
export async function recordsOf(hosts: TestHosts, queries: readonly TimedQuery[]): Promise<number> {
  const rows = await hosts.rows('select id from audit_log where record_id is null and request_id = any ($1)', [
    queries.map(({ requestId }) => requestId),
  ]);
  return rows.length;
}
