import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { DuckDbEngine } from '../src/duckdb/duckdb-engine.ts';
import { openEmptyDuckDb } from './open-duckdb.ts';
import { type ReadOptions, readResult } from './read-result.ts';

/** Reads values through the engine, and compares the resulting text in DuckDB itself. */
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

  /** Returns the text of each value in JSON, without any parser: a `SELECT` of them, one per row. */
  async json(values: readonly string[], options: Partial<ReadOptions> = {}): Promise<readonly string[]> {
    const result = await readResult(this.engine, rowsOf(values), { format: { name: 'json' }, ...options });
    return result.rowsText.split('},\n').map((row, index, all) => {
      const text = row.slice('{"v":'.length);
      return index === all.length - 1 ? text.slice(0, -1) : text;
    });
  }

  /** Returns the same as CSV lines, which must not contain line feeds themselves. */
  async csv(values: readonly string[], options: Partial<ReadOptions> = {}): Promise<readonly string[]> {
    const result = await readResult(this.engine, rowsOf(values), { format: { name: 'csv' }, ...options });
    return result.rowsText.split('\n').slice(0, -1);
  }

  /** Returns whether a string that is read as this type equals the value, by the engine's own comparison. */
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
