import type { ClientSession, DoorStatement } from '@sluice/trino-protocol';

/** Returns what answers a statement of a client. Every statement is for the engine. */
export const readStatement = (sql: string, _session: ClientSession): DoorStatement => ({
  kind: 'query',
  sql,
  timeLimitMs: undefined,
});
