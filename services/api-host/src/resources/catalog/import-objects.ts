import {
  type Caller,
  type MetadataChange,
  type MetadataObject,
  type MetadataResult,
  type Principal,
  parseTableName,
} from '@sluice/contract';
import {
  type FactMetadata,
  type FactReference,
  type FactWrite,
  type FoundFact,
  type MetadataOwner,
  type NewFactChange,
  referenceKey,
} from '@sluice/store/catalog';
import type { TenantTransaction } from '@sluice/store/resources';
import { applyMetadata, diffMetadata } from '../../use-cases/catalog/apply-metadata.ts';
import { checkObject, type ImportRejection } from '../../use-cases/catalog/check-object.ts';

/** Object of an import, with its outcome. */
export interface ImportedObject {
  readonly object: MetadataObject;
  /** Empty if the caller may not know of the object. */
  readonly factId: string;
  readonly rejection: ImportRejection | undefined;
  readonly changes: readonly MetadataChange[];
}

/** Locked objects and domains of an import. */
interface Found {
  readonly facts: ReadonlyMap<string, FoundFact>;
  /** Ids of domains by the ids and names that the objects refer to. */
  readonly domains: ReadonlyMap<string, string>;
  /** Names of existing domains, for the message of an unknown one; empty if all are known, or the caller may not read them. */
  readonly domainNames?: readonly string[];
  /** Users that the objects name as owners, by their e-mail in lower case. */
  readonly owners?: ReadonlyMap<string, MetadataOwner>;
}

interface ImportInput {
  readonly objects: readonly MetadataObject[];
  /** Lines of the fields of each object in its file, for messages. */
  readonly fieldLines?: FieldLines;
  /** Runs every statement, and then rolls back all but the audit record. */
  readonly isDryRun: boolean;
  /** Added to the metadata of the audit record. */
  readonly origin?: Readonly<Record<string, unknown>>;
  /** Checks the outcome before anything is written. */
  readonly check?: (imported: readonly ImportedObject[], facts: Found['facts']) => void;
}

type FieldLines = readonly (readonly number[] | undefined)[];

const referenceOf = ({ type, id }: MetadataObject): FactReference | undefined => {
  if (type === 'DATAMAP') return { type, id };
  const name = parseTableName(id);
  return name && { type, ...name };
};

/** Names or ids of domains of an object. Ids beside names are for readers: names count. */
const domainsOf = ({
  domains,
  domain_ids,
  add_domains = [],
  remove_domains = [],
}: MetadataObject): readonly string[] => [...(domains ?? domain_ids ?? []), ...add_domains, ...remove_domains];

/** Replaces names of domains by ids. A domain that was not found stays. */
function withDomainIds(object: MetadataObject, found: Found['domains']): MetadataObject {
  const { domains, domain_ids, add_domains, remove_domains } = object;
  const idsOf = (references: readonly string[] | undefined) => references?.map((each) => found.get(each) ?? each);
  const lists = {
    domains: idsOf(domains ?? domain_ids),
    add_domains: idsOf(add_domains),
    remove_domains: idsOf(remove_domains),
  };
  return { ...object, ...lists };
}

/** Returns the e-mail of the owner that an object names. Undefined: it names none. */
const ownerEmail = ({ owner }: MetadataObject): string | undefined => owner?.trim().toLowerCase() || undefined;

/** Returns the owner after an object: null without one, undefined if the object does not say, or names no user. */
const ownerAfter = (object: MetadataObject, owners: Found['owners']): MetadataOwner | null | undefined => {
  if (object.owner === undefined) return undefined;
  const email = ownerEmail(object);
  return email === undefined ? null : owners?.get(email);
};

/** Returns the target of the audit record: the id of a single object, else the number of objects. */
export const importTarget = ([first, ...more]: readonly MetadataObject[]): string =>
  more.length === 0 ? (first?.id ?? '') : `${more.length + 1} objects`;

/** Returns the reason for which all objects failed, if it is one of these. */
export function commonRejection(imported: readonly ImportedObject[]): 'not found' | 'forbidden' | undefined {
  const reasons = new Set(imported.map(({ rejection }) => rejection?.reason));
  const [reason] = reasons;
  return reasons.size === 1 && (reason === 'not found' || reason === 'forbidden') ? reason : undefined;
}

interface Progress {
  readonly before: FoundFact;
  readonly now: FactMetadata;
}

