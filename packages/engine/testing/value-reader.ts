import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { DuckDbEngine } from '../src/duckdb/duckdb-engine.ts';
import { openEmptyDuckDb } from './open-duckdb.ts';
import { type ReadOptions, readResult } from './read-result.ts';

/** Reads values through the engine, and asks DuckDB itself what it thinks of the text that came out. */
export class ValueReader implements AsyncDisposable {
  readonly engine: DuckDbEngine;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(engine: DuckDbEngine, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.engine = engine;
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(): Promise<ValueReader> {
    const instance = await DuckDBInstance.create(':memory:');
    return new ValueReader(await openEmptyDuckDb(), instance, await instance.connect());
  }

  /** The text of each value as it stands in JSON, without any parser: `SELECT` of them, one a row. */
  async json(values: readonly string[], options: Partial<ReadOptions> = {}): Promise<readonly string[]> {
    const result = await readResult(this.engine, rowsOf(values), { format: { name: 'json' }, ...options });
    return result.rowsText.split('},\n').map((row, index, all) => {
      const text = row.slice('{"v":'.length);
      return index === all.length - 1 ? text.slice(0, -1) : text;
    });
  }

  /** The same as CSV lines, which must not hold line feeds of their own. */
  async csv(values: readonly string[], options: Partial<ReadOptions> = {}): Promise<readonly string[]> {
    const result = await readResult(this.engine, rowsOf(values), { format: { name: 'csv' }, ...options });
    return result.rowsText.split('\n').slice(0, -1);
  }

  /** Whether a text read as this type is the very value again, by the engine's own comparison. */
  async readsBack(text: string, type: string, value: string): Promise<boolean> {
    const reader = await this.#connection.runAndReadAll(
      `SELECT ($1::VARCHAR)::${type} IS NOT DISTINCT FROM (${value})::${type}`,
      [text],
    );
    return reader.getRows()[0]?.[0] === true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine[Symbol.asyncDispose]();
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

const rowsOf = (values: readonly string[]): string => values.map((value) => `SELECT ${value} AS v`).join(' UNION ALL ');
