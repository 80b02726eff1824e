export type { RoleRecord, RoleRequest } from './admin-role.ts';
export type { UserChange, UserRecord, UserRequest, UsersQuery } from './admin-user.ts';
export { apiOperations } from './api-operations.ts';
export {
  AUDIT_PAGE_RECORDS_MAX,
  type AuditExport,
  type AuditSearch,
  auditCheckpointsBody,
  auditExportBody,
  auditPageBody,
  auditRecordBody,
  auditSearchBody,
} from './audit.ts';
export { AUDIT_ACTIONS, type AuditAction } from './audit-action.ts';
export { AUDIT_METADATA, AUDIT_OUTCOME_KEYS } from './audit-metadata.ts';
export type { AccessToken, Tokens } from './auth.ts';
export * as authBodies from './auth.ts';
export { type Column, columnBody } from './column.ts';
export type { AppliedChange, AppliedConfiguration, Configuration } from './configuration.ts';
export {
  type CreateDatamapRequest,
  type DatamapActivityRequest,
  type DatamapSearchRequest,
  type DatamapSearchResponse,
  SEARCH_RECORDS_MAX,
  type SearchSortKey,
  type UpdateDatamapRequest,
} from './datamap.ts';
export { type JdbcType, jdbcTypeOf } from './datamap-jdbc-type.ts';
export {
  type DatamapField,
  type DatamapPriority,
  type DatamapRecord,
  type DatamapState,
  datamapRecord,
  type UserActivity,
} from './datamap-record.ts';
export { type DomainRecord, type DomainRequest, type DomainsPage, type DomainsQuery, domainNameKey } from './domain.ts';
export { type GrantParams, type GrantRecord, type GrantRequest, type GrantsQuery, ITEM_GRANTS_MAX } from './grant.ts';
export {
  HARVEST_STATES,
  type HarvestRunBody,
  harvestRunBody,
  harvestRunsBody,
  harvestStartedBody,
} from './harvest.ts';
export { healthBody, readinessBody } from './health.ts';
export { type AcceptInvitationRequest, emailText, type Invitation } from './invitation.ts';
export {
  type AccessRequest,
  MARKETPLACE_FORMATS,
  type MarketplaceFormat,
  type MarketplaceGrants,
  type MarketplaceItem,
  type MarketplaceItemChange,
  type MarketplaceItemRequest,
  type MarketplaceQuery,
  marketplaceGrants,
  marketplaceItemBody,
} from './marketplace.ts';
export {
  DISPLAY_NAME_CHARACTERS_MAX,
  descriptionText,
  displayNameText,
  FACT_TYPES,
  type FactType,
  IMPORT_OBJECTS_MAX,
  type MetadataChange,
  type MetadataImportRequest,
  type MetadataImportResponse,
  type MetadataObject,
  type MetadataResult,
  metadataImportBody,
} from './metadata.ts';
export {
  BODY_BYTES_MAX,
  type CredentialKind,
  jsonBody,
  type MediaType,
  type Operation,
  type OperationAnswer,
  type OperationBody,
  STREAM_BODY_BYTES_MAX,
} from './operation.ts';
export type { TenantRecord } from './operator.ts';
export { operatorOperations } from './operator-operations.ts';
export { DEFAULT_ROLES, PERMISSIONS, type Permission } from './permission.ts';
export { type Principal, TENANT_NAME, type Tenant, type TenantSettings } from './principal.ts';
export { PROBLEMS, type ProblemCode } from './problem.ts';
export { oauthProblemBody, problemBody } from './problem-body.ts';
export {
  asProblem,
  type ProblemDetail,
  ProblemError,
  type ProblemOptions,
  type SqlLocation,
} from './problem-error.ts';
export {
  csvDownloadBody,
  jsonDownloadBody,
  QUERY_STATES,
  type QueryEndState,
  type QueryState,
  queryBody,
  type Receipt,
  type RunningQueries,
  receiptBody,
  resultSetBody,
  runningQueriesBody,
  SQL_BYTES_MAX,
} from './query.ts';
export {
  CLIENT_SECRETS_MAX,
  type ServiceAccountChange,
  type ServiceAccountRecord,
  type ServiceAccountRequest,
  type ServiceAccountsQuery,
} from './service-account.ts';
export { streamEvent } from './stream-event.ts';
export { streamOperations } from './stream-operations.ts';
export { TAG_CHARACTERS_MAX, TAGS_MAX, tagKey, tagList } from './tag.ts';
export { hasAtMost, storableText } from './text-field.ts';
