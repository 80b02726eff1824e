import type { SchemaStep } from './migration.ts';

const OWN_TENANT = `tenant_id::text = current_setting('sluice.tenant_id', true)`;

/** Who may log in, and as what. Jobs across tenants delete what is over, and write none of it. */
const IDENTITY_TABLES = [
  'users',
  'clients',
  'client_secrets',
  'roles',
  'invitations',
  'identity_providers',
  'user_identities',
  'sessions',
] as const;

const writesOfOwnTenant = (table: string): string => `
  create policy inserts_of_own_tenant on ${table} as restrictive for insert with check (${OWN_TENANT});
  create policy updates_of_own_tenant on ${table} as restrictive for update using (${OWN_TENANT}) with check (${OWN_TENANT});
`;

/**
 * What a transaction across tenants (`sluice.tenant_id` is `*`) may not write: accounts and sessions, receipts, and audit records. It may
 * close the queries of a host that is gone as UNKNOWN, each with its outcome row, which has a `record_id`.
 *
 * A receipt is final. Only one that says FINISHED may still become a failure, once: when its last byte reached nobody.
 */
export const narrowScopesStep: SchemaStep = {
  name: '0026-a-narrow-scopes',
  sql: `
    ${IDENTITY_TABLES.map(writesOfOwnTenant).join('')}

    create policy records_of_own_tenant on audit_log as restrictive for insert
      with check (${OWN_TENANT} or record_id is not null);

    create policy inserts_of_own_tenant on queries as restrictive for insert with check (${OWN_TENANT});
    create policy receipts_of_own_tenant on queries as restrictive for update
      using (true) with check (${OWN_TENANT} or ended is null or state = 'UNKNOWN');

    create function refuse_receipt_change() returns trigger language plpgsql set search_path = pg_catalog as $body$
    begin
      -- The owner, whom row-level security does not bind, is not held by this wall either.
      if not row_security_active('public.queries'::regclass) then return new; end if;
      if old.state = 'FINISHED' and new.state in ('FAILED', 'CANCELLED', 'UNKNOWN') and new.ended is not null then
        return new;
      end if;
      raise exception 'the receipt of query % is final', old.query_id using errcode = 'insufficient_privilege';
    end $body$;
    create trigger receipt_is_final before update on queries
      for each row when (old.ended is not null) execute function refuse_receipt_change();
  `,
};
