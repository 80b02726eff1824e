import { type MetadataObject, nearestNames, type Principal, TAGS_MAX } from '@sluice/contract';
import type { FactMetadata, FoundFact } from '@sluice/store/catalog';
import { mayChangeDatamap, maySeeDatamap } from '../datamaps/datamap-access.ts';

/** Reason for which an object of an import is not applied. */
export interface ImportRejection {
  readonly reason: 'forbidden' | 'not found' | 'not possible';
  readonly message: string;
}

export interface CheckObjectInput {
  readonly principal: Principal;
  readonly object: MetadataObject;
  /** Undefined if no object has this id. */
  readonly fact: FoundFact | undefined;
  /** Metadata after the change. */
  readonly after: FactMetadata | undefined;
  /** Names and ids of domains that do not exist. */
  readonly unknownDomains: readonly string[];
  /** Names of existing domains, of which the message about an unknown one lists the nearest. */
  readonly domainNames: readonly string[];
  /** Owner that the object names, if no user has this e-mail. */
  readonly unknownOwner?: string | undefined;
  /** Lines of the fields of the object in its file. Undefined: it has no file, or the fields have no lines of their own. */
  readonly fieldLines?: readonly number[] | undefined;
}

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

const domainViolations = ({ unknownDomains, domainNames }: CheckObjectInput): string[] => {
  if (unknownDomains.length === 0) return [];
  const nearest = [...new Set(unknownDomains.flatMap((domain) => nearestNames(domain, domainNames)))];
  const hint = nearest.length === 0 ? '' : ` Did you mean ${quoted(nearest)}?`;
  return [`There is no domain ${quoted(unknownDomains)}.${hint}`];
};

const tagViolations = (after: FactMetadata): string[] => [
  ...(after.tags.length > TAGS_MAX ? [`It would have more than ${TAGS_MAX} tags.`] : []),
  ...[...after.fields].flatMap(([name, { tags }]) =>
    tags.length > TAGS_MAX ? [`Its field ${JSON.stringify(name)} would have more than ${TAGS_MAX} tags.`] : [],
  ),
];

/** Returns a sentence for each violation. */
const violationsOf = (input: CheckObjectInput, fact: FoundFact): string[] => {
  const fields = (input.object.fields ?? []).flatMap(({ name }, index) => {
    if (fact.fields.has(name)) return [];
    const line = input.fieldLines?.[index];
    return [line === undefined ? quoted([name]) : `${quoted([name])} (line ${line})`];
  });
  return [
    ...(fields.length > 0 ? [`It has no field ${fields.join(', ')}.`] : []),
    ...domainViolations(input),
    ...(input.unknownOwner === undefined ? [] : [`There is no user ${quoted([input.unknownOwner])}.`]),
    ...(input.after === undefined ? [] : tagViolations(input.after)),
  ];
};

interface CheckedObject {
  readonly rejection: ImportRejection | undefined;
  /** Whether the caller may know that the object exists. */
  readonly mayKnow: boolean;
}

const forbidden = (message: string): ImportRejection => ({ reason: 'forbidden', message });

/** Checks whether an object can be applied. An object that the caller may not see is rejected like a missing one. */
export function checkObject(input: CheckObjectInput): CheckedObject {
  const { principal, object, fact } = input;
  const { type, id } = object;
  const status = fact?.status;
  if (type !== 'DATAMAP' && !principal.permissions.has('metadata:write')) {
    return { rejection: forbidden(`Changing a ${type} requires the permission metadata:write.`), mayKnow: false };
  }
  if (fact?.type !== type || (type === 'DATAMAP' && (status === undefined || !maySeeDatamap(status, principal)))) {
    return { rejection: { reason: 'not found', message: `There is no ${type} ${id}.` }, mayKnow: false };
  }
  if (status !== undefined && !mayChangeDatamap(status, principal)) {
    const message = 'Changing this DATAMAP requires its ownership, or the permission metadata:write or admin.';
    return { rejection: forbidden(message), mayKnow: true };
  }
  const violations = violationsOf(input, fact);
  if (violations.length === 0) return { rejection: undefined, mayKnow: true };
  return { rejection: { reason: 'not possible', message: violations.join(' ') }, mayKnow: true };
}
