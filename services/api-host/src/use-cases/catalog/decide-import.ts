import type {
  MetadataChange,
  MetadataImportRequest,
  MetadataObject,
  MetadataResult,
  Principal,
} from '@sluice/contract';
import {
  type FactMetadata,
  type FactReference,
  type FactWrite,
  type FoundMetadata,
  referenceKey,
} from '@sluice/store/catalog';
import { applyMetadata } from './apply-metadata.ts';
import { checkObject, type ImportRejection } from './check-object.ts';
import { diffMetadata } from './diff-metadata.ts';

/** Object of a request with its reference; undefined if its id is not a valid name. */
export interface ReferredObject {
  readonly object: MetadataObject;
  readonly reference: FactReference | undefined;
}

export interface DecidedObject {
  readonly object: MetadataObject;
  readonly factId: string;
  readonly rejection: ImportRejection | undefined;
  readonly changes: readonly MetadataChange[];
}

interface DecidedImport {
  readonly objects: readonly DecidedObject[];
  readonly writes: readonly FactWrite[];
}

interface Progress {
  readonly before: FactMetadata;
  now: FactMetadata;
}

const writeOf = (factId: string, { before, now }: Progress): FactWrite => {
  const changes = diffMetadata(before, now);
  const fields = new Set(changes.map(({ field }) => field));
  const own = new Set(changes.filter(({ field }) => field === null).map(({ property }) => property));
  return {
    factId,
    description: now.description,
    tags: now.tags,
    ...(own.has('display_name') && now.displayName !== null ? { displayName: now.displayName } : {}),
    ...(own.has('domains') ? { domains: now.domains } : {}),
    fields: new Map([...now.fields].filter(([name]) => fields.has(name))),
  };
};

/**
 * Decides the outcome of each object, in order. An object is applied completely or not at all; a second object for the same fact is
 * applied to the result of the first. Returns one write for each fact that changes.
 */
export function decideImport(
  principal: Principal,
  objects: readonly ReferredObject[],
  found: FoundMetadata,
): DecidedImport {
  const progress = new Map<string, Progress>();
  const decided = objects.map(({ object, reference }): DecidedObject => {
    const fact = reference && found.facts.get(referenceKey(reference));
    const current = fact && (progress.get(fact.factId) ?? { before: fact, now: fact });
    const after = current && applyMetadata(current.now, object);
    const { rejection, mayKnow } = checkObject({ principal, object, fact, after, domainIds: found.domainIds });
    const factId = fact !== undefined && mayKnow ? fact.factId : '';
    if (fact === undefined || current === undefined || after === undefined || rejection !== undefined) {
      return { object, factId, rejection, changes: [] };
    }
    const changes = diffMetadata(current.now, after);
    progress.set(fact.factId, { before: current.before, now: after });
    return { object, factId, rejection, changes };
  });
  const changed = [...progress].filter(([, { before, now }]) => diffMetadata(before, now).length > 0);
  return { objects: decided, writes: changed.map(([factId, each]) => writeOf(factId, each)) };
}

/** Returns the result of an object as in the response. */
export const presentResult = (
  { object, factId, rejection, changes }: DecidedObject,
  { dry_run: isDryRun = false }: Pick<MetadataImportRequest, 'dry_run'>,
): MetadataResult => ({
  id: object.id,
  type: object.type,
  fact_id: factId,
  success: rejection === undefined,
  fields_processed: rejection === undefined && (object.fields ?? []).length > 0,
  error_message: rejection?.message ?? null,
  ...(isDryRun ? { changes: [...changes] } : {}),
});
