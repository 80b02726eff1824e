import {
  auditOf,
  type Caller,
  type FileFormat,
  IMPORT_OBJECTS_MAX,
  type MetadataObject,
  OPEN_IMPORTS_MAX,
  ProblemError,
} from '@sluice/contract';
import type { JobQueue } from '@sluice/jobs';
import type { ImportBatch, ImportLease, MetadataImport, MetadataImportStore } from '@sluice/store/catalog';

/** Name of the job in the queue. */
export const METADATA_IMPORT_JOB = 'metadata-import';

/** Object with the number of its line in the file. */
export interface NumberedObject {
  readonly line: number;
  readonly object: MetadataObject;
}

export interface FileInput {
  readonly format: FileFormat;
  readonly objects: AsyncIterable<readonly NumberedObject[]>;
  /** Called when all objects are read. */
  isDryRun(): boolean;
}

/**
 * Stores a file as it arrives, and enqueues it when all of it is valid. Otherwise nothing remains. Throws what reading the file throws,
 * `too_many_requests` and `audit_unavailable`.
 */
export type StartMetadataImport = (caller: Caller, file: FileInput) => Promise<MetadataImport>;

export type EnqueueMetadataImport = (waiting: ImportLease) => Promise<void>;

interface StartMetadataImportDependencies {
  readonly metadataImports: MetadataImportStore;
  readonly enqueue: EnqueueMetadataImport;
}

/** JSON text of a batch; a single larger object is a batch of its own. */
const BATCH_CHARACTERS_MAX = 1024 * 1024;
/** Text that is stored in one statement. */
const STAGED_CHARACTERS_MAX = 512 * 1024;

/** CSV has no columns for additions and removals, and cannot tell a list of one empty id from no list. */
const isTabular = (object: MetadataObject): boolean =>
  [object, ...(object.fields ?? [])].every((each) =>
    Object.entries(each).every(([key, value]) => !/^(?:add|remove)_/.test(key) || value === undefined),
  ) && !(object.domains ?? []).includes('');

interface BatchCounts {
  objects: number;
  batches: number;
  isTabular: boolean;
}

/** Groups objects into batches of at most fifty, and yields as many batches as one statement stores. */
async function* batchesOf(file: FileInput, counts: BatchCounts): AsyncGenerator<readonly ImportBatch[]> {
  let staged: ImportBatch[] = [];
  let stagedCharacters = 0;
  let objects: string[] = [];
  let characters = 0;
  const close = (): void => {
    if (objects.length === 0) return;
    staged.push({ number: counts.batches, objects: `[${objects.join(',')}]` });
    stagedCharacters += characters;
    counts.batches += 1;
    objects = [];
    characters = 0;
  };
  for await (const group of file.objects) {
    for (const each of group) {
      const text = JSON.stringify(each);
      if (characters + text.length > BATCH_CHARACTERS_MAX) close();
      objects.push(text);
      characters += text.length;
      counts.objects += 1;
      counts.isTabular &&= isTabular(each.object);
      if (objects.length === IMPORT_OBJECTS_MAX) close();
      if (stagedCharacters < STAGED_CHARACTERS_MAX) continue;
      yield staged;
      staged = [];
      stagedCharacters = 0;
    }
  }
  close();
  if (staged.length > 0) yield staged;
}

const tooMany = (): ProblemError =>
  new ProblemError(
    'too_many_requests',
    `The tenant already has ${OPEN_IMPORTS_MAX} imports that wait or run. Wait for one to end, or cancel one.`,
    { retryAfterSeconds: 10 },
  );

export const createStartMetadataImport =
  ({ metadataImports, enqueue }: StartMetadataImportDependencies): StartMetadataImport =>
  async (caller, file) => {
    const { principal, address, userAgent } = caller;
    const { kind, id, name, tenant } = principal;
    const sender = { kind, id, name, permissions: [...principal.permissions], address, userAgent };
    const opened = { tenantId: tenant.id, format: file.format, sender, openMax: OPEN_IMPORTS_MAX };
    const reference = await metadataImports.open(opened);
    if (reference === undefined) throw tooMany();
    try {
      const counts: BatchCounts = { objects: 0, batches: 0, isTabular: true };
      for await (const batches of batchesOf(file, counts)) await metadataImports.stage(reference, batches);
      const isDryRun = file.isDryRun();
      const metadata = { format: file.format, dry_run: isDryRun, total_count: counts.objects };
      const record = auditOf(caller, { action: 'START_METADATA_IMPORT', target: reference.importId, metadata });
      const queued = await metadataImports.enqueue(reference, { ...counts, isDryRun }, record);
      await enqueue(queued);
      return queued;
    } catch (thrown) {
      // If this fails too, the rows are removed later.
      await metadataImports.discard(reference).catch(() => undefined);
      throw thrown;
    }
  };

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
