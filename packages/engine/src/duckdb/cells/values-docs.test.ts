import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseMarkdownTables } from '@sluice/testkit';
import { openEmptyDuckDb } from '../../../testing/open-duckdb.ts';
import { readResult } from '../../../testing/read-result.ts';
import type { DuckDbEngine } from '../duckdb-engine.ts';

const page = await readFile(new URL('../../../../../docs/values.md', import.meta.url), 'utf8');
const [rows = []] = parseMarkdownTables(page);

const code = (cell: string | undefined): string => (cell ?? '').replace(/^`(.*)`$/s, '$1');

let engine: DuckDbEngine;
beforeAll(async () => {
  engine = await openEmptyDuckDb();
});
afterAll(() => engine[Symbol.asyncDispose]());

describe('docs/values.md', () => {
  it('has a table of every engine, with an example of every type', () => {
    expect(parseMarkdownTables(page)).toHaveLength(2);
    expect(rows.length).toBeGreaterThan(45);
  });

  it.each(rows.map((row) => [row['DuckDB'] ?? '', row] as const))(
    'shows what is really sent: %s',
    async (label, row) => {
      const timeZone = /, in (\S+)$/.exec(label)?.[1] ?? 'UTC';
      const sql = `SELECT ${code(row['Example'])} AS v`;
      const json = await readResult(engine, sql, { format: { name: 'json' }, timeZone });
      const csv = await readResult(engine, sql, { format: { name: 'csv' }, timeZone });
      expect({
        Type: json.columns[0]?.type,
        JSON: json.rowsText.slice('{"v":'.length, -1),
        CSV: csv.rowsText.slice(0, -1),
      }).toEqual({ Type: row['Type'], JSON: code(row['JSON']), CSV: code(row['CSV']) });
    },
  );
});
