import type { Caller, Column, Tenant } from '@sluice/contract';
import { createResourceStack, type ResourceStack } from '@sluice/host-runtime';
import { buildCaller } from '@sluice/testkit';
import type { TestHosts } from '@sluice/testkit/hosts';
import { type ClientSession, readCatalogueStatement } from '@sluice/trino-protocol';
import { openCatalogue } from '../../src/context/open-catalogue.ts';
import type { AnswerCatalogue } from '../../src/use-cases/door/answer-catalogue.ts';

const SESSION: ClientSession = {
  user: undefined,
  catalog: undefined,
  schema: undefined,
  timeZone: undefined,
  properties: new Map(),
  prepared: new Map(),
  transactionId: undefined,
  capabilities: { parametricDatetime: true, number: true },
  source: undefined,
  clientInfo: undefined,
  clientTags: [],
  traceToken: undefined,
};

/** Returns a caller of a tenant who may read the catalog. */
export const callerOfTenant = (tenant: Tenant, name = 'ann'): Caller => {
  const caller = buildCaller(name, ['datamap:read']);
  return { ...caller, principal: { ...caller.principal, tenant } };
};

interface AskOptions {
  readonly caller: Caller;
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
  readonly signal?: AbortSignal;
}

interface ReadAnswer {
  readonly columns: readonly Column[];
  readonly rows: readonly unknown[];
  readonly bytes: number;
}

/** The use-case of the door, with its resources. */
export interface OpenedCatalogue extends AsyncDisposable {
  readonly answer: AnswerCatalogue;
  /** Reads a statement and answers it. Throws if it is not one about the catalogue. */
  ask(sql: string, options: AskOptions): Promise<ReadAnswer>;
}

/** Opens what answers statements with the settings and the database of a stream host. */
export function openCatalogueOf({ stream }: Pick<TestHosts, 'stream'>): OpenedCatalogue {
  const { settings, database, audit, statementBudget, log } = stream.context;
  const resources: ResourceStack = createResourceStack();
  const { answerCatalogue: answer } = openCatalogue({ settings, database, audit, statementBudget, log, resources });
  return {
    answer,
    async ask(sql, { caller, catalog, schema, signal = new AbortController().signal }) {
      const facts = { engine: 'duckdb', user: caller.principal.name } as const;
      const statement = readCatalogueStatement(sql, { ...SESSION, catalog, schema }, facts);
      if (statement === undefined) throw new Error(`${sql} is not a statement about the catalogue`);
      const { columns, rows, rowCount } = await answer(caller, { sql, statement, signal });
      const read = JSON.parse(`[${Buffer.from(rows).toString()}]`) as unknown[];
      if (read.length !== rowCount) throw new Error(`${read.length} rows were read, and ${rowCount} are counted`);
      return { columns, rows: read, bytes: rows.byteLength };
    },
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}
