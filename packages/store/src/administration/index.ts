export type { ClientAccess, NewClientSecret, StoredClient } from './client-repository.ts';
export { emailDomainOf, emailDomainProblem } from './email-domain-rule.ts';
export {
  createEncryptedValueStore,
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  type EncryptedValue,
  type EncryptedValueStore,
} from './encrypted-value-store.ts';
export type { IdentityProviderContent, StoredIdentityProvider } from './identity-provider-repository.ts';
export { createIdentityRepository } from './identity-repository.ts';
export type { OpenInvitation } from './invitation-repository.ts';
export type { OAuthClientContent, StoredOAuthClient } from './oauth-client-repository.ts';
export type { StoredRole } from './role-repository.ts';
export { openTenantDump, type TenantDump } from './tenant-dump.ts';
export { createTenantQueryStore, type TenantQueryStore } from './tenant-query-store.ts';
export { createTenantDirectory, type TenantDirectory, type TenantStep } from './tenant-repository.ts';
export type { StoredUser } from './user-repository.ts';
