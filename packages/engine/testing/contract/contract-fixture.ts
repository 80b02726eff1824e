import { expect } from '@jest/globals';
import { ProblemError } from '@sluice/contract/problems';
import { createFormat } from '@sluice/encoders';
import type { Engine, ResultEvent } from '../../src/engine.ts';
import type { EngineFixture } from '../engine-fixture.ts';
import { formatSpec, type ReadOptions, readResult, type TextResult } from '../read-result.ts';

/** Sizes around what engines and our reader handle at once: nothing, one, a chunk, its neighbours, many chunks. */
export const SIZES = [0, 1, 2_047, 2_048, 2_049, 100_000] as const;
export const JSON_ROWS = formatSpec({ name: 'json' });

/** An engine fixture and one of its engines. Most tests share that engine, as statements of one tenant do. */
export class ContractFixture {
  #fixture: EngineFixture | undefined;
  #engine: Engine | undefined;

  async setUp(createFixture: () => Promise<EngineFixture>): Promise<void> {
    this.#fixture = await createFixture();
    this.#engine = await this.#fixture.open(JSON_ROWS);
  }

  async teardown(): Promise<void> {
    await this.#engine?.[Symbol.asyncDispose]();
    await this.#fixture?.[Symbol.asyncDispose]();
  }

  get engineFixture(): EngineFixture {
    if (this.#fixture === undefined) throw new Error('The fixture is not ready');
    return this.#fixture;
  }

  get sql(): EngineFixture['sql'] {
    return this.engineFixture.sql;
  }

  get engine(): Engine {
    if (this.#engine === undefined) throw new Error('The engine is not ready');
    return this.#engine;
  }

  read(sql: string, options: Omit<ReadOptions, 'format'> = {}): Promise<TextResult> {
    return readResult(this.engine, sql, { format: JSON_ROWS, ...options });
  }

  async problemOf(sql: string, options: Omit<ReadOptions, 'format'> = {}): Promise<ProblemError> {
    try {
      await this.read(sql, options);
    } catch (thrown) {
      if (thrown instanceof ProblemError) return thrown;
      throw thrown;
    }
    throw new Error(`The statement has not failed: ${sql}`);
  }

  events(sql: string, signal: AbortSignal): AsyncIterator<ResultEvent> {
    const statement = { sql, queryId: '00000000-0000-4000-8000-000000000001', user: 'a@b.example', timeZone: 'UTC' };
    const format = createFormat(JSON_ROWS);
    return this.engine.run(statement, (columns) => format.row(columns), signal)[Symbol.asyncIterator]();
  }

  /** Asserts that the engine still returns results. */
  async expectReady(): Promise<void> {
    expect((await this.read(this.sql.rows(3))).rowsText).toBe(rowsText(3));
  }
}

export const rowsText = (n: number): string =>
  Array.from({ length: n }, (_, id) => `{"id":${id},"label":"row ${id}"}`).join(',\n');

export const COLUMNS = [
  { name: 'id', type: 'bigint' },
  { name: 'label', type: 'varchar' },
];
