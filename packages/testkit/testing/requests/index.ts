export { login, passwordOf, postForm, postJson, refresh, requestClientToken, secretOf } from './api-requests.ts';
export { assertWithin } from './assert-within.ts';
export { authorizeProgram } from './authorize-program.ts';
export { type HeldTransfer, openHeldTransfer } from './held-transfer.ts';
export { assertLostPostgres, assertPromptProbes, assertUnavailable } from './probes.ts';
export { codeOf, postRaw, QUERY_PATHS, type QueryPath } from './query-paths.ts';
export { finalReceipt, receiptOf, sha256Of } from './receipts.ts';
export {
  basic,
  basicHeader,
  basicOf,
  bearer,
  type Credential,
  clientToken,
  eventsOf,
  idtoken,
  logIn,
  post,
  queryIdOf,
  type Tokens,
} from './requests.ts';
export { listOf, probeWorker, type StartedQuery, startQuery, untilRunning } from './running-queries.ts';
