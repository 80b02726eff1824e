export {
  type Administration,
  type AdministrationStore,
  createAdministrationStore,
  type TenantContent,
} from './administration-store.ts';
export type { ClientPage, StoredClient } from './client-repository.ts';
export { emailDomainMessage, emailDomainProblem } from './email-domain-rule.ts';
export {
  createEncryptedValueStore,
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  type EncryptedValue,
  type EncryptedValueStore,
} from './encrypted-value-store.ts';
export type { GrantKey, GrantPage, GrantQuery, StoredItemGrant } from './grant-repository.ts';
export type { IdentityProviderContent, StoredIdentityProvider } from './identity-provider-repository.ts';
export type { NewInvitation, OpenInvitation } from './invitation-repository.ts';
export { createOperatorStore, type LockedTenant, type OperatorStore } from './operator-store.ts';
export type { StoredRole } from './role-repository.ts';
export { openTenantDump, type TenantDump } from './tenant-dump.ts';
export { createTenantQueryStore, type TenantQueryStore } from './tenant-query-store.ts';
export type { StoredUser, UserPage } from './user-repository.ts';
