import { randomUUID } from 'node:crypto';
import type { Database } from '@sluice/store/database';
import type { NewQuery, QueryEnd } from '@sluice/store/queries';

export const newQuery = (changes: Partial<NewQuery> & Pick<NewQuery, 'tenantId'>): NewQuery => ({
  queryId: randomUUID(),
  accountKind: 'user',
  accountId: randomUUID(),
  user: 'ann@example.com',
  hostId: randomUUID(),
  sql: 'select 1',
  action: 'RUN_QUERY',
  target: 'query',
  metadata: { format: 'sse' },
  requestId: 'request-1',
  address: '127.0.0.1',
  ...changes,
});

export const newQueries = (count: number, changes: Parameters<typeof newQuery>[0]): NewQuery[] =>
  Array.from({ length: count }, () => newQuery(changes));

export const endOf = ({ tenantId, queryId }: NewQuery, changes: Partial<QueryEnd> = {}): QueryEnd => ({
  tenantId,
  queryId,
  state: 'FINISHED',
  rows: 3,
  bytes: 42,
  sha256: 'ab',
  limited: false,
  error: null,
  ...changes,
});

interface StoredQuery {
  readonly query_id: string;
  readonly tenant_id: string;
  /** Copy of the SQL in the row; empty without one. */
  readonly copy: string;
  /** SQL of the audit record. */
  readonly sql: string;
  readonly state: string;
  readonly records: number;
  readonly outcomes: number;
  /** Transaction that last wrote the row. */
  readonly xmin: string;
}

/** Returns the stored rows of these queries, in order, with the number of their audit records. */
export const storedOf = async (superuser: Database, queries: readonly NewQuery[]): Promise<StoredQuery[]> => {
  const ids = queries.map(({ queryId }) => queryId);
  return superuser.withoutTenant((transaction) =>
    transaction.query<StoredQuery>(
      `select q.query_id, q.tenant_id, q.sql as copy, q.state, q.xmin::text,
        (select a.metadata ->> 'sql' from audit_log a where a.tenant_id = q.tenant_id and a.id = q.audit_id) as sql,
        (select count(*)::int from audit_log a where a.query_id = q.query_id and a.tenant_id = q.tenant_id
          and a.record_id is null and a.id = q.audit_id and a.occurred = q.started) as records,
        (select count(*)::int from audit_log a where a.query_id = q.query_id and a.tenant_id = q.tenant_id
          and a.record_id = q.audit_id and a.occurred = q.ended and a.metadata ->> 'state' = q.state) as outcomes
      from queries q where q.query_id = any ($1::uuid[]) order by array_position($1::uuid[], q.query_id)`,
      [ids],
    ),
  );
};

export const auditRows = async (superuser: Database, queries: readonly NewQuery[]): Promise<number | undefined> => {
  const text = 'select count(*)::int as count from audit_log where query_id = any ($1::uuid[])';
  const ids = queries.map(({ queryId }) => queryId);
  const [row] = await superuser.withoutTenant((transaction) => transaction.query<{ count: number }>(text, [ids]));
  return row?.count;
};

/** Returns `done`, or the code of the error. */
export const codesOf = async (works: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(works)).map((settled) =>
    settled.status === 'fulfilled' ? 'done' : (Reflect.get(settled.reason, 'code') as string),
  );
