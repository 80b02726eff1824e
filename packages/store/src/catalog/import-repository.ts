import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import {
  IMPORT_COLUMNS,
  type ImportLease,
  type ImportRow,
  type MetadataImport,
  toMetadataImport,
} from './metadata-import-mapper.ts';

/** Counts and options of a file whose last batch was received. */
export interface ReceivedFile {
  readonly objects: number;
  readonly batches: number;
  readonly isDryRun: boolean;
  readonly isTabular: boolean;
}

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

/** Imported files of one tenant, within one transaction. */
export interface ImportRepository {
  /** Returns undefined for an unknown id, and while the file is received. */
  find(importId: string): Promise<MetadataImport | undefined>;
  /** Makes a received file ready for the job. */
  enqueue(importId: string, file: ReceivedFile): Promise<MetadataImport>;
  /** Cancels an import, once the batch in progress is applied. Returns undefined if the import has ended before. */
  cancel(importId: string): Promise<MetadataImport | undefined>;
  /**
   * Locks the import until the end of the transaction. Returns false if this batch is not its next one, or if the import was cancelled or
   * taken over by another host: nothing may be applied then.
   */
  lockBatch(batch: HeldBatch): Promise<boolean>;
  /** Saves the results of a batch, and makes the following one the next. */
  completeBatch(batch: HeldBatch, results: BatchResults): Promise<void>;
}

const ONE = 'tenant_id = $1 and import_id = $2';

const FIND = `select ${IMPORT_COLUMNS} from metadata_imports where ${ONE} and state <> 'UPLOADING'`;

const ENQUEUE = `
  update metadata_imports set state = 'QUEUED', objects = $3, batches = $4, is_dry_run = $5, is_tabular = $6
  where ${ONE} and state = 'UPLOADING' returning ${IMPORT_COLUMNS}`;

/** Waits for the batch in progress, whose transaction has locked the row. */
const CANCEL = `
  update metadata_imports set state = 'CANCELLED', ended = clock_timestamp(), held_until = null
  where ${ONE} and state in ('QUEUED', 'RUNNING') returning ${IMPORT_COLUMNS}`;

const LOCK_BATCH = `
  select next_batch from metadata_imports
  where ${ONE} and attempt = $3 and next_batch = $4 and state = 'RUNNING'
  for no key update`;

const ADVANCE = `
  update metadata_imports set next_batch = next_batch + 1, stalled = 0, processed = processed + $3, succeeded = succeeded + $4,
    changed = changed + $5, held_until = clock_timestamp() + make_interval(secs => $6::float8 / 1000)
  where ${ONE}`;

const SAVE_RESULTS = `update metadata_import_batches set results = $4 where ${ONE} and number = $3`;

export function createImportRepository(transaction: Transaction, tenantId: string): ImportRepository {
  const run = async (text: string, importId: string, more: readonly unknown[] = []) => {
    const [row] = await transaction.query<ImportRow>(text, [tenantId, importId, ...more]);
    return row && toMetadataImport(row);
  };
  return {
    find: async (importId) => (isUuid(importId) ? await run(FIND, importId) : undefined),
    async enqueue(importId, { objects, batches, isDryRun, isTabular }) {
      const queued = await run(ENQUEUE, importId, [objects, batches, isDryRun, isTabular]);
      if (queued === undefined) throw new Error('the import was removed while its file was received');
      return queued;
    },
    cancel: (importId) => run(CANCEL, importId),
    async lockBatch({ lease: { importId, attempt }, number }) {
      return (await transaction.query(LOCK_BATCH, [tenantId, importId, attempt, number])).length > 0;
    },
    async completeBatch({ lease: { importId }, number, leaseMs }, { results, processed, succeeded, changed }) {
      await transaction.query(SAVE_RESULTS, [tenantId, importId, number, results]);
      await transaction.query(ADVANCE, [tenantId, importId, processed, succeeded, changed, leaseMs]);
    },
  };
}
