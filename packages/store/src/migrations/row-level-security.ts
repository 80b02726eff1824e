/**
 * Second barrier between tenants. A serving role sees a row when the transaction's `sluice.tenant_id` is the row's tenant, or `*`, which
 * only `Database.acrossTenants` sets, for jobs of the deployment. Unset or empty shows nothing. The owner, who migrates, is not subject to
 * it. Strings are compared, because an empty setting cannot be cast to uuid.
 */
export const tenantRowsOnly = (table: string): string => `
  alter table ${table} enable row level security;
  create policy tenant_rows on ${table}
    using (tenant_id::text = current_setting('sluice.tenant_id', true) or current_setting('sluice.tenant_id', true) = '*')
    with check (tenant_id::text = current_setting('sluice.tenant_id', true) or current_setting('sluice.tenant_id', true) = '*');
`;

/** Condition that a row is one of the transaction's tenant. A transaction across tenants (`*`) never meets it. */
export const OWN_TENANT = `tenant_id::text = current_setting('sluice.tenant_id', true)`;

/** Lets a transaction across tenants write no row of a table. It may still delete rows. */
export const ownTenantInserts = (table: string): string => `
  create policy inserts_of_own_tenant on ${table} as restrictive for insert with check (${OWN_TENANT});
`;
export const ownTenantWrites = (table: string): string => `${ownTenantInserts(table)}
  create policy updates_of_own_tenant on ${table} as restrictive for update using (${OWN_TENANT}) with check (${OWN_TENANT});
`;
