import { randomUUID } from 'node:crypto';
import { type Column, type Principal, ProblemError, type QueryParameter, type Tenant } from '@sluice/contract';
import {
  CATALOG_FORMAT,
  type CatalogPage,
  type CatalogPosition,
  type EngineSpec,
  engineCapabilities,
  engineListing,
  engineLocation,
  readCatalog,
  type TableName,
} from '@sluice/engine';
import type { JobProgress, QueryJob, WorkerLease, WorkerRequester, WorkerSource } from '@sluice/query-worker';
import { requireParameters } from './require-parameters.ts';
import type { EngineResolver } from './resolver/engine-resolver.ts';

interface DescribeInput {
  readonly sql: string;
  /** Values of its parameters, on whose types the columns depend. Default: none. */
  readonly parameters?: readonly QueryParameter[] | undefined;
  /** Catalog and schema of unqualified names. Default: those of the engine. */
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
  /** IANA name. It affects only whether the statement is valid, not its columns. Default: UTC. */
  readonly timeZone?: string;
  /**
   * Called before the engine describes the statement, with the tables and views that it names and those behind the views. Null if the engine
   * rejects it; undefined for an engine that cannot name them without planning. Nothing is described before it resolves.
   */
  readonly onNamed?: (tables: readonly TableName[] | null | undefined) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Columns and tables of a statement, as an engine reports them without running it. */
export interface DescribedStatement {
  readonly columns: readonly Column[];
  /** Tables and views that it reads: on DuckDB those that it names, on Trino those below views. */
  readonly tables: readonly TableName[];
  /**
   * Tables and views that it names, and those behind the views, from an engine that cannot name them first (`onNamed`). Undefined if it could not
   * tell either.
   */
  readonly reported?: readonly TableName[] | undefined;
}

interface CatalogInput {
  /** User that the engine lists its catalogs for. */
  readonly user: string;
  readonly after?: CatalogPosition | undefined;
  readonly signal: AbortSignal;
}

interface EngineSource {
  readonly vendorName: string;
  readonly location: string;
}

interface TenantEnginesOptions {
  readonly workers: WorkerSource;
  /** Time limit for describing one statement. */
  readonly describeTimeMs: number;
}

/** Operations on the engines of tenants other than running queries. */
export class TenantEngines {
  readonly #resolveEngine: EngineResolver;
  readonly #workers: WorkerSource;
  readonly #describeTimeMs: number;

  constructor(resolveEngine: EngineResolver, { workers, describeTimeMs }: TenantEnginesOptions) {
    this.#resolveEngine = resolveEngine;
    this.#workers = workers;
    this.#describeTimeMs = describeTimeMs;
  }

  /**
   * Returns the columns that a query of the principal would have and the tables that it would read, without running it. Throws
   * `invalid_request` for a missing or unused parameter, and the problems that the query would have before its first row: `syntax_error`,
   * `table_not_found`, `read_only`, `engine_unavailable`, ..., with a `location` if the engine reports one, and `time_limit` when the
   * engine takes too long.
   */
  async describe(input: DescribeInput, { tenant, id, name }: Principal): Promise<DescribedStatement> {
    const engine = this.#resolveEngine(tenant);
    requireParameters(engine, input);
    using lease = await this.#workers.acquire(
      { tenantId: tenant.id, accountId: id, engineKey: engine.key },
      input.signal,
    );
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(input.signal.reason);
    input.signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => stop.abort(this.#timeLimitExceeded()), this.#describeTimeMs);
    try {
      const job = jobOf(engine, { ...input, user: name });
      if (input.onNamed !== undefined) await nameFirst(lease, job, { onNamed: input.onNamed, signal: stop.signal });
      return await describeOn(lease, { ...job, wants: 'columns and tables' }, stop.signal);
    } finally {
      clearTimeout(timer);
      input.signal.removeEventListener('abort', onAbort);
    }
  }

