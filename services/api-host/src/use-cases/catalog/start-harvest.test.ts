import { expect, it } from '@jest/globals';
import type { AuditRecord } from '@sluice/contract';
import type { HarvestRun } from '@sluice/store/catalog';
import { buildCaller } from '@sluice/testkit';
import { createEnqueueHarvest, createStartHarvest } from './start-harvest.ts';

const RUN = { tenantId: 't', runId: 'r', state: 'WAITING' } as unknown as HarvestRun;

it('a harvest is recorded by its caller, and then queued', async () => {
  const requests: unknown[] = [];
  const records: AuditRecord[] = [];
  const queued: unknown[] = [];
  const start = createStartHarvest({
    harvestRuns: {
      request: async (input, record) => {
        requests.push(input);
        if (record !== undefined) records.push(record(RUN));
        return RUN;
      },
    },
    enqueue: async (run) => void queued.push(run),
  });
  expect(await start(buildCaller('ann'))).toBe(RUN);
  expect(requests).toEqual([{ tenantId: 't', reason: 'request', requestedBy: 'ann@example.com' }]);
  expect(records).toMatchObject([{ action: 'START_HARVEST', target: 'r', metadata: { state: 'WAITING' } }]);
  expect(queued).toEqual([RUN]);
});

it('the job of a harvest has the id of the run, and a queue that is down does not fail the harvest', async () => {
  const added: unknown[] = [];
  await createEnqueueHarvest({ jobs: { add: async (job) => void added.push(job) } })(RUN);
  expect(added).toEqual([{ name: 'harvest', id: 'r', data: { tenantId: 't', runId: 'r' } }]);
  const down = createEnqueueHarvest({ jobs: { add: () => Promise.reject(new Error('down')) } });
  await expect(down(RUN)).resolves.toBeUndefined();
});
