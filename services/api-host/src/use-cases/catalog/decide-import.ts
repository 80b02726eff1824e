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
import { diffMetadata } from './diff-metadata.ts';
import { type ImportRefusal, refuseObject } from './refuse-object.ts';

/** An object of the request with what it refers to; undefined where its id is no name that anything could have. */
export interface ReferredObject {
  readonly object: MetadataObject;
  readonly reference: FactReference | undefined;
}

export interface DecidedObject {
  readonly object: MetadataObject;
  readonly factId: string;
  readonly refusal: ImportRefusal | undefined;
  readonly changes: readonly MetadataChange[];
}

export interface DecidedImport {
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
 * What becomes of each object, in order: each whole or not at all, one that comes twice on top of what its first made, and one
 * write for every fact that is not what it was.
 */
export function decideImport(
  principal: Principal,
  objects: readonly ReferredObject[],
  found: FoundMetadata,
): DecidedImport {
  const progress = new Map<string, Progress>();
  const decided = objects.map(({ object, reference }): DecidedObject => {
    const fact = reference && found.facts.get(referenceKey(reference));
    const soFar = fact && (progress.get(fact.factId) ?? { before: fact, now: fact });
    const after = soFar && applyMetadata(soFar.now, object);
    const { refusal, mayKnow } = refuseObject({ principal, object, fact, after, domainIds: found.domainIds });
    const factId = fact !== undefined && mayKnow ? fact.factId : '';
    if (fact === undefined || soFar === undefined || after === undefined || refusal !== undefined) {
      return { object, factId, refusal, changes: [] };
    }
    const changes = diffMetadata(soFar.now, after);
    progress.set(fact.factId, { before: soFar.before, now: after });
    return { object, factId, refusal, changes };
  });
  const changed = [...progress].filter(([, { before, now }]) => diffMetadata(before, now).length > 0);
  return { objects: decided, writes: changed.map(([factId, each]) => writeOf(factId, each)) };
}

/** As the wire tells it. */
export const resultOf = (
  { object, factId, refusal, changes }: DecidedObject,
  { dry_run: isTrial = false }: MetadataImportRequest,
): MetadataResult => ({
  id: object.id,
  type: object.type,
  fact_id: factId,
  success: refusal === undefined,
  fields_processed: refusal === undefined && (object.fields ?? []).length > 0,
  error_message: refusal?.message ?? null,
  ...(isTrial ? { changes: [...changes] } : {}),
});
