import { expect, it } from '@jest/globals';
import { tablesOfIoPlan } from './io-plan.ts';

/** Plan in the form of Trino 476. */
const PLAN = {
  inputTableColumnInfos: [
    {
      table: { catalog: 'tpch', schemaTable: { schema: 'sf1', table: 'orders' } },
      constraint: { none: false, columnConstraints: [] },
      estimate: { outputRowCount: 1500000, outputSizeInBytes: 'NaN' },
    },
    { table: { catalog: 'lake', schemaTable: { schema: 'odd.schema', table: 'a "b"' } } },
  ],
  estimate: { outputRowCount: 'NaN' },
};

it('tablesOfIoPlan returns the tables of a plan, and none for a plan without tables', () => {
  expect(tablesOfIoPlan(JSON.stringify(PLAN))).toEqual([
    { catalog: 'tpch', schema: 'sf1', name: 'orders' },
    { catalog: 'lake', schema: 'odd.schema', name: 'a "b"' },
  ]);
  expect(tablesOfIoPlan('{"inputTableColumnInfos":[],"estimate":{}}')).toEqual([]);
  expect(tablesOfIoPlan('{}')).toEqual([]);
});
