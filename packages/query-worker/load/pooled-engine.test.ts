import { expect } from '@jest/globals';
import type { Column } from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import {
  type DuckDbProfile,
  type Engine,
  engineListing,
  type RenderRows,
  type ResultEvent,
  type Statement,
  type TableName,
} from '@sluice/engine';
import { createDuckDbFiles, DUCKDB_SQL, describeEngine } from '@sluice/engine/testing';
import { openPool, type TestPool } from '../testing/workers.ts';

/** Engine that acquires a worker of the pool for each statement, for the engine contract. */
class PooledEngine implements Engine {
  readonly mustReplace = false; // the pool replaces workers
  readonly #pool: TestPool;
  readonly #profile: DuckDbProfile;
  readonly #format: FormatSpec;

  constructor(pool: TestPool, profile: DuckDbProfile, format: FormatSpec) {
    this.#pool = pool;
    this.#profile = profile;
    this.#format = format;
  }

  async *run(statement: Statement, _render: RenderRows, signal: AbortSignal): AsyncIterable<ResultEvent> {
    const engine = { kind: 'duckdb', key: 'tenant', profile: this.#profile } as const;
    using lease = await this.#pool.acquire(engine.key, signal);
    yield* lease.run({ engine, statement, format: this.#format }, signal);
  }

  async describe(statement: Statement, signal: AbortSignal): Promise<readonly Column[]> {
    return (await this.#describe(statement, signal)).columns;
  }

  async tables(statement: Statement, signal: AbortSignal): Promise<readonly TableName[]> {
    return (await this.#describe(statement, signal)).tables ?? [];
  }

  async #describe(statement: Statement, signal: AbortSignal): Promise<Extract<ResultEvent, { kind: 'columns' }>> {
    const engine = { kind: 'duckdb', key: 'tenant', profile: this.#profile } as const;
    using lease = await this.#pool.acquire(engine.key, signal);
    let described: Extract<ResultEvent, { kind: 'columns' }> = { kind: 'columns', columns: [] };
    const job = { engine, statement, format: this.#format, wants: 'columns and tables' } as const;
    for await (const event of lease.run(job, signal)) if (event.kind === 'columns') described = event;
    return described;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The fixture closes the pool.
  }
}

const STOP_MS = 1_000;

const createFixture: Parameters<typeof describeEngine>[1] = async () => {
  const files = await createDuckDbFiles();
  const pool = await openPool({
    workersMax: 3,
    workersWarm: 1,
    queueTimeoutMs: 30_000,
    addressSpaceBytesMax: 3 * 1024 ** 3,
  });
  return {
    sql: DUCKDB_SQL,
    listing: engineListing({ kind: 'duckdb', key: 'tenant', profile: files.profile }),
    open: async (format) => new PooledEngine(pool, files.profile, format),
    [Symbol.asyncDispose]: async () => {
      await pool[Symbol.asyncDispose]();
      await files[Symbol.asyncDispose]();
    },
  };
};

describeEngine('DuckDB in query workers', createFixture, { onStop: (ms) => expect(ms).toBeLessThan(STOP_MS) });
