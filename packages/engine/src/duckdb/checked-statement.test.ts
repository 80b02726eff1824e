import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEmptyDuckDb } from '../../testing/open-duckdb.ts';
import { readResult } from '../../testing/read-result.ts';
import type { DuckDbEngine } from './duckdb-engine.ts';

let engine: DuckDbEngine;
beforeAll(async () => {
  engine = await openEmptyDuckDb();
});
afterAll(() => engine[Symbol.asyncDispose]());

describe('a statement that changes without its semicolon', () => {
  it.each(['SELECT 1 \u2028;', 'SELECT 1 \u2028 ;', 'SELECT 1 \u2028/**/;'])(
    'is rejected with a message that says what to do: %j',
    async (sql) => {
      await expect(readResult(engine, sql, { format: { name: 'json' } })).rejects.toMatchObject({
        code: 'syntax_error',
        message: expect.stringContaining('Remove the semicolon'),
      });
    },
  );
});
