import type { SchemaStep } from './migration.ts';
import { ownTenantWrites, tenantRowsOnly } from './row-level-security.ts';

/**
 * Roles and accounts that may view a kept result besides the account that ran its query. A share ends with its result, its role or its account:
 * a later role or account of the same name does not inherit it.
 */
export const resultSharesStep: SchemaStep = {
  name: '0063-result-shares',
  sql: `
  create table result_shares (
    tenant_id uuid not null references tenants (id) on delete cascade,
    query_id uuid not null,
    kind text not null check (kind in ('role', 'user', 'client')),
    role text,
    user_id uuid,
    client_id uuid,
    check ((kind = 'role') = (role is not null) and (kind = 'user') = (user_id is not null) and (kind = 'client') = (client_id is not null)),
    unique (tenant_id, role, query_id),
    unique (tenant_id, user_id, query_id),
    unique (tenant_id, client_id, query_id),
    foreign key (tenant_id, query_id) references kept_results (tenant_id, query_id) on delete cascade,
    foreign key (tenant_id, role) references roles (tenant_id, name) on delete cascade,
    foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    foreign key (tenant_id, client_id) references clients (tenant_id, id) on delete cascade
  );
  create index result_shares_of_result on result_shares (tenant_id, query_id);
  ${tenantRowsOnly('result_shares')}${ownTenantWrites('result_shares')}
`,
};
