export type {
  AuditExportEnd,
  AuditExportInput,
  EvidenceRange,
  ExportAuditOptions,
  ExportEvidenceOptions,
} from './audit/export-audit.ts';
export type { AuditFilters, FollowAuditOptions, FollowedRecord } from './audit/follow-audit.ts';
export type {
  Auth,
  BasicCredentials,
  ClientCredentialsAuth,
  OnTokens,
  PasswordAuth,
  ProvidedToken,
  SessionAuth,
  SessionTokens,
  StoredSessionAuth,
  TokenProviderAuth,
} from './auth/auth.ts';
export type { RefreshTokenInput } from './auth/request-token.ts';
export { type Client, createClient } from './client.ts';
export type { ClientOptions } from './client-options.ts';
export type { ApiOperationTypes, Column, Receipt, StreamOperationTypes } from './contract-types.ts';
export type { Download, DownloadOptions } from './downloads/download.ts';
export {
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type FormatOption,
  ITEM_FORMATS,
  type ItemFormat,
} from './downloads/download-formats.ts';
export type { DownloadRequest, ItemDownload, StatementDownload } from './downloads/download-request.ts';
export type { ResultDownload, ResultDownloadOptions } from './downloads/download-result.ts';
export {
  type DownloadInfo,
  type DownloadTarget,
  type EarlierPart,
  type OpenTarget,
  toBlob,
  toStream,
} from './downloads/download-target.ts';
export { type ReceiptFile, receiptPathOf, writeReceiptFile } from './downloads/receipt-file.ts';
export type { DownloadProgress } from './downloads/received-file.ts';
export type { ResultFormatOptions } from './downloads/result-file.ts';
export { createSha256, type Hasher } from './downloads/sha256.ts';
export {
  ConnectionError,
  type FaultDetail,
  type IncompleteReason,
  IncompleteResultError,
  QueryFailedError,
  ResponseError,
  SluiceError,
  type SqlLocation,
} from './errors.ts';
export type { Middleware, OutgoingRequest } from './http/middleware.ts';
export type { ResumeOptions, Resumption } from './http/resume.ts';
export type { Lists } from './lists/lists.ts';
export type { DatamapSearch, FoundDatamap, MarketplaceItem } from './lists/search.ts';
export type { AuditEntry, SearchAuditOptions } from './lists/search-audit.ts';
export type { ExportFilters } from './metadata/export-all.ts';
export type { ImportAllOptions, ImportObject, ImportReport, ImportResult } from './metadata/import-all.ts';
export type {
  AwaitImportOptions,
  FileImport,
  ImportFileFormat,
  ImportFileOptions,
  MetadataFileFormat,
  ReportedObject,
} from './metadata/import-file.ts';
export type { ApiOperations, CallOptions, OperationInput, StreamOperations } from './operations/operations.ts';
export { type HostName, hostsOf, type RawRequest } from './operations/raw-request.ts';
export type { AwaitReceiptOptions } from './queries/await-receipt.ts';
export type { Row } from './queries/parse-events.ts';
export type {
  ParameterValue,
  Query,
  QueryOptions,
  QueryProgress,
  QuerySummary,
  TextQueryOptions,
} from './queries/query.ts';
export type { QueryState } from './queries/query-state.ts';
export type { NumberMode } from './queries/row-converter.ts';
export { createRowSplitter, type RowText } from './queries/split-row.ts';
export { refreshSession } from './refresh-session.ts';
export type {
  FollowedResult,
  FollowResultOptions,
  KeptResult,
  KeptResultFacts,
  ResultFileFacts,
  ResultFileFactsOptions,
  ResultShare,
  TextFollowResultOptions,
} from './results/kept-result.ts';
export type { ResultRowsOptions, TextResultRowsOptions } from './results/read-pages.ts';
