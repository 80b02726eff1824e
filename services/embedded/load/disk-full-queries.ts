import type { TestHosts } from '@sluice/testkit/hosts';
import { basicOf, post } from '@sluice/testkit/requests';

export interface TimedQuery {
  readonly status: number;
  /** Code of a rejection; empty when the query succeeded. */
  readonly error: string;
  readonly requestId: string;
  readonly ms: number;
}

/** Runs a short query of an analyst and measures its time. */
export async function timedQuery(hosts: TestHosts): Promise<TimedQuery> {
  const begun = performance.now();
  const { status, body, headers } = await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, basicOf(hosts.ann));
  const error = status === 200 ? '' : body.error;
  return { status, error, requestId: String(headers['x-request-id']), ms: performance.now() - begun };
}

/** Returns how many of these requests have an audit record. */
export async function recordsOf(hosts: TestHosts, queries: readonly TimedQuery[]): Promise<number> {
  const rows = await hosts.rows('select id from audit_log where record_id is null and request_id = any ($1)', [
    queries.map(({ requestId }) => requestId),
  ]);
  return rows.length;
}