const writeOf = (factId: string, now: FactMetadata, changes: readonly MetadataChange[]): FactWrite => {
  const fields = new Set(changes.map(({ field }) => field));
  const own = new Set(changes.filter(({ field }) => field === null).map(({ property }) => property));
  return {
    factId,
    description: now.description,
    tags: now.tags,
    ...(own.has('display_name') && now.displayName !== null ? { displayName: now.displayName } : {}),
    ...(own.has('domains') ? { domains: now.domains } : {}),
    ...(own.has('owner') ? { owner: now.owner } : {}),
    fields: new Map([...now.fields].filter(([name]) => fields.has(name))),
  };
};

/**
 * Decides the outcome of each object, in order. An object is applied completely or not at all; a second object for the same fact is
 * applied to the result of the first. Returns one write, and one entry for its history, for each fact that changes.
 */
export function decideImport(
  principal: Principal,
  objects: readonly MetadataObject[],
  { facts, domains, domainNames = [], owners }: Found,
  fieldLines: FieldLines = [],
): {
  readonly imported: readonly ImportedObject[];
  readonly writes: readonly FactWrite[];
  readonly history: readonly NewFactChange[];
} {
  const progress = new Map<string, Progress>();
  const imported = objects.map((object, index): ImportedObject => {
    const reference = referenceOf(object);
    const fact = reference && facts.get(referenceKey(reference));
    const current: Progress | undefined = fact && (progress.get(fact.factId) ?? { before: fact, now: fact });
    const after = current && applyMetadata(current.now, withDomainIds(object, domains), ownerAfter(object, owners));
    const email = ownerEmail(object);
    const unknownDomains = domainsOf(object).filter((reference) => !domains.has(reference));
    const { rejection, mayKnow } = checkObject({
      ...{ principal, object, fact, after, unknownDomains, domainNames },
      unknownOwner: email === undefined || owners?.has(email) ? undefined : email,
      fieldLines: fieldLines[index],
    });
    const factId = fact !== undefined && mayKnow ? fact.factId : '';
    if (fact === undefined || current === undefined || after === undefined || rejection !== undefined) {
      return { object, factId, rejection, changes: [] };
    }
    const changes = diffMetadata(current.now, after);
    progress.set(fact.factId, { before: current.before, now: after });
    return { object, factId, rejection, changes };
  });
  const changed = [...progress.values()].flatMap(({ before, now }) => {
    const changes = diffMetadata(before, now);
    return changes.length === 0 ? [] : [{ before, now, changes }];
  });
  return {
    imported,
    writes: changed.map(({ before, now, changes }) => writeOf(before.factId, now, changes)),
    history: changed.map(({ before: { factId, version }, changes }) => ({ factId, version: version + 1, changes })),
  };
}

/** Locks what the objects refer to, applies those that can be applied, and records the outcome of all. */
export async function importObjects(
  tx: TenantTransaction,
  { principal }: Pick<Caller, 'principal'>,
  { objects, fieldLines, isDryRun, origin = {}, check }: ImportInput,
): Promise<readonly ImportedObject[]> {
  const inputs = objects.flatMap((object) => {
    const reference = referenceOf(object);
    return reference === undefined ? [] : [{ reference, fieldNames: (object.fields ?? []).map(({ name }) => name) }];
  });
  const facts = await tx.facts.lock(inputs);
  const references = [...new Set(objects.flatMap(domainsOf))];
  const domains = await tx.domains.keep(references);
  const mayListDomains = domains.size < references.length && principal.permissions.has('datamap:read');
  const domainNames = mayListDomains ? await tx.domains.names() : [];
  const owners = await tx.facts.findOwners([...new Set(objects.flatMap((object) => ownerEmail(object) ?? []))]);
  const found = { facts, domains, domainNames, owners };
  const { imported, writes, history } = decideImport(principal, objects, found, fieldLines);
  check?.(imported, facts);
  if (isDryRun) await tx.facts.tryWrite(writes, tx.by);
  else {
    await tx.facts.write(writes, tx.by);
    await tx.factChanges.add(history, tx.by);
  }
  const action = commonRejection(imported) === 'forbidden' ? 'ACCESS_DENIED' : 'IMPORT_METADATA';
  await tx.record(action, importTarget(objects), {
    ...origin,
    dry_run: isDryRun,
    objects: imported.map(({ object: { type, id }, factId, rejection, changes }) => ({
      type,
      id,
      fact_id: factId,
      success: rejection === undefined,
      error_message: rejection?.message ?? null,
      changes,
    })),
  });
  return imported;
}

/** Returns the result of an object as in the response. */
export const presentResult = (
  { object, factId, rejection, changes }: ImportedObject,
  isDryRun: boolean,
): MetadataResult => ({
  id: object.id,
  type: object.type,
  fact_id: factId,
  success: rejection === undefined,
  fields_processed: rejection === undefined && (object.fields ?? []).length > 0,
  error_message: rejection?.message ?? null,
  ...(isDryRun ? { changes: [...changes] } : {}),
});
