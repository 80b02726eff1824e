import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/** Queries that wait for a worker, for the lists of all hosts. The table is unlogged: a crash of the server ends the waits as well. */
export const waitingQueriesStep: SchemaStep = {
  name: '0027-waiting-queries',
  sql: `
    create unlogged table waiting_queries (
      tenant_id uuid not null references tenants (id) on delete cascade,
      query_id uuid not null,
      account_kind text not null,
      account_id uuid not null,
      host_id uuid not null,
      sql text not null,
      since timestamptz not null,
      cancel_requested boolean not null default false,
      primary key (tenant_id, query_id)
    );
    create index waiting_queries_host on waiting_queries (host_id);
    ${tenantRowsOnly('waiting_queries')}
  `,
};
