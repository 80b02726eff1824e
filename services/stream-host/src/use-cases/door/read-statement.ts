import type { Caller } from '@sluice/contract';
import type { ClientSession, DoorStatement } from '@sluice/trino-protocol';

/** Returns what answers a statement of a client. Throws TrinoError for a statement that is refused. */
export type ReadStatement = (caller: Caller, sql: string, session: ClientSession) => Promise<DoorStatement>;

/** Gives every statement to the engine. */
export const readForEngine: ReadStatement = async (_caller, sql) => ({ kind: 'query', sql, timeLimitMs: undefined });
