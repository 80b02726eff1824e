import type { Caller } from '@sluice/contract';
import type { EngineResolver } from '@sluice/tenant-engines';
import {
  type ClientSession,
  type DoorStatement,
  type PreparedHandles,
  putSessionFacts,
  readCatalogueStatement,
  readStatement,
} from '@sluice/trino-protocol';

interface ReadStatementDependencies {
  readonly resolveEngine: EngineResolver;
  readonly preparedHandles: () => Promise<PreparedHandles>;
}

/** Returns what answers a statement of a client. Throws TrinoError for a statement that is refused. */
export type ReadStatement = (caller: Caller, sql: string, session: ClientSession) => Promise<DoorStatement>;

export function createReadStatement({ resolveEngine, preparedHandles }: ReadStatementDependencies): ReadStatement {
  return async ({ principal }, sql, session) => {
    const engine = resolveEngine(principal.tenant).kind;
    const facts = { engine, user: principal.name };
    const readCatalogue = (text: string) => readCatalogueStatement(text, session, facts);
    const putFacts = (text: string) => (engine === 'duckdb' ? putSessionFacts(text, { session, facts }) : text);
    const handles = await preparedHandles();
    return readStatement(sql, { ...facts, session, handles, readCatalogue, putFacts });
  };
}
