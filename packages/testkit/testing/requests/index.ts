export { login, passwordOf, postForm, postJson, refresh, requestClientToken, secretOf } from './api-requests.ts';
export { type HeldTransfer, openHeldTransfer } from './held-transfer.ts';
export { assertLostPostgres, assertPromptProbes, assertUnavailable } from './probes.ts';
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
export {
  bestOfTries,
  codeOf,
  QUERY_PATHS,
  type QueryPath,
  rejectionMsMax,
  sendTimed,
  type TimedAnswer,
} from './timed-requests.ts';
