export { spelledColumns } from './catalogue/column-spellings.ts';
export { putSessionFacts } from './catalogue/put-session-facts.ts';
export { type CatalogueStatement, readCatalogueStatement } from './catalogue/read-catalogue-statement.ts';
export { type FoundObject, foundObjectsSql, missingObject, type RequiredObject } from './catalogue/required-objects.ts';
export type { ConstantRow, DoorFacts } from './catalogue/session-facts.ts';
export type { ClientSession } from './client-session.ts';
export type { DoorStatement, SessionResult, SessionStatement } from './door-statement.ts';
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
export type { RequestHeaders } from './session/header-reader.ts';
export { PreparedHandles } from './session/prepared-handles.ts';
export { readClientSession, SESSION_HEADERS } from './session/read-client-session.ts';
export { describeOutputRows } from './statement/describe-output.ts';
export { readStatement } from './statement/read-statement.ts';
export type { StatementContext } from './statement/statement-kind.ts';
export { TrinoError, type TrinoErrorType } from './trino-error.ts';
