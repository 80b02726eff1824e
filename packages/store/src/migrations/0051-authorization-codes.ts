import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * Logins of programs by an authorization code (RFC 6749 section 4.1). `approved_in` is the session of the browser in which the user
 * consented, and `sid` the session that the code opened; null: the code is not used. A used code is kept for a day, to detect a second use.
 *
 * A session of a program has the client of the program, and the permissions to which it is limited; null: all of its account.
 */
export const authorizationCodesStep: SchemaStep = {
  name: '0051-authorization-codes',
  sql: `
  alter table sessions add column oauth_client text, add column scope text[];

  create table authorization_codes (
    tenant_id uuid not null references tenants (id) on delete cascade,
    code_hash bytea not null,
    oauth_client text not null,
    redirect_uri text not null,
    challenge text not null,
    scope text[],
    account_id uuid not null,
    approved_in uuid not null,
    expires timestamptz not null,
    sid uuid,
    primary key (tenant_id, code_hash)
  );
  create index authorization_codes_by_expiry on authorization_codes (expires);
  ${tenantRowsOnly('authorization_codes')}
`,
};
