export { type AccountBuilders, type BuiltClient, type BuiltUser, createAccountBuilders } from './account-builders.ts';
export { buildCaller } from './build-caller.ts';
export { caseSeed } from './case-seed.ts';
export { allCases } from './cases.ts';
export {
  type BodyFault,
  type CannedResponse,
  type CuttingProxy,
  startCuttingProxy,
} from './cutting-proxy.ts';
export { createDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';
export { expectDocumentedMetadata } from './expect-documented-metadata.ts';
export { findNonlinearGrowth } from './find-nonlinear-growth.ts';
export { LineProgram } from './line-program.ts';
export { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts';
export { parseMarkdownTables } from './markdown-table.ts';
export { measureSlowness } from './measure-slowness.ts';
export {
  CLIENT_ID,
  CLIENT_SECRET,
  type Faults,
  type OpenIdProvider,
  startOpenIdProvider,
  UNKNOWN_EXTENSION,
} from './openid-provider.ts';
export { allCombinations, pairwise } from './pairwise.ts';
export { pythonPackage } from './python-package.ts';
export { PythonProgram } from './python-program.ts';
export { repeatedStrings } from './repeated-strings.ts';
export { reservePort } from './reserve-port.ts';
export { runAsSuperuser } from './run-as-superuser.ts';
export { runScript, scriptArguments } from './run-script.ts';
export { seededRandom } from './seeded-random.ts';
export { type ReceivedResponse, send } from './send.ts';
export { collectEvents, readServerSentEvents, type ServerSentItem } from './server-sent-events.ts';
export { shortOrLong } from './short-or-long.ts';
export { KERNEL_BUFFERS, openSlowReader, type SlowReader } from './slow-reader.ts';
export { SuperuserRows } from './superuser-rows.ts';
export {
  createEmptyDatabase,
  createTestDatabase,
  FIXTURE_TIMEOUTS,
  migrateOwnServer,
  type TestDatabase,
} from './test-database.ts';
export { until } from './until.ts';
