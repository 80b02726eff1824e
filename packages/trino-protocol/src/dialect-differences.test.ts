import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Engine } from '@sluice/engine';
import { openEmptyDuckDb, readResult } from '@sluice/engine/testing';
import { parseMarkdownTables } from '@sluice/testkit';
import { doorContext } from '../testing/door-context.ts';
import { readStatement } from './statement/read-statement.ts';

const page = await readFile(new URL('../../../docs/sql.md', import.meta.url), 'utf8');
const rows = parseMarkdownTables(page).find(([first]) => first !== undefined && 'Trino' in first) ?? [];
const code = (cell: string | undefined): string => (cell ?? '').replace(/^`(.*)`$/s, '$1');

let engine: Engine;
beforeAll(async () => {
  engine = await openEmptyDuckDb();
});
afterAll(async () => await engine?.[Symbol.asyncDispose]());

it('docs/sql.md has a table of the statements that return another value on DuckDB than on Trino', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => row['Trino'] === row['DuckDB'])).toEqual([]);
});

it.each(rows.map((row) => [code(row['Statement']), code(row['DuckDB'])]))(
  '%s returns what docs/sql.md shows for DuckDB, and the door does not refuse it',
  async (sql, expected) => {
    expect(readStatement(sql, doorContext({ engine: 'duckdb' }))).toMatchObject({ kind: 'query', sql });
    const { rowsText } = await readResult(engine, `SELECT v FROM (${sql}) AS t(v)`, { format: { name: 'json' } });
    expect(rowsText).toBe(`{"v":${expected}}`);
  },
);
