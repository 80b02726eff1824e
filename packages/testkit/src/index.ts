export { findFreePort } from '@sluice/embedded/postgres';
export { type AccountBuilders, type BuiltClient, type BuiltUser, createAccountBuilders } from './account-builders.ts';
export { bestTimeMs } from './best-time-ms.ts';
export { createDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';
export { expectDocumentedMetadata } from './expect-documented-metadata.ts';
export { findNonlinearGrowth, type RepeatedText, type Sizes, sizesOf } from './find-nonlinear-growth.ts';
export { type MarkdownRow, parseMarkdownTables } from './markdown-table.ts';
export {
  CLIENT_ID,
  CLIENT_SECRET,
  type Faults,
  type OpenIdProvider,
  startOpenIdProvider,
  UNKNOWN_EXTENSION,
} from './openid-provider.ts';
export { repeatedTexts } from './repeated-texts.ts';
export { type ReceivedResponse, type RequestToSend, send } from './send.ts';
export { collectEvents, readServerSentEvents, type ServerSentItem } from './server-sent-events.ts';
export { shortOrLong } from './short-or-long.ts';
export { openSlowReader, type SlowReader, type SlowReaderRequest } from './slow-reader.ts';
export { startPostgres, type TestRole, type TestServer } from './start-postgres.ts';
export { createEmptyDatabase, createTestDatabase, migrateOwnServer, type TestDatabase } from './test-database.ts';
export { until } from './until.ts';
