export {
  type AccountKind,
  type AccountReference,
  type AccountStore,
  type ClientAccount,
  createAccountStore,
  type UserAccount,
} from './account-store.ts';
export {
  type Administration,
  type AdministrationStore,
  createAdministrationStore,
  type TenantContent,
} from './administration-store.ts';
export {
  type AuditChainStore,
  type ChainRow,
  type ChainWindow,
  createAuditChainStore,
  type StoredCheckpoint,
} from './audit-chain-store.ts';
export type { AuditPageOrder, AuditPosition } from './audit-page-statement.ts';
export {
  isAuditMonthDue,
  type RetentionOrder,
  removeTenant,
  retainAudit,
  type SignDropped,
  setRetentionFloor,
} from './audit-retention.ts';
export {
  type AuditSealStore,
  createAuditSealStore,
  type NewSeals,
  type SealOutcome,
  type SealRows,
  type StoredHead,
} from './audit-seal-store.ts';
export type { AuditFilter } from './audit-search-statements.ts';
export {
  type AuditPage,
  type AuditSearchStore,
  type AuditView,
  createAuditSearchStore,
} from './audit-search-store.ts';
export { type AuditRecord, type AuditStore, createAuditStore } from './audit-store.ts';
export {
  type AskOpen,
  type AuditVerification,
  createAuditVerification,
  openAuditVerification,
  type VerifiedRow,
} from './audit-verification.ts';
export type { ClientRows, ClientsFound, StoredClient } from './client-rows.ts';
export { createDatabase, type Database, type DatabaseSettings } from './database.ts';
export { createDatamapCounters, type DatamapCounters } from './datamap-counters.ts';
export { createDatamapStore, type DatamapStore, type DatamapsFound } from './datamap-store.ts';
export type {
  DatamapActor,
  DatamapContent,
  DatamapWrite,
  DatamapWrites,
  RecordDatamap,
  StoredDatamap,
} from './datamap-writes.ts';
export type { StoredDomain } from './domain-row.ts';
export {
  createDomainStore,
  type DomainActor,
  type DomainChange,
  type DomainContent,
  type DomainRefusal,
  type DomainStore,
  type DomainsFound,
  type DomainTarget,
} from './domain-store.ts';
export type { GrantKey, GrantPage, GrantRows, GrantsFound, StoredItemGrant } from './grant-rows.ts';
export {
  createHarvestCatalogStore,
  type HarvestCatalogStore,
  type HarvestedTable,
  type HarvestPage,
  type HarvestSource,
} from './harvest-catalog-store.ts';
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
} from './harvest-run-store.ts';
export { createHostStore, type HostStore } from './host-store.ts';
export type { InvitationRows, NewInvitation, OpenInvitation } from './invitation-rows.ts';
export {
  type AccessDecision,
  createMarketplaceAccessStore,
  type GrantsWrite,
  type MarketplaceAccessStore,
  type NewAccessRequest,
  type StoredGrant,
} from './marketplace-access-store.ts';
export { createMarketplaceDownloads, type MarketplaceDownloads } from './marketplace-downloads.ts';
export type { ItemPage, MarketplaceReads } from './marketplace-reads.ts';
export type { Grantee, ItemOwner, StoredItem, StoredItemQuery } from './marketplace-row.ts';
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
} from './marketplace-store.ts';
export {
  type DatamapStanding,
  type FactMetadata,
  type FactReference,
  type FactWrite,
  type FieldMetadata,
  type FoundFact,
  referenceKey,
} from './metadata-facts.ts';
export type { IdempotentRequest, StoredAnswer } from './metadata-idempotency.ts';
export type { FactWish } from './metadata-reads.ts';
export {
  createMetadataStore,
  type FoundMetadata,
  type MetadataDecision,
  type MetadataOrder,
  type MetadataOutcome,
  type MetadataStore,
} from './metadata-store.ts';
export { type MigrateSettings, migrate } from './migrate.ts';
export { createOperatorStore, type OperatorStore, type TenantHold, type TenantStep } from './operator-store.ts';
export {
  createQueryStore,
  type FoundQuery,
  type QueryStore,
  type RunningQuery,
  type StopDue,
  type StopReason,
} from './query-store.ts';
export type { NewQuery, QueryEnd } from './query-writes.ts';
export {
  createRefreshTokenStore,
  type RefreshTokenHolder,
  type RefreshTokenStore,
  type Rotation,
  type RotationRequest,
} from './refresh-token-store.ts';
export type { RoleContent, RoleRows, StoredRole } from './role-rows.ts';
export type { Scope, UnnamedScope } from './scope.ts';
export { refreshSearch } from './search-refresh.ts';
export {
  createSearchStore,
  type FactSearch,
  type HitRecords,
  type SearchPage,
  type SearchSort,
  type SearchStore,
} from './search-store.ts';
export type { ServingRole } from './serving-roles.ts';
export { createSessionStore, type NewSession, type SessionHolder, type SessionStore } from './session-store.ts';
export { createSigningKeyStore, type SigningKeyStore, type StoredSigningKey } from './signing-key-store.ts';
export {
  type AccountStanding,
  createStandingStore,
  type SecretStanding,
  type SessionStanding,
  type StandingStore,
} from './standing-store.ts';
export { createTenantStore, type TenantStore } from './tenant-store.ts';
export { createThrottleStore, type ThrottleKey, type ThrottlePolicy, type ThrottleStore } from './throttle-store.ts';
export { type PreparedStatement, prepared, type Row, type Transaction } from './transaction.ts';
export type { AccountPage, StoredUser, UserRows, UsersFound } from './user-rows.ts';
