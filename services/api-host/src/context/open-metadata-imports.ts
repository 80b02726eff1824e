import type { JobQueue } from '@sluice/jobs';
import type { Logger } from '@sluice/observability';
import type { ApiHostSettings } from '../config.ts';
import {
  createEnqueueMetadataImport,
  type EnqueueMetadataImport,
  METADATA_IMPORT_JOB,
} from '../use-cases/catalog/enqueue-metadata-import.ts';
import { createRunMetadataImport } from '../use-cases/catalog/run-metadata-import.ts';
import { openJobs } from './open-jobs.ts';
import type { Stores } from './stores.ts';

/** Imports of metadata files of this host. */
export interface MetadataImports extends AsyncDisposable {
  readonly enqueue: EnqueueMetadataImport;
  /** Enqueues the imports that wait, because the queue may have lost them or their host may have died; for the periodic work. */
  enqueueWaiting(): Promise<void>;
}

interface MetadataImportDependencies {
  readonly settings: ApiHostSettings;
  readonly stores: Stores;
  readonly log: Logger;
}

const IMPORTS_AT_ONCE = 2;
/** The transaction of a batch locks its import, so a short lease is safe: it only decides how soon another host continues. */
const LEASE_MS = 5_000;

/** Opens the queue of imports: in Redis if it is configured, else in PostgreSQL. Does not wait for a connection. */
export function openMetadataImports({ settings, stores, log }: MetadataImportDependencies): MetadataImports {
  const run = createRunMetadataImport({ ...stores, database: stores.importResources, leaseMs: LEASE_MS });
  const jobs: JobQueue = openJobs(settings, {
    queue: 'sluice-metadata-imports',
    handlers: {
      [METADATA_IMPORT_JOB]: async ({ tenantId = '', importId = '' }, signal) => {
        await run({ tenantId, importId }, signal).catch((err: unknown) => {
          if (!signal.aborted) log.warn({ err, tenant_id: tenantId, import_id: importId }, 'a metadata import stopped');
          throw err;
        });
      },
    },
    concurrency: IMPORTS_AT_ONCE,
    onWarning: (message, err) => log.warn({ event: 'jobs_failed', err }, message),
  });
  const enqueue = createEnqueueMetadataImport({ jobs });
  return {
    enqueue,
    async enqueueWaiting() {
      for (const waiting of await stores.metadataImports.findWaiting()) await enqueue(waiting);
    },
    [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose](),
  };
}
