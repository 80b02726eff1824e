export { findFreePort } from '@sluice/embedded/postgres';
export { type AccountBuilders, type BuiltClient, type BuiltUser, createAccountBuilders } from './account-builders.ts';
export { bestTimeMs } from './best-time-ms.ts';
export { createDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';
export { type MarkdownRow, parseMarkdownTables } from './markdown-table.ts';
export {
  CLIENT_ID,
  CLIENT_SECRET,
  type Faults,
  type OpenIdProvider,
  OWN_EXTENSION,
  startOpenIdProvider,
} from './openid-provider.ts';
export { repeatedTexts } from './repeated-texts.ts';
export { type Answered, type Sent, send } from './send.ts';
export { collectEvents, readServerSentEvents, type ServerSentItem } from './server-sent-events.ts';
export { startPostgres, type TestRole, type TestServer } from './shared-server.ts';
export { openSlowReader, type SlowReader, type SlowReaderRequest } from './slow-reader.ts';
export { createEmptyDatabase, createTestDatabase, migrateOwnServer, type TestDatabase } from './test-database.ts';
export { expectDocumentedMetadata } from './undocumented-metadata.ts';
export { until } from './until.ts';
export { type RepeatedText, type Sizes, sizesOf, whyNotLinear } from './why-not-linear.ts';
