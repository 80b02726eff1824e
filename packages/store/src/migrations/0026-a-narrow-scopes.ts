import type { SchemaStep } from './migration.ts';

const OWN_TENANT = `tenant_id::text = current_setting('sluice.tenant_id', true)`;

/** Tables of accounts, permissions and sessions. Jobs across tenants delete expired rows there, and write none. */
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
 * Restrictions of a transaction across tenants (`sluice.tenant_id` is `*`): it may not write accounts and sessions, receipts, or audit
 * records. It may close the queries of a dead host as UNKNOWN, each with its outcome row, which has a `record_id`.
 *
 * A receipt is final. Only one in the state FINISHED may still become a failure, once: when its last byte did not reach the client.
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
