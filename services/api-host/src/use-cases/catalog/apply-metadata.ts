import { type MetadataObject, tagKey } from '@sluice/contract';
import type { FactMetadata, FieldMetadata } from '@sluice/store/catalog';
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

/** Applies an object of an import to the metadata of a fact. `before` has every field that the object names. */
export function applyMetadata(before: FactMetadata, object: MetadataObject): FactMetadata {
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
    fields,
  };
}
