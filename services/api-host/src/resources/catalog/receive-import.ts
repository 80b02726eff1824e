import {
  type Caller,
  type FileFormat,
  IMPORT_OBJECTS_MAX,
  type MetadataObject,
  OPEN_IMPORTS_MAX,
  ProblemError,
} from '@sluice/contract';
import type { ImportBatch, MetadataImport, MetadataImportStore } from '@sluice/store/catalog';
import type { ResourceDatabase } from '@sluice/store/resources';
import type { EnqueueMetadataImport } from '../../use-cases/catalog/enqueue-metadata-import.ts';

/** Object with the number of its line in the file. */
export interface NumberedObject {
  readonly line: number;
  readonly object: MetadataObject;
  /** Lines of its fields. Undefined: they are on the line of the object, as far as the format tells. */
  readonly fieldLines?: readonly number[];
}

export interface FileInput {
  readonly format: FileFormat;
  readonly objects: AsyncIterable<readonly NumberedObject[]>;
  /** Called when all objects are read. */
  isDryRun(): boolean;
}

export interface ReceiveImportContext {
  readonly database: Pick<ResourceDatabase, 'change'>;
  readonly metadataImports: Pick<MetadataImportStore, 'open' | 'stage' | 'discard'>;
  readonly enqueueImport: EnqueueMetadataImport;
}

/** JSON text of a batch; a single larger object is a batch of its own. */
const BATCH_CHARACTERS_MAX = 1024 * 1024;
/** Text that is stored in one statement. */
const STAGED_CHARACTERS_MAX = 512 * 1024;

/** CSV has no columns for additions, removals and owners, and cannot tell a list of one empty id from no list. */
const isTabular = (object: MetadataObject): boolean =>
  [object, ...(object.fields ?? [])].every((each) =>
    Object.entries(each).every(([key, value]) => !/^(?:(?:add|remove)_|owner$)/.test(key) || value === undefined),
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

/**
 * Stores a file as it arrives, and enqueues its import when all of it is valid. Otherwise nothing remains. Throws what reading the file
 * throws, `too_many_requests` and `audit_unavailable`.
 */
export async function receiveImport(
  { database, metadataImports, enqueueImport }: ReceiveImportContext,
  caller: Caller,
  file: FileInput,
): Promise<MetadataImport> {
  const { principal, address, userAgent } = caller;
  const { kind, id, name, tenant } = principal;
  const sender = { kind, id, name, permissions: [...principal.permissions], address, userAgent };
  const opened = { tenantId: tenant.id, format: file.format, sender, openMax: OPEN_IMPORTS_MAX };
  const reference = await metadataImports.open(opened);
  if (reference === undefined) throw tooMany();
  const { importId } = reference;
  try {
    const counts: BatchCounts = { objects: 0, batches: 0, isTabular: true };
    for await (const batches of batchesOf(file, counts)) await metadataImports.stage(reference, batches);
    const isDryRun = file.isDryRun();
    const queued = await database.change(caller, async (tx) => {
      const metadata = { format: file.format, dry_run: isDryRun, total_count: counts.objects };
      await tx.record('START_METADATA_IMPORT', importId, metadata);
      return await tx.imports.enqueue(importId, { ...counts, isDryRun });
    });
    await enqueueImport(queued);
    return queued;
  } catch (thrown) {
    // If this fails too, the rows are removed later.
    await metadataImports.discard(reference).catch(() => undefined);
    throw thrown;
  }
}
