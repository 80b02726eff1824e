import { expect, it } from '@jest/globals';
import { createEnqueueMetadataImport } from './enqueue-metadata-import.ts';

it('the job of an import is another one for each attempt, and a queue that is down does not fail the import', async () => {
  const added: unknown[] = [];
  const enqueue = createEnqueueMetadataImport({ jobs: { add: async (job) => void added.push(job) } });
  await enqueue({ tenantId: 't', importId: 'i', attempt: 2 });
  expect(added).toEqual([{ name: 'metadata-import', id: 'i-2', data: { tenantId: 't', importId: 'i' } }]);
  const down = createEnqueueMetadataImport({ jobs: { add: () => Promise.reject(new Error('down')) } });
  await expect(down({ tenantId: 't', importId: 'i', attempt: 1 })).resolves.toBeUndefined();
});
