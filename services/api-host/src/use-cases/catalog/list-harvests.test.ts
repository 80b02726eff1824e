import { expect, it } from '@jest/globals';
import type { AuditRecord } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createListHarvests } from './list-harvests.ts';

it('the latest 20 runs of the tenant are listed, unless the read cannot be recorded', async () => {
  const asked: unknown[] = [];
  const records: AuditRecord[] = [];
  const harvestRuns = {
    list: async (...input: unknown[]) => {
      asked.push(input);
      return [];
    },
  };
  const audit = { append: async (record: AuditRecord) => void records.push(record) };
  expect(await createListHarvests({ harvestRuns, audit })(buildCaller('ann'))).toEqual([]);
  expect([asked, records]).toMatchObject([[['t', 20]], [{ action: 'READ_HARVESTS', target: 'harvests' }]]);
  const failing = { append: () => Promise.reject(new Error('no audit')) };
  await expect(createListHarvests({ harvestRuns, audit: failing })(buildCaller('ann'))).rejects.toThrow('no audit');
});
