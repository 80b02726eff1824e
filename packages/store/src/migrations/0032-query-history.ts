import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * Queries in the order in which each account lists them. A table of its own, because an index of `queries` could only be built while no query
 * begins. What a listed query did is in `queries`; a row here only adds what the receipt does not say.
 */
export const queryHistoryStep: SchemaStep = {
  name: '0032-query-history',
  sql: `
    create table query_history (
      tenant_id uuid not null references tenants (id) on delete cascade,
      account_id uuid not null,
      started timestamptz not null,
      query_id uuid not null,
      action text not null,
      target text not null,
      parameters jsonb,
      primary key (tenant_id, account_id, started, query_id)
    );
    create index query_history_by_age on query_history (started);
    ${tenantRowsOnly('query_history')}
  `,
};