  #timeLimitExceeded(): ProblemError {
    const seconds = this.#describeTimeMs / 1000;
    return new ProblemError(
      'time_limit',
      `The engine took longer than ${seconds} s to describe the columns of the statement.`,
    );
  }

  /** Returns the database product and the host name of a tenant's data. */
  sourceOf(tenant: Tenant): EngineSource {
    const engine = this.#resolveEngine(tenant);
    return { vendorName: engineCapabilities(engine).vendorName, location: engineLocation(engine) };
  }

  /** Yields the catalog of the tenant's engine in pages, holding one worker and one page. Throws when the listing cannot start. */
  async *catalog(tenant: Tenant, { user, signal, after }: CatalogInput): AsyncGenerator<CatalogPage> {
    const engine = this.#resolveEngine(tenant);
    const listing = engineListing(engine);
    if (listing.catalogs.length === 0) {
      yield { kind: 'catalogs', names: [] };
      return;
    }
    using listed = await this.#workers.acquire(harvesterOf(tenant, engine), signal);
    const queries = {
      run: (sql: string) => listed.run(jobOf(engine, { sql, user }), signal),
      describe: (sql: string) => this.#describeBeside(harvesterOf(tenant, engine), engine, { sql, user, signal }),
    };
    yield* readCatalog({ listing, queries, after, signal });
  }

  /** Describes a statement on another worker: one runs a single statement at a time, and the first is listing tables. */
  async #describeBeside(
    harvester: WorkerRequester,
    engine: EngineSpec,
    { sql, user, signal }: EngineQuery & { readonly signal: AbortSignal },
  ): Promise<readonly Column[]> {
    using lease = await this.#workers.acquire(harvester, signal);
    return (await describeOn(lease, { ...jobOf(engine, { sql, user }), wants: 'columns' }, signal)).columns;
  }
}

interface EngineQuery {
  readonly sql: string;
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
  readonly parameters?: readonly QueryParameter[] | undefined;
  readonly user: string;
  readonly timeZone?: string;
}

const harvesterOf = (tenant: Tenant, engine: EngineSpec): WorkerRequester => ({
  tenantId: tenant.id,
  accountId: 'harvest',
  engineKey: engine.key,
  purpose: 'background',
});

const jobOf = (
  engine: EngineSpec,
  { sql, parameters, user, catalog, schema, timeZone = 'UTC' }: EngineQuery,
): QueryJob => ({
  engine,
  statement: { sql, parameters, queryId: randomUUID(), user, catalog, schema, timeZone },
  format: CATALOG_FORMAT,
});

/** Names the tables of a statement before it is described. Throws what the engine rejects it with, after `onNamed`. */
async function nameFirst(
  lease: WorkerLease,
  job: QueryJob,
  { onNamed, signal }: { readonly onNamed: NonNullable<DescribeInput['onNamed']>; readonly signal: AbortSignal },
): Promise<void> {
  if (!engineCapabilities(job.engine).namesTablesFirst) return await onNamed(undefined);
  let tables: readonly TableName[] | undefined;
  try {
    for await (const event of lease.run({ ...job, wants: 'tables' }, signal))
      if (event.kind === 'columns') ({ tables } = event);
  } catch (thrown) {
    await onNamed(null);
    throw thrown;
  }
  await onNamed(tables ?? null);
}

async function describeOn(lease: WorkerLease, job: QueryJob, signal: AbortSignal): Promise<DescribedStatement> {
  let described: DescribedStatement = { columns: [], tables: [] };
  const reports: (readonly TableName[])[] = [];
  const onProgress = (progress: JobProgress): void => {
    if ('tables' in progress) reports.push(progress.tables);
  };
  for await (const event of lease.run(job, signal, onProgress)) {
    if (event.kind === 'columns') described = { columns: event.columns, tables: event.tables ?? [] };
  }
  return { ...described, reported: reports[0] };
}
