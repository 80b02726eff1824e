import { expect, it } from '@jest/globals';
import { createEnqueueHarvest } from './enqueue-harvest.ts';

const RUN = { tenantId: 't', runId: 'r' };

it('the job of a harvest has the id of the run, and a queue that is down does not fail the harvest', async () => {
  const added: unknown[] = [];
  await createEnqueueHarvest({ jobs: { add: async (job) => void added.push(job) } })(RUN);
  expect(added).toEqual([{ name: 'harvest', id: 'r', data: { tenantId: 't', runId: 'r' } }]);
  const down = createEnqueueHarvest({ jobs: { add: () => Promise.reject(new Error('down')) } });
  await expect(down(RUN)).resolves.toBeUndefined();
});
