import type { Transaction } from '../database/transaction.ts';
import type { ImportLease } from './metadata-import-mapper.ts';

/** Batch of an import that one host holds. */
export interface HeldBatch {
  readonly lease: ImportLease;
  readonly number: number;
  /** Extends the lease when the batch is applied. */
  readonly leaseMs: number;
}

/** Results of a batch, and their numbers. */
export interface BatchResults {
  /** JSON of the results, in the order of the objects. */
  readonly results: string;
  readonly processed: number;
  readonly succeeded: number;
  readonly changed: number;
}

/** Batches of imported files of one tenant, within one transaction. */
export interface ImportBatchRepository {
  /**
   * Locks the import until the end of the transaction. Returns false if this batch is not its next one, or if the import was cancelled or
   * taken over by another host: nothing may be applied then.
   */
  lock(batch: HeldBatch): Promise<boolean>;
  /** Saves the results of a batch, and makes the following one the next. */
  complete(batch: HeldBatch, results: BatchResults): Promise<void>;
}

const LOCK = `
  select next_batch from metadata_imports
  where tenant_id = $1 and import_id = $2 and attempt = $3 and next_batch = $4 and state = 'RUNNING'
  for no key update`;

const ADVANCE = `
  update metadata_imports set next_batch = next_batch + 1, stalled = 0, processed = processed + $3, succeeded = succeeded + $4,
    changed = changed + $5, held_until = clock_timestamp() + make_interval(secs => $6::float8 / 1000)
  where tenant_id = $1 and import_id = $2`;

const SAVE_RESULTS = `
  update metadata_import_batches set results = $4 where tenant_id = $1 and import_id = $2 and number = $3`;

export const createImportBatchRepository = (transaction: Transaction): ImportBatchRepository => ({
  async lock({ lease: { tenantId, importId, attempt }, number }) {
    return (await transaction.query(LOCK, [tenantId, importId, attempt, number])).length > 0;
  },
  async complete({ lease: { tenantId, importId }, number, leaseMs }, { results, processed, succeeded, changed }) {
    await transaction.query(SAVE_RESULTS, [tenantId, importId, number, results]);
    await transaction.query(ADVANCE, [tenantId, importId, processed, succeeded, changed, leaseMs]);
  },
});
