export {
  type Administration,
  type AdministrationStore,
  createAdministrationStore,
  type TenantContent,
} from './administration-store.ts';
export type { ClientsFound, StoredClient } from './client-rows.ts';
export { emailDomainProblem, emailDomainRefusal } from './email-domain-rule.ts';
export type { GrantKey, GrantPage, GrantsFound, StoredItemGrant } from './grant-rows.ts';
export type { IdentityProviderContent, StoredIdentityProvider } from './identity-provider-rows.ts';
export type { NewInvitation, OpenInvitation } from './invitation-rows.ts';
export { createOperatorStore, type OperatorStore, type TenantHold } from './operator-store.ts';
export type { StoredRole } from './role-rows.ts';
export type { StoredUser, UsersFound } from './user-rows.ts';
