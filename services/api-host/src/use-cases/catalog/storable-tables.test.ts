import { describe, expect, it } from '@jest/globals';
import type { CatalogTable } from '@sluice/engine';
import { storableTables } from './storable-tables.ts';

const tableOf = (schema: string, name: string, columns: readonly string[] = []): CatalogTable =>
  ({ schema, name, columns: columns.map((column) => ({ name: column })) }) as unknown as CatalogTable;

describe('storableTables', () => {
  it('returns tables with storable names unchanged', () => {
    const tables = [tableOf('main', 'größe', ['a', 'b']), tableOf('s', 'x'.repeat(800))];
    expect(storableTables(tables)).toEqual({ tables, skipped: 0 });
  });

  it.each([
    ['an empty name', ''],
    ['a null character', 'a\0b'],
    ['half a surrogate pair', 'a\ud800'],
    ['a name of more than 800 bytes', 'é'.repeat(401)],
  ])('skips tables and schemas with %s', (_name, bad) => {
    const good = tableOf('s', 't');
    expect(storableTables([tableOf(bad, 't'), good, tableOf('s', bad)])).toEqual({ tables: [good], skipped: 2 });
  });

  it('skips single columns, and counts them', () => {
    const { tables, skipped } = storableTables([tableOf('s', 't', ['a', '', 'x'.repeat(2001), 'b'])]);
    expect(tables[0]?.columns.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(skipped).toBe(2);
  });
});
