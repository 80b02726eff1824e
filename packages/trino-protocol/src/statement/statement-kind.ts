import type { ClientSession } from '../client-session.ts';
import type { DoorStatement } from '../door-statement.ts';
import type { PreparedHandles } from '../session/prepared-handles.ts';
import type { EngineKind } from '../values/put-values.ts';
import type { StatementReader } from './statement-reader.ts';

/** Everything but the text that decides what a statement is. */
export interface StatementContext {
  readonly session: ClientSession;
  /** Name of the account. */
  readonly user: string;
  /** Engine of the tenant. */
  readonly engine: EngineKind;
  readonly handles: PreparedHandles;
  /** Reads a statement that the mirrored catalog answers; undefined for any other. Its SQL is DuckDB's, whatever the engine is. */
  readonly readCatalogue?: (sql: string, session: ClientSession) => DoorStatement | undefined;
  /** Puts what the session is into a statement for the engine, if that has no such values. */
  readonly putFacts?: (sql: string) => string;
}

/** Reads a statement that begins with a word of its own; undefined: another statement begins with it too. */
export type StatementKind = (reader: StatementReader, context: StatementContext) => DoorStatement | undefined;
