import type { JobQueue } from '@sluice/jobs';
import type { ImportLease } from '@sluice/store/catalog';

/** Name of the job in the queue. */
export const METADATA_IMPORT_JOB = 'metadata-import';

export type EnqueueMetadataImport = (waiting: ImportLease) => Promise<void>;

/**
 * Puts an import into the queue. Each attempt is a job of its own, because the job of a host that died blocks its id for a while. Ignores
 * failures: the queue reports its own outage once, and the import waits in the database.
 */
export const createEnqueueMetadataImport =
  ({ jobs }: { readonly jobs: Pick<JobQueue, 'add'> }): EnqueueMetadataImport =>
  async ({ tenantId, importId, attempt }) => {
    const job = { name: METADATA_IMPORT_JOB, id: `${importId}-${attempt}`, data: { tenantId, importId } };
    await jobs.add(job).catch(() => undefined);
  };
