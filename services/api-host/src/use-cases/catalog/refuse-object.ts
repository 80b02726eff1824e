import { type MetadataObject, type Principal, TAGS_MAX } from '@sluice/contract';
import type { FactMetadata, FoundFact } from '@sluice/store/catalog';

export interface ImportRefusal {
  readonly reason: 'forbidden' | 'not found' | 'not possible';
  readonly message: string;
}

export interface ObjectBefore {
  readonly principal: Principal;
  readonly object: MetadataObject;
  /** Undefined where nothing has this id. */
  readonly fact: FoundFact | undefined;
  /** What the object would make of it. */
  readonly after: FactMetadata | undefined;
  /** Those that exist. */
  readonly domainIds: ReadonlySet<string>;
}

/** Published datamaps are seen by all, others by their owner, their steward, and whoever may change all metadata. */
const seesDatamap = ({ permissions, id }: Principal, { status }: FoundFact): boolean =>
  status?.state === 'PUBLISHED' ||
  status?.ownerId === id ||
  status?.stewardId === id ||
  permissions.has('metadata:write') ||
  permissions.has('admin');

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

const unknownDomains = ({ object, domainIds }: ObjectBefore): string[] =>
  [...(object.domains ?? []), ...(object.add_domains ?? []), ...(object.remove_domains ?? [])].filter(
    (id) => !domainIds.has(id.toLowerCase()),
  );

const tooManyTags = (after: FactMetadata): string[] => [
  ...(after.tags.length > TAGS_MAX ? [`It would have more than ${TAGS_MAX} tags.`] : []),
  ...[...after.fields].flatMap(([name, { tags }]) =>
    tags.length > TAGS_MAX ? [`Its field ${JSON.stringify(name)} would have more than ${TAGS_MAX} tags.`] : [],
  ),
];

/** Everything that is wrong with it at once, in sentences. */
const mistakesOf = (parts: ObjectBefore, fact: FoundFact): string[] => {
  const fields = (parts.object.fields ?? []).map(({ name }) => name).filter((name) => !fact.fields.has(name));
  const domains = unknownDomains(parts);
  return [
    ...(fields.length > 0 ? [`It has no field ${quoted(fields)}.`] : []),
    ...(domains.length > 0 ? [`There is no domain ${quoted(domains)}.`] : []),
    ...(parts.after === undefined ? [] : tooManyTags(parts.after)),
  ];
};

export interface Refused {
  readonly refusal: ImportRefusal | undefined;
  /** Whether the caller may learn that the object is there. */
  readonly mayKnow: boolean;
}

const forbidden = (message: string): ImportRefusal => ({ reason: 'forbidden', message });

/** Why an object cannot be applied. What a caller may not see is refused as what is not there. */
export function refuseObject(parts: ObjectBefore): Refused {
  const { principal, object, fact } = parts;
  const { type, id } = object;
  const mayChangeAll = principal.permissions.has('metadata:write');
  if (type !== 'DATAMAP' && !mayChangeAll) {
    return { refusal: forbidden(`To change a ${type} needs the permission metadata:write.`), mayKnow: false };
  }
  if (fact?.type !== type || (type === 'DATAMAP' && !seesDatamap(principal, fact))) {
    return { refusal: { reason: 'not found', message: `There is no ${type} ${id}.` }, mayKnow: false };
  }
  if (!mayChangeAll && fact.status?.ownerId !== principal.id) {
    const message = 'To change this DATAMAP needs the permission metadata:write, or to own it.';
    return { refusal: forbidden(message), mayKnow: true };
  }
  const mistakes = mistakesOf(parts, fact);
  if (mistakes.length === 0) return { refusal: undefined, mayKnow: true };
  return { refusal: { reason: 'not possible', message: mistakes.join(' ') }, mayKnow: true };
}
