import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseMarkdownTables } from '@sluice/testkit';
import { TrinoEngine } from '../src/trino/trino-engine.ts';
import { readResult } from './read-result.ts';

// biome-ignore lint/style/noProcessEnv: a test run gets the address of its server from the environment, as a service does
const baseUrl = process.env['SLUICE_TEST_TRINO'] ?? 'http://127.0.0.1:28090';
const page = await readFile(new URL('../../../docs/values.md', import.meta.url), 'utf8');
const [, rows = []] = parseMarkdownTables(page);

const code = (cell: string | undefined): string => (cell ?? '').replace(/^`(.*)`$/s, '$1');

let engine: TrinoEngine;
beforeAll(() => {
  const credentials = { kind: 'none' } as const;
  engine = new TrinoEngine({ baseUrl, catalogs: ['tpch'], defaultCatalog: 'tpch', credentials });
});
afterAll(() => engine[Symbol.asyncDispose]());

describe('docs/values.md for Trino', () => {
  it('has an example of every type', () => {
    expect(rows.length).toBeGreaterThan(38);
  });

  it.each(rows.map((row) => [row['Trino'] ?? '', row] as const))(
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
