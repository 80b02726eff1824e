export type { LimitsRequest, TenantLimitsRecord } from './administration/admin-limits.ts';
export type { AdminQueries } from './administration/admin-query.ts';
export type { RoleRecord } from './administration/admin-role.ts';
export type { AdminSessions, SessionsQuery } from './administration/admin-session.ts';
export type { UserRecord, UserSortKey, UserState, UsersQuery } from './administration/admin-user.ts';
export {
  type AuditSettings,
  type AuditSettingsRequest,
  presentAuditSettings,
} from './administration/audit-settings.ts';
export type { AppliedChange, AppliedConfiguration, Configuration } from './administration/configuration.ts';
export { emailDomains } from './administration/email-domain.ts';
export {
  type GrantParams,
  type GrantRecord,
  type GrantRequest,
  type GrantsQuery,
  ITEM_GRANTS_MAX,
} from './administration/grant.ts';
export {
  type IdentityProviderRecord,
  type IdentityProviderRequest,
  identityProviderBody,
} from './administration/identity-provider.ts';
export { type AcceptInvitationRequest, emailText, type Invitation } from './administration/invitation.ts';
export {
  isAllowedForType,
  type OAuthClientChange,
  type OAuthClientRecord,
} from './administration/oauth-client.ts';
export {
  type OAuthSettings,
  type OAuthSettingsRequest,
  presentOAuthSettings,
} from './administration/oauth-settings.ts';
export type { TenantRecord } from './administration/operator.ts';
export { operatorOperations } from './administration/operator.ts';
export type { SigningKeyRecord } from './administration/operator-keys.ts';
export {
  CLIENT_SECRETS_MAX,
  type ClientSecretRequest,
  type ServiceAccountRecord,
  type ServiceAccountsQuery,
} from './administration/service-account.ts';
export { ASSERTION_ALGORITHMS, type ClientKeySet, clientKeySet } from './administration/service-account-access.ts';
export {
  largestSessionSettings,
  type OwnSessionSettings,
  presentSessionSettings,
  type SessionSettings,
  type SessionSettingsRequest,
  sessionLimitsOf,
  sessionSettingsProblems,
} from './administration/session-settings.ts';
export {
  AUDIT_PAGE_RECORDS_MAX,
  AUDIT_SUMMARY_NAMES_DEFAULT,
  type AuditEvidenceRange,
  type AuditExport,
  type AuditSearch,
  type AuditStreamInput,
  type AuditSummary,
  type AuditSummaryInput,
  type AuditSummaryKind,
  EVIDENCE_DAYS_MAX,
} from './audit/audit.ts';
export { AUDIT_ACTIONS, type AuditAction } from './audit/audit-action.ts';
export {
  AUDIT_FIELDS,
  type AuditField,
  OPTIONAL_AUDIT_FIELDS,
  SEAL_VERSIONS,
  type SealVersion,
} from './audit/audit-fields.ts';
export { AUDIT_METADATA, AUDIT_OUTCOME_KEYS } from './audit/audit-metadata.ts';
export { type AuditRecord, auditOf } from './audit/audit-record.ts';
export { type TablesReadMetadata, tablesReadMetadata } from './audit/tables-read.ts';
export type { CatalogPageQuery, CatalogSchemas, Catalogs, CatalogTable, CatalogTables } from './catalog/catalog.ts';
export type { CatalogFile, CatalogFiles, CatalogFilesQuery } from './catalog/catalog-file.ts';
export {
  type DomainObject,
  type DomainRecord,
  type DomainRequest,
  type DomainsQuery,
  domainNameKey,
} from './catalog/domain.ts';
export type { HarvestRunBody } from './catalog/harvest.ts';
export {
  type FactType,
  IMPORT_OBJECTS_MAX,
  type MetadataChange,
  type MetadataImportRequest,
  type MetadataImportResponse,
  type MetadataObject,
  type MetadataResult,
  metadataImportBody,
  metadataObject,
} from './catalog/metadata.ts';
export {
  type FileFormat,
  IMPORT_KEPT_DAYS,
  type ImportState,
  type MetadataExportQuery,
  type MetadataImportStatus,
  type MetadataReportQuery,
  OPEN_IMPORTS_MAX,
} from './catalog/metadata-file.ts';
export {
  FILE_BYTES_MAX,
  FILE_COLUMNS,
  FILE_OBJECT_BYTES_MAX,
  FILE_OBJECTS_MAX,
  REPORT_MEMBERS,
} from './catalog/metadata-files/file-format.ts';
export type { MetadataChangesQuery, RecordedChange } from './catalog/metadata-history.ts';
export {
  type MetadataCoverage,
  READS_COUNTED_DAYS,
  type TagUse,
  type UndescribedTable,
} from './catalog/metadata-overview.ts';
export { formatTableName, parseTableName } from './catalog/parse-table-name.ts';
export {
  type CreateDatamapRequest,
  type DatamapActivityRequest,
  type DatamapSearchRequest,
  type DatamapSearchResponse,
  SEARCH_PAGE_BYTES_MAX,
  SEARCH_RECORDS_MAX,
  type SearchSortKey,
  type UpdateDatamapRequest,
} from './datamaps/datamap.ts';
export { jdbcTypeOf } from './datamaps/datamap-jdbc-type.ts';
export {
  type DatamapField,
  type DatamapPriority,
  type DatamapRecord,
  type DatamapState,
  datamapRecord,
  type UserActivity,
} from './datamaps/datamap-record.ts';
export { ACCENTS, caselessKey, foldCase, foldText } from './fields/case-folding.ts';
export { ExactNumber } from './fields/exact-number.ts';
export { NOT_CHECKED, type ViolationLimit } from './fields/list-of.ts';
export { nearestNames } from './fields/nearest-names.ts';
export { PAGE_DEFAULT } from './fields/page-query.ts';
export { TAGS_MAX, tagKey, tagList } from './fields/tag.ts';
export type { AccessToken, Tokens } from './identity/auth.ts';
export * as authBodies from './identity/auth.ts';
export type {
  AccountStatus,
  AuthStatusReader,
  CallerReference,
  CallerStatusReader,
  ClientKeys,
  SecretStatus,
  SessionStatus,
  ThrottleQuery,
} from './identity/auth-status.ts';
export { type Caller, callerOf, type TraceContext } from './identity/caller.ts';
export { describeUserAgent } from './identity/describe-user-agent.ts';
export type { ExternalLoginState } from './identity/external-login.ts';
export {
  type EffectiveLimits,
  effectiveLimits,
  keepTimeMax,
  keptBytesLimit,
  type LimitDefaults,
  operatorLimits,
  presentLimits,
  type ResultLimits,
  resultLimits,
} from './identity/limits.ts';
export type { Me } from './identity/me.ts';
export {
  MAIL_LANGUAGES,
  type MailLanguage,
  type NotificationSettings,
  type StoredNotificationSettings,
} from './identity/notification-settings.ts';
export {
  type AuthorizationRequest,
  type DeviceAuthorizationResponse,
  type GrantedTokens,
  type Introspection,
  OAUTH_PARAMETERS,
  type ServerMetadata,
  type TokenRequest,
} from './identity/oauth.ts';
export { SESSION_USER_AGENT_MAX } from './identity/own-account.ts';
export {
  DEFAULT_ROLES,
  isPermission,
  isScopeValue,
  narrowPermissions,
  PERMISSIONS,
  type Permission,
  SCOPE_VALUES,
  type Scope,
  type ScopeValue,
} from './identity/permission.ts';
export {
  type Principal,
  recordsMetadataReads,
  type SessionLimits,
  TENANT_NAME,
  type Tenant,
  type TenantLimits,
  type TenantSettings,
} from './identity/principal.ts';
export { type ProtectedResource, protectedResourceOperations } from './identity/protected-resource.ts';
export { isNativeRedirectUri, redirectUriProblem } from './identity/redirect-uri.ts';
export type { KeyRevocation, RevokedKey, SigningKeys, StoredSigningKey } from './identity/signing-key.ts';
export type { HoldOutcome, ThrottleKey, ThrottlePolicy, ThrottleStates, Throttles } from './identity/throttle.ts';
export type {
  ArchiveCompression,
  MarketplaceFacets,
  MarketplaceFreshness,
  MarketplaceItem,
  MarketplaceItemChange,
  MarketplaceItemDetails,
  MarketplaceItemRequest,
  MarketplaceQuery,
} from './marketplace/marketplace.ts';
export type {
  AccessRequest,
  AccessRequestCounts,
  AccessRequestsQuery,
  ListedAccessRequest,
  MarketplaceGrants,
} from './marketplace/marketplace-access.ts';
export { apiOperations } from './operations/api-operations.ts';
export { ANONYMOUS, defineOperations } from './operations/define-operations.ts';
export {
  ACCOUNT_REQUESTS_WAITING_MAX,
  type CredentialKind,
  type MediaType,
  type Operation,
  type OperationBody,
  type OperationResponse,
  type OperationUpload,
  REFUSED_BODY_BYTES_MAX,
  REFUSED_BODY_WINDOW_MS,
  STATEMENT_BYTES_MAX,
  STATEMENT_WINDOW_MS,
  UNREAD_BYTES_MAX,
  type UploadMediaType,
} from './operations/operation.ts';
export { streamOperations } from './operations/stream-operations.ts';
export { SUBJECTS } from './operations/subject.ts';
export { DETAILS_MAX, invalidRequest, limitDetails, requireValid } from './problems/invalid-request.ts';
export { PROBLEMS, type ProblemCode, STATEMENT_PROBLEMS } from './problems/problem.ts';
export { oauthProblemBody, problemBody } from './problems/problem-body.ts';
export {
  asProblem,
  type EngineError,
  type ProblemDetail,
  ProblemError,
  type SqlLocation,
} from './problems/problem-error.ts';
export { signInProblem } from './problems/sign-in-problem.ts';
export {
  type SentenceWithValues,
  SIGN_IN_SENTENCES,
  type SignInSentence,
  writeSentence,
} from './problems/sign-in-sentences.ts';
export { type Column, columnBody } from './queries/column.ts';
export { doorOperations } from './queries/door-operations.ts';
export {
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type DownloadFormatName,
  type DownloadOption,
  downloadFormats,
  type FormatRequirement,
  type MarketplaceFormat,
  marketplaceFormat,
} from './queries/download-formats.ts';
export { type DownloadRequest, downloadOperation } from './queries/download-operations.ts';
export { keepMsOf, keepWithin, presentKeep } from './queries/kept-result.ts';
export {
  EVENT_READERS_MAX,
  type KeptResultFacts,
  RESULT_FORMATS,
  type ResultShares,
} from './queries/kept-result-views.ts';
export { LINK_PARAMETER_PREFIX, type LinkParameters, linkParameters } from './queries/link-parameters.ts';
export {
  type DeclaredParameters,
  type ParameterDeclaration,
  parameterDeclarations,
  readDeclaredParameters,
  readDeclaredStrings,
  sampleParameters,
} from './queries/parameter-declaration.ts';
export { type ParameterType, parameterTypeName, parseParameterType } from './queries/parameter-type.ts';
export {
  failedResultSetBody,
  LISTED_SQL_CHARACTERS_MAX,
  QUERY_STATES,
  type QueryEndState,
  type QueryState,
  type Receipt,
  type RunningQueries,
  SQL_BYTES_MAX,
  timeZoneNamed,
} from './queries/query.ts';
export {
  QUERY_KINDS,
  type QueryHistory,
  type QueryHistoryEntry,
  type QueryHistoryQuery,
  type QueryKind,
  queryKindOf,
} from './queries/query-history.ts';
export { presentParameters, readPresentedParameters } from './queries/query-parameters.ts';
export type { QueryParameter } from './queries/read-parameter.ts';
export type { CreatedTicket, TicketRequest } from './queries/ticket.ts';
