export type { ClientSession } from './client-session.ts';
export type { DoorStatement, SessionStatement } from './door-statement.ts';
export {
  type PresentedError,
  presentError,
  presentTrinoError,
  type StatementFailure,
} from './errors/present-error.ts';
export { PROBLEM_ERRORS } from './errors/problem-errors.ts';
export { STANDARD_ERRORS, typeOfError } from './errors/standard-errors.ts';
export { presentPage, type QueryResults } from './pages/query-results.ts';
export { presentStats, type StatementProgress, type StatementStats } from './pages/statement-stats.ts';
export { haveTimes } from './pages/type-signature.ts';
export { TrinoError, type TrinoErrorType } from './trino-error.ts';
