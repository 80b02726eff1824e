import { randomUUID } from 'node:crypto';
import { type Column, type Principal, ProblemError, type Tenant } from '@sluice/contract';
import {
  CATALOG_FORMAT,
  type CatalogListing,
  type CatalogPage,
  type CatalogPosition,
  duckDbListing,
  readCatalog,
  trinoListing,
} from '@sluice/engine';
import type { EngineSpec, QueryJob, WorkerLease, WorkerRequester, WorkerSource } from '@sluice/query-worker';
import type { EngineResolver } from './engine-resolver.ts';

export interface DescribeInput {
  readonly sql: string;
  /** IANA name; it decides nothing about columns but whether the statement can be understood. Default: UTC. */
  readonly timeZone?: string;
  readonly signal: AbortSignal;
}

export interface CatalogInput {
  /** Whom the engine is told that it lists its catalogs for. */
  readonly user: string;
  readonly after?: CatalogPosition | undefined;
  readonly signal: AbortSignal;
}

export interface EngineSource {
  readonly vendorName: string;
  readonly location: string;
}

export interface TenantEnginesOptions {
  readonly workers: WorkerSource;
  /** How long an engine may take to describe one statement. */
  readonly describeTimeMs: number;
}

/** What a host asks of its tenants' engines besides running queries. */
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
   * The columns of a statement as the principal's query would give them; nothing of it runs. Throws what running it would, up to
   * its first row: `syntax_error`, `table_not_found`, `read_only`, `engine_unavailable`, ..., with `location` where the engine
   * gives one, and `time_limit` when the engine takes too long.
   */
  async describe(wish: DescribeInput, { tenant, id, name }: Principal): Promise<readonly Column[]> {
    const engine = this.#resolveEngine(tenant);
    using lease = await this.#workers.acquire(
      { tenantId: tenant.id, accountId: id, engineKey: engine.key },
      wish.signal,
    );
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(wish.signal.reason);
    wish.signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => stop.abort(this.#tooLong()), this.#describeTimeMs);
    try {
      return await describeOn(lease, jobOf(engine, { ...wish, user: name }), stop.signal);
    } finally {
      clearTimeout(timer);
      wish.signal.removeEventListener('abort', onAbort);
    }
  }

  #tooLong(): ProblemError {
    const seconds = this.#describeTimeMs / 1000;
    return new ProblemError(
      'time_limit',
      `The engine took longer than ${seconds} s to say which columns the statement has.`,
    );
  }

  /** What a tenant's data lies in, and on which host. */
  sourceOf(tenant: Tenant): EngineSource {
    const { kind, profile } = this.#resolveEngine(tenant);
    return kind === 'trino'
      ? { vendorName: 'Trino', location: new URL(profile.baseUrl).hostname }
      : { vendorName: 'DuckDB', location: 'localhost' };
  }

  /** Everything that the tenant's engine lists, in pages, holding one worker and one page. Throws what keeps it from beginning. */
  async *catalog(tenant: Tenant, wish: CatalogInput): AsyncGenerator<CatalogPage> {
    const { user, signal, after } = wish;
    const engine = this.#resolveEngine(tenant);
    const listing = listingOf(engine);
    if (listing.catalogs.length === 0) {
      yield { kind: 'catalogs', names: [] };
      return;
    }
    using listed = await this.#workers.acquire(harvesterOf(tenant, engine), signal);
    const questions = {
      run: (sql: string) => listed.run(jobOf(engine, { sql, user }), signal),
      describe: (sql: string) => this.#describeBeside(harvesterOf(tenant, engine), engine, { sql, user, signal }),
    };
    yield* readCatalog({ listing, questions, after, signal });
  }

  /** A worker runs one statement at a time, and the list of tables is open on its own. */
  async #describeBeside(
    harvester: WorkerRequester,
    engine: EngineSpec,
    { sql, user, signal }: EngineQuery & { readonly signal: AbortSignal },
  ): Promise<readonly Column[]> {
    using lease = await this.#workers.acquire(harvester, signal);
    return await describeOn(lease, jobOf(engine, { sql, user }), signal);
  }
}

interface EngineQuery {
  readonly sql: string;
  readonly user: string;
  readonly timeZone?: string;
}

const harvesterOf = (tenant: Tenant, engine: EngineSpec): WorkerRequester => ({
  tenantId: tenant.id,
  accountId: 'harvest',
  engineKey: engine.key,
  purpose: 'background',
});

const jobOf = (engine: EngineSpec, { sql, user, timeZone = 'UTC' }: EngineQuery): QueryJob => ({
  engine,
  statement: { sql, queryId: randomUUID(), user, timeZone },
  format: CATALOG_FORMAT,
});

async function describeOn(lease: WorkerLease, job: QueryJob, signal: AbortSignal): Promise<readonly Column[]> {
  let columns: readonly Column[] = [];
  for await (const event of lease.run({ ...job, wants: 'columns' }, signal)) {
    if (event.kind === 'columns') columns = event.columns;
  }
  return columns;
}

function listingOf(engine: EngineSpec): CatalogListing {
  switch (engine.kind) {
    case 'duckdb':
      return duckDbListing(engine.profile);
    case 'trino':
      return trinoListing(engine.profile);
  }
}
