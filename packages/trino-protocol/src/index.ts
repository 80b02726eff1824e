export type { ClientSession } from './client-session.ts';
export type { DoorStatement, SessionStatement } from './door-statement.ts';
export { TrinoError, type TrinoErrorType } from './trino-error.ts';
