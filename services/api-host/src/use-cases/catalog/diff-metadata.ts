import { isDeepStrictEqual } from 'node:util';
import type { MetadataChange } from '@sluice/contract';
import type { FactMetadata, FieldMetadata } from '@sluice/store/catalog';

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
const NOTHING: FieldMetadata = { description: null, tags: [] };

/** Returns the changed properties of the fact, then those of its fields. */
export const diffMetadata = (before: FactMetadata, after: FactMetadata): MetadataChange[] => [
  ...changesOf(null, [before, after], OF_FACT),
  ...[...after.fields].flatMap(([name, field]) =>
    changesOf(name, [before.fields.get(name) ?? NOTHING, field], OF_FIELD),
  ),
];
