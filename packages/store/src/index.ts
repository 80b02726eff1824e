export {
  type Administration,
  type AdministrationStore,
  createAdministrationStore,
  type TenantContent,
} from './administration/administration-store.ts';
export type { ClientRows, ClientsFound, StoredClient } from './administration/client-rows.ts';
export { emailDomainProblem, emailDomainRefusal } from './administration/email-domain-rule.ts';
export type { GrantKey, GrantPage, GrantRows, GrantsFound, StoredItemGrant } from './administration/grant-rows.ts';
export type {
  IdentityProviderContent,
  IdentityProviderRows,
  RoleMapping,
  StoredIdentityProvider,
} from './administration/identity-provider-rows.ts';
export type { Identity, IdentityRows } from './administration/identity-rows.ts';
export type { InvitationRows, NewInvitation, OpenInvitation } from './administration/invitation-rows.ts';
export {
  createOperatorStore,
  type OperatorStore,
  type TenantHold,
  type TenantStep,
} from './administration/operator-store.ts';
export type { RoleContent, RoleRows, StoredRole } from './administration/role-rows.ts';
export type { AccountPage, StoredUser, UserRows, UsersFound } from './administration/user-rows.ts';
export {
  type AuditChainStore,
  type ChainRow,
  type ChainWindow,
  createAuditChainStore,
  type StoredCheckpoint,
} from './audit/audit-chain-store.ts';
export { auditOf, type Caller } from './audit/audit-of.ts';
export type { AuditPageOptions, AuditPosition } from './audit/audit-page-statement.ts';
export {
  isAuditMonthDue,
  type RetentionOptions,
  removeTenant,
  retainAudit,
  type SignDropped,
} from './audit/audit-retention.ts';
export { setRetentionFloor, setTenantRetention } from './audit/audit-retention-settings.ts';
export {
  type AuditSealStore,
  createAuditSealStore,
  type NewSeals,
  type SealerLook,
  type SealOutcome,
  type SealRows,
  type StoredHead,
} from './audit/audit-seal-store.ts';
export type { AuditFilter } from './audit/audit-search-statements.ts';
export {
  type AuditPage,
  type AuditSearchStore,
  type AuditView,
  createAuditSearchStore,
} from './audit/audit-search-store.ts';
export { type AuditRecord, type AuditStore, createAuditStore } from './audit/audit-store.ts';
export {
  type AskOpen,
  type AuditVerification,
  createAuditVerification,
  openAuditVerification,
  type VerifiedRow,
} from './audit/audit-verification.ts';
export type { StoredDomain } from './catalog/domain-row.ts';
export {
  createDomainStore,
  type DomainActor,
  type DomainChange,
  type DomainContent,
  type DomainRefusal,
  type DomainStore,
  type DomainsFound,
  type DomainTarget,
} from './catalog/domain-store.ts';
export {
  createHarvestCatalogStore,
  type HarvestCatalogStore,
  type HarvestedTable,
  type HarvestPage,
  type HarvestSource,
} from './catalog/harvest-catalog-store.ts';
export {
  createHarvestRunStore,
  type HarvestError,
  type HarvestLease,
  type HarvestPosition,
  type HarvestReason,
  type HarvestReference,
  type HarvestRequest,
  type HarvestRun,
  type HarvestRunStore,
  type HarvestState,
} from './catalog/harvest-run-store.ts';
export {
  type DatamapStatus,
  type FactMetadata,
  type FactReference,
  type FactWrite,
  type FieldMetadata,
  type FoundFact,
  referenceKey,
} from './catalog/metadata-facts.ts';
export type { IdempotentRequest, StoredAnswer } from './catalog/metadata-idempotency.ts';
export type { FactInput } from './catalog/metadata-reads.ts';
export {
  createMetadataStore,
  type FoundMetadata,
  type MetadataDecision,
  type MetadataOutcome,
  type MetadataStore,
  type MetadataWriteOptions,
} from './catalog/metadata-store.ts';
export { createDatabase, type Database, type DatabaseSettings } from './database/database.ts';
export type { Scope, UnnamedScope } from './database/scope.ts';
export { type PreparedStatement, prepared, type Row, type Transaction } from './database/transaction.ts';
export { createDatamapCounters, type DatamapCounters } from './datamaps/datamap-counters.ts';
export { createDatamapStore, type DatamapStore, type DatamapsFound } from './datamaps/datamap-store.ts';
export type {
  DatamapActor,
  DatamapContent,
  DatamapWrite,
  DatamapWrites,
  RecordDatamap,
  StoredDatamap,
} from './datamaps/datamap-writes.ts';
export {
  type AccountKind,
  type AccountReference,
  type AccountStore,
  type ClientAccount,
  createAccountStore,
  type UserAccount,
} from './identity/account-store.ts';
export {
  type AccountStatus,
  type AuthStatusStore,
  createAuthStatusStore,
  type SecretStatus,
  type SessionStatus,
} from './identity/auth-status-store.ts';
export { createDeviceStore, type DeviceLogin, type DeviceStore } from './identity/device-store.ts';
export {
  createLoginTransactionStore,
  type LoginTransactionStore,
  type NewLoginTransaction,
} from './identity/login-transaction-store.ts';
export {
  createRefreshTokenStore,
  type RefreshTokenHolder,
  type RefreshTokenStore,
  type Rotation,
  type RotationRequest,
} from './identity/refresh-token-store.ts';
export {
  createSessionStore,
  type NewSession,
  type SessionHolder,
  type SessionIdentity,
  type SessionStore,
} from './identity/session-store.ts';
export { createSigningKeyStore, type SigningKeyStore, type StoredSigningKey } from './identity/signing-key-store.ts';
export { createTenantStore, type TenantStore } from './identity/tenant-store.ts';
export {
  createThrottleStore,
  type ThrottleKey,
  type ThrottlePolicy,
  type ThrottleStates,
  type ThrottleStore,
} from './identity/throttle-store.ts';
export type { AccessDecision, DecisionRefusal } from './marketplace/decide-access.ts';
export {
  createMarketplaceAccessStore,
  type MarketplaceAccessStore,
  type NewAccessRequest,
} from './marketplace/marketplace-access-store.ts';
export { createMarketplaceDownloads, type MarketplaceDownloads } from './marketplace/marketplace-downloads.ts';
export type { ItemPage, MarketplaceReads } from './marketplace/marketplace-reads.ts';
export type { Grantee, ItemOwner, StoredItem, StoredItemQuery } from './marketplace/marketplace-row.ts';
export {
  createMarketplaceStore,
  type ItemChange,
  type ItemContent,
  type ItemRefusal,
  type ItemTarget,
  type ItemWrite,
  type MarketplaceDownload,
  type MarketplaceStore,
  type RecordItem,
} from './marketplace/marketplace-store.ts';
export type { GrantsWrite, StoredGrant } from './marketplace/put-grants.ts';
export { createHostStore, type HostStore } from './queries/host-store.ts';
export {
  createQueryStore,
  type FoundQuery,
  type QueryStore,
  type RunningQuery,
  type StopDue,
  type StopReason,
} from './queries/query-store.ts';
export type { NewQuery, QueryEnd } from './queries/query-writes.ts';
export {
  createWaitingQueryStore,
  type WaitingQueryRow,
  type WaitingQueryStore,
} from './queries/waiting-query-store.ts';
export { type MigrateSettings, migrate } from './schema/migrate.ts';
export type { ServingRole } from './schema/serving-roles.ts';
export { refreshSearch } from './search/search-refresh.ts';
export {
  createSearchStore,
  type FactSearch,
  type HitRecords,
  type SearchPage,
  type SearchSort,
  type SearchStore,
} from './search/search-store.ts';
