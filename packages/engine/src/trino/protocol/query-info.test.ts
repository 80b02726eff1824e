import { expect, it } from '@jest/globals';
import { tablesOfQueryInfo } from './query-info.ts';

const info = (members: object): string => JSON.stringify({ queryId: 'q', state: 'FINISHED', ...members });

it('returns the tables that the plan reads and those that the statement names, but no join of another database', () => {
  expect(
    tablesOfQueryInfo(
      info({
        inputs: [
          { catalogName: 'tpch', schema: 'tiny', table: 'nation', columns: [] },
          { catalogName: 'pg', schema: 'public', table: '_generated_query' },
        ],
        referencedTables: [
          { catalog: 'memory', schema: 'a', table: 'view', directlyReferenced: true },
          { catalog: 'tpch', schema: 'tiny', table: 'nation', directlyReferenced: false },
        ],
      }),
    ),
  ).toEqual([
    { catalog: 'tpch', schema: 'tiny', name: 'nation' },
    { catalog: 'memory', schema: 'a', name: 'view' },
    { catalog: 'tpch', schema: 'tiny', name: 'nation' },
  ]);
});

it('returns nothing for an account without tables', () => {
  expect(tablesOfQueryInfo(info({}))).toEqual([]);
  expect(tablesOfQueryInfo(info({ inputs: [{ connectorInfo: {} }], referencedTables: [] }))).toEqual([]);
});
