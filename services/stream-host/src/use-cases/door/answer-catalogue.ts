import { randomUUID } from 'node:crypto';
import { asProblem, auditOf, type Caller, type Column, ProblemError } from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import type { EngineSpec } from '@sluice/engine';
import type { QueryJob, WorkerLease, WorkerSource } from '@sluice/query-worker';
import type { AuditStore } from '@sluice/store/audit';
import type { CatalogueEngine } from '@sluice/tenant-engines';
import {
  type CatalogueStatement,
  type ConstantRow,
  type FoundObject,
  foundObjectsSql,
  missingObject,
  spelledColumns,
  TrinoError,
} from '@sluice/trino-protocol';
import type { CatalogueDatabases } from '../../door/catalogue-databases.ts';
import type { CatalogueReads } from '../../door/catalogue-reads.ts';
import type { StatementBudget } from '../../queries/statement-budget.ts';

interface AnswerCatalogueDependencies {
  readonly databases: Pick<CatalogueDatabases, 'open'>;
  readonly reads: Pick<CatalogueReads, 'record'>;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly statementBudget: Pick<StatementBudget, 'admit' | 'begins'>;
  /** Workers for these statements only, so that they take no query slot. */
  readonly workers: WorkerSource;
  /** Returns the DuckDB that reads a database of a tenant, and nothing else. */
  readonly engineOf: CatalogueEngine;
  readonly timeMs?: number;
  readonly bytesMax?: number;
}

interface CatalogueInput {
  /** SQL for the record: as the client sent it, or what its EXECUTE runs. */
  readonly sql: string;
  readonly statement: CatalogueStatement;
  readonly signal: AbortSignal;
}

/** Complete answer of a statement. */
export interface CatalogueAnswer {
  readonly columns: readonly Column[];
  /** Rows in the form of `storedRows`, with a comma and a line feed between them. */
  readonly rows: Uint8Array;
  readonly rowCount: number;
}

/**
 * Answers a statement from the mirrored catalog, with the rights of GET /catalog, and records it before anything is read. Throws TrinoError for
 * objects that do not exist and for tables outside of the catalogue, `access_denied`, `time_limit`, `resource_limit` for an answer that is too large,
 * `audit_unavailable`, `too_many_requests`, and what DuckDB rejects the statement with.
 */
export type AnswerCatalogue = (caller: Caller, input: CatalogueInput) => Promise<CatalogueAnswer>;

