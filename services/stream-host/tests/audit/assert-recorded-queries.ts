import { expect } from '@jest/globals';
import { until } from '@sluice/testkit';
import type { TestHosts } from '@sluice/testkit/hosts';

interface OnRecord {
  readonly query_id: string;
  readonly state: string;
  readonly records: number;
  readonly outcomes: string[];
}

const ON_RECORD = `
  select coalesce(q.query_id, l.query_id) as query_id, coalesce(q.state, 'no query') as state,
    count(l.id) filter (where l.record_id is null)::int as records,
    coalesce(array_agg(l.metadata ->> 'state' order by l.occurred) filter (where l.record_id is not null), '{}') as outcomes
  from queries q full join (select * from audit_log where query_id is not null) l using (tenant_id, query_id)
  group by q.query_id, l.query_id, q.state`;

/**
 * Waits until no record is open, and asserts that every query has one record and one outcome that equals its receipt. A query that
 * was reported as `failed` to its client may have an earlier outcome, which a server wrote after the timeout of the host.
 */
export async function assertRecordedQueries(
  hosts: Pick<TestHosts, 'rows'>,
  { whole, failed }: { readonly whole: readonly string[]; readonly failed: readonly string[] },
): Promise<void> {
  const all = await until(
    async () => {
      const rows = await hosts.rows<OnRecord>(ON_RECORD);
      return rows.some(({ state }) => state === 'RUNNING') ? undefined : rows;
    },
    { what: 'the outcome of every query' },
  );
  for (const { query_id, state, records, outcomes } of all) {
    const unconfirmed = failed.includes(query_id) && outcomes.length > 1 ? ['FINISHED'] : [];
    expect([query_id, records, outcomes]).toEqual([query_id, 1, [...unconfirmed, state]]);
  }
  const endedAs = (wanted: string) => all.filter(({ state }) => state === wanted).map(({ query_id }) => query_id);
  expect(endedAs('FINISHED')).toEqual(expect.arrayContaining([...whole]));
  expect(endedAs('FAILED')).toEqual(expect.arrayContaining([...failed]));
}
