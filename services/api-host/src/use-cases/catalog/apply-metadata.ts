import { isDeepStrictEqual } from 'node:util';
import { type MetadataChange, type MetadataObject, tagKey } from '@sluice/contract';
import type { FactMetadata, FieldMetadata, MetadataOwner } from '@sluice/store/catalog';
import { changeList } from './change-list.ts';

interface Descriptive {
  readonly description?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly add_tags?: readonly string[] | undefined;
  readonly remove_tags?: readonly string[] | undefined;
}

const NOTHING: FieldMetadata = { description: null, tags: [] };

/** A missing description is kept; an empty one is removed. */
const describe = (before: FieldMetadata, { description, tags, add_tags, remove_tags }: Descriptive): FieldMetadata => ({
  description: description === undefined ? before.description : description || null,
  tags: changeList(before.tags, { all: tags, add: add_tags, remove: remove_tags }, tagKey),
});

const asId = (id: string): string => id.toLowerCase();

/**
 * Applies an object of an import to the metadata of a fact. `before` has every field that the object names.
 * @param owner - the user that the object names, or null to remove the owner. Undefined: the owner is unchanged
 */
export function applyMetadata(
  before: FactMetadata,
  object: MetadataObject,
  owner: MetadataOwner | null | undefined = undefined,
): FactMetadata {
  const { domains, add_domains, remove_domains } = object;
  const fields = new Map(before.fields);
  for (const field of object.fields ?? []) {
    fields.set(field.name, describe(fields.get(field.name) ?? NOTHING, field));
  }
  const changed = changeList(before.domains, { all: domains, add: add_domains, remove: remove_domains }, asId);
  return {
    ...describe(before, object),
    displayName: object.display_name ?? before.displayName,
    domains: changed.map(asId),
    owner: owner === undefined ? before.owner : owner,
    fields,
  };
}

type Value = MetadataChange['before'];
type Property = MetadataChange['property'];

const copyOf = (value: string | null | readonly string[]): Value =>
  typeof value === 'string' || value === null ? value : [...value];

const changesOf = <T extends object>(
  field: string | null,
  [before, after]: readonly [T, T],
  properties: Readonly<Record<string, keyof T & string>>,
): MetadataChange[] =>
  Object.entries(properties).flatMap(([property, key]) => {
    const [was, is] = [before[key], after[key]] as [string | null, string | null];
    if (isDeepStrictEqual(was, is)) return [];
    return [{ field, property: property as Property, before: copyOf(was), after: copyOf(is) }];
  });

const OF_FACT = { display_name: 'displayName', description: 'description', tags: 'tags', domains: 'domains' } as const;
const OF_FIELD = { description: 'description', tags: 'tags' } as const;

/** An owner is the same by its name: an account that was made anew with an e-mail is the same user to the reader. */
const ownerChange = (before: FactMetadata, after: FactMetadata): MetadataChange[] => {
  const [was, is] = [before.owner?.name ?? null, after.owner?.name ?? null];
  return was === is ? [] : [{ field: null, property: 'owner', before: was, after: is }];
};

/** Returns the changed properties of the fact, then those of its fields. */
export const diffMetadata = (before: FactMetadata, after: FactMetadata): MetadataChange[] => [
  ...changesOf(null, [before, after], OF_FACT),
  ...ownerChange(before, after),
  ...[...after.fields].flatMap(([name, field]) =>
    changesOf(name, [before.fields.get(name) ?? NOTHING, field], OF_FIELD),
  ),
];