const PERMISSION = 'datamap:read';
const TIME_MS = 30_000;
/** Columns of about 60,000 columns of tables in `system.jdbc.columns`. The host holds the whole answer while a client reads it. */
const BYTES_MAX = 16 * 1024 * 1024;
const FORMAT: FormatSpec = { name: 'trino', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' };

export function createAnswerCatalogue(dependencies: AnswerCatalogueDependencies): AnswerCatalogue {
  const { databases, reads, workers, engineOf, statementBudget, timeMs = TIME_MS, bytesMax = BYTES_MAX } = dependencies;
  return async (caller, { sql, statement, signal }) => {
    const { tenant, id: accountId, name: user } = caller.principal;
    await requirePermission(dependencies, caller);
    await statementBudget.admit(caller);
    await reads.record(caller, sql);
    statementBudget.begins(caller, { sql });
    if (statement.constant !== undefined) return constantAnswer(statement.constant);
    using limited = withTimeLimit(signal, timeMs);
    using database = await databases.open(tenant.id, signal);
    const engine = engineOf(tenant.id, database.path);
    using lease = await workers.acquire({ tenantId: tenant.id, accountId, engineKey: engine.key }, signal);
    limited.begin();
    const run = (text: string): Promise<CatalogueAnswer> =>
      collect(lease, jobOf(engine, { sql: text, user }), { signal: limited.signal, bytesMax });
    const answer = await run(statement.sql).catch(async (thrown: unknown) => {
      throw await explained(thrown, statement, run);
    });
    if (answer.rowCount === 0) await requireObjects(statement, run);
    return { ...answer, columns: spelledColumns(answer.columns, statement.spellings) };
  };
}

const constantAnswer = ({ columns, row }: ConstantRow): CatalogueAnswer => ({
  columns,
  rows: Buffer.from(JSON.stringify(row)),
  rowCount: 1,
});

async function requirePermission({ audit }: AnswerCatalogueDependencies, caller: Caller): Promise<void> {
  if (caller.principal.permissions.has(PERMISSION)) return;
  const metadata = { permission: PERMISSION };
  await audit.append(auditOf(caller, { action: 'ACCESS_DENIED', target: 'catalog', metadata }));
  throw new ProblemError('access_denied', `Reading the catalog needs the permission ${PERMISSION}.`);
}

type Run = (sql: string) => Promise<CatalogueAnswer>;

/** Throws the error of the first object that the statement names and that does not exist. */
async function requireObjects({ requires, otherwise }: CatalogueStatement, run: Run): Promise<void> {
  if (requires.length > 0) {
    const { rows } = await run(foundObjectsSql(requires));
    const missing = missingObject(requires, JSON.parse(`[${Buffer.from(rows).toString()}]`) as readonly FoundObject[]);
    if (missing !== undefined) throw missing;
  }
  if (otherwise !== undefined) throw otherwise;
}

/** Part of the message of the guard about a table that DuckDB does not have. */
const UNKNOWN_TABLE = 'is not a table or view that you can read';

/** Returns the error of a statement that DuckDB rejected: that of a missing catalog, or of a table outside of the catalogue. */
async function explained(thrown: unknown, statement: CatalogueStatement, run: Run): Promise<unknown> {
  const problem = asProblem(thrown);
  const isUnknown = problem.code === 'table_not_found' || problem.message.includes(UNKNOWN_TABLE);
  if (!isUnknown) return problem;
  try {
    await requireObjects(statement, run);
  } catch (missing) {
    return missing;
  }
  return new TrinoError(
    'NOT_SUPPORTED',
    `A statement that reads system or information_schema reads no other tables: ask for them in a statement of their own. ${problem.message}`,
  );
}

const jobOf = (engine: EngineSpec, { sql, user }: { readonly sql: string; readonly user: string }): QueryJob => ({
  engine,
  statement: { sql, queryId: randomUUID(), user, timeZone: 'UTC' },
  format: FORMAT,
});

interface CollectOptions {
  readonly signal: AbortSignal;
  readonly bytesMax: number;
}

async function collect(
  lease: WorkerLease,
  job: QueryJob,
  { signal, bytesMax }: CollectOptions,
): Promise<CatalogueAnswer> {
  let columns: readonly Column[] = [];
  let rowCount = 0;
  let bytes = 0;
  let isComplete = false;
  const parts: Uint8Array[] = [];
  for await (const event of lease.run(job, signal)) {
    if (event.kind === 'columns') ({ columns } = event);
    if (event.kind === 'end') isComplete = true;
    if (event.kind !== 'rows') continue;
    rowCount += event.rows;
    bytes += event.bytes.byteLength;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    parts.push(Buffer.from(event.bytes)); // slice() of a Buffer would share the memory that is released
    event.release?.();
  }
  if (!isComplete) throw new ProblemError('internal', 'The answer from the mirrored catalog was cut.');
  return { columns, rows: Buffer.concat(parts), rowCount };
}

const tooLarge = (bytesMax: number): ProblemError =>
  new ProblemError(
    'resource_limit',
    `The answer is larger than ${bytesMax} bytes. Ask for one catalog, one schema or fewer columns.`,
  );

interface LimitedSignal extends Disposable {
  readonly signal: AbortSignal;
  /** Begins the time. */
  begin(): void;
}

/** Returns a signal that aborts with the given one, or with `time_limit` some time after `begin`. */
function withTimeLimit(signal: AbortSignal, limitMs: number): LimitedSignal {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  let timer: NodeJS.Timeout | undefined;
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const message = `The statement exceeded the time limit of ${limitMs / 1000} s for statements about the catalog. Ask for less of it.`;
  return {
    signal: stop.signal,
    begin: () => {
      timer = setTimeout(() => stop.abort(new ProblemError('time_limit', message)), limitMs).unref();
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
