import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFormat } from '@sluice/encoders';
import { openEmptyDuckDb } from '../../testing/open-duckdb.ts';
import { formatSpec } from '../../testing/read-result.ts';
import type { RowsEvent } from '../engine.ts';
import type { DuckDbEngine } from './duckdb-engine.ts';

let engine: DuckDbEngine;
beforeAll(async () => {
  engine = await openEmptyDuckDb();
});
afterAll(() => engine[Symbol.asyncDispose]());

const format = createFormat(formatSpec({ name: 'csv' }));

async function* rowsOf(sql: string, signal: AbortSignal): AsyncGenerator<RowsEvent> {
  const queryId = '00000000-0000-4000-8000-000000000000';
  const statement = { sql, queryId, user: 'reader@acme.example', timeZone: 'UTC', rowsMax: undefined };
  for await (const event of engine.run(statement, (columns) => format.row(columns), signal)) {
    if (event.kind === 'rows') yield event;
  }
}

describe('rows of a result', () => {
  it('are sent chunk by chunk, so that a slow query shows its first rows and wide rows are not held in thousands', async () => {
    const leaving = new AbortController();
    const sql = 'SELECT n FROM range(10000) t(n) UNION ALL SELECT n FROM range(9000000000000) t(n) WHERE n % 7 = 8';
    let rows = 0;
    const read = async (): Promise<void> => {
      for await (const event of rowsOf(sql, leaving.signal)) {
        rows += event.rows;
        if (rows >= 4_096) leaving.abort(new Error('enough'));
      }
    };
    await expect(read()).rejects.toThrow('enough');
  });
});
