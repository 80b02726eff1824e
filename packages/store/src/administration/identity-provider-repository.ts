import type { Transaction } from '../database/transaction.ts';

/** Users with `value` among their groups get these roles. */
interface RoleMapping {
  readonly value: string;
  readonly roles: readonly string[];
}

/** OpenID provider of a tenant. */
export interface IdentityProviderContent {
  /** Exactly as in the provider's discovery document and ID tokens. */
  readonly issuer: string;
  readonly clientId: string;
  /** Encrypted; this package never sees the plain text. Null for a public client. */
  readonly clientSecretSealed: Uint8Array | null;
  readonly scopes: readonly string[];
  readonly emailClaim: string;
  readonly groupsClaim: string | null;
  /** Empty: the provider does not assign roles. */
  readonly roleMappings: readonly RoleMapping[];
  /** Whether an e-mail counts as verified although the provider does not report it as verified. */
  readonly trustsEmail: boolean;
  /** Whether an unknown person becomes a new user. */
  readonly createUsers: boolean;
  /** Addresses to which a login may redirect, in addition to those that every login may use. */
  readonly returnTo: readonly string[];
}

export interface StoredIdentityProvider extends IdentityProviderContent {
  /** Increases with every change; the ETag is made from it. */
  readonly version: number;
  readonly updated: Date;
  readonly updatedBy: string;
}

/** The identity provider of a tenant, within one transaction. */
export interface IdentityProviderRepository {
  find(): Promise<StoredIdentityProvider | undefined>;
  /** Creates the provider, or replaces all its settings. */
  put(content: IdentityProviderContent, by: string): Promise<void>;
  remove(): Promise<void>;
}

interface ProviderRow extends Omit<StoredIdentityProvider, 'version'> {
  readonly version: string;
}

const FIND = `
  select issuer, client_id as "clientId", client_secret_sealed as "clientSecretSealed", scopes, email_claim as "emailClaim",
    groups_claim as "groupsClaim", role_mappings as "roleMappings", create_users as "createUsers", trust_email as "trustsEmail", return_to as "returnTo",
    version, updated, updated_by as "updatedBy"
  from identity_providers where tenant_id = $1`;

const PUT = `
  insert into identity_providers as p (tenant_id, issuer, client_id, client_secret_sealed, scopes, email_claim, groups_claim,
    role_mappings, create_users, return_to, updated_by, trust_email)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict (tenant_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
    client_secret_sealed = excluded.client_secret_sealed, scopes = excluded.scopes, email_claim = excluded.email_claim,
    groups_claim = excluded.groups_claim, role_mappings = excluded.role_mappings, create_users = excluded.create_users,
    return_to = excluded.return_to, trust_email = excluded.trust_email, updated_by = excluded.updated_by, updated = clock_timestamp(), version = p.version + 1`;

export const createIdentityProviderRepository = (
  transaction: Transaction,
  tenantId: string,
): IdentityProviderRepository => ({
  async find() {
    const [row] = await transaction.query<ProviderRow>(FIND, [tenantId]);
    return row && { ...row, version: Number(row.version) };
  },
  async put(content, by) {
    await transaction.query(PUT, [
      tenantId,
      content.issuer,
      content.clientId,
      content.clientSecretSealed,
      content.scopes,
      content.emailClaim,
      content.groupsClaim,
      JSON.stringify(content.roleMappings),
      content.createUsers,
      content.returnTo,
      by,
      content.trustsEmail,
    ]);
  },
  async remove() {
    await transaction.query('delete from identity_providers where tenant_id = $1', [tenantId]);
  },
});
