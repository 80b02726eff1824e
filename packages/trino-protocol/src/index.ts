export type { ClientSession } from './client-session.ts';
export type { DoorStatement, SessionResult, SessionStatement } from './door-statement.ts';
export type { RequestHeaders } from './session/header-reader.ts';
export { PreparedHandles } from './session/prepared-handles.ts';
export { readClientSession } from './session/read-client-session.ts';
export { describeOutputRows } from './statement/describe-output.ts';
export { readStatement } from './statement/read-statement.ts';
export type { StatementContext } from './statement/statement-kind.ts';
export { TrinoError, type TrinoErrorType } from './trino-error.ts';
