import type { ImportObject } from '@sluice/client';

/** A description, name or owner, or the tags or the ids of domains. */
export type EditableValue = string | readonly string[];

/** A property of an object, or of one of its fields. */
export interface EditableProperty {
  /** Null: a property of the object itself. */
  readonly field: string | null;
  readonly name: 'display_name' | 'description' | 'tags' | 'domains' | 'owner';
}

/** Descriptive metadata of an object: values by `propertyKey`. */
export interface DescribedObject {
  readonly type: ImportObject['type'];
  /** Id as imports take it. */
  readonly id: string;
  readonly values: ReadonlyMap<string, EditableValue>;
}

/** A value that the user has changed, with the value that the user saw before. */
interface Edit {
  readonly before: EditableValue;
  readonly mine: EditableValue;
}

/** Changed values by `propertyKey`. It can be stored as JSON. */
export type MetadataEdits = Readonly<Record<string, Edit>>;

/** A value that the user and somebody else have changed to something different. */
export interface EditConflict extends EditableProperty {
  readonly key: string;
  readonly mine: EditableValue;
  readonly theirs: EditableValue;
}

export const NO_EDITS: MetadataEdits = {};

/** Returns the key of a property. */
export const propertyKey = (field: string | null, name: EditableProperty['name']): string =>
  JSON.stringify([field, name]);

/** Key of the name of an object. */
export const DISPLAY_NAME = propertyKey(null, 'display_name');

const propertyOf = (key: string): EditableProperty => {
  const [field, name] = JSON.parse(key) as [string | null, EditableProperty['name']];
  return { field, name };
};

const isSame = (one: EditableValue, other: EditableValue): boolean => JSON.stringify(one) === JSON.stringify(other);

const without = (edits: MetadataEdits, key: string): MetadataEdits =>
  Object.fromEntries(Object.entries(edits).filter(([each]) => each !== key));

/** Describes an object by its own values and those of its fields. A field without a description has an empty one. */
export function describedObject(
  { type, id }: Pick<ImportObject, 'type' | 'id'>,
  own: Readonly<Partial<Record<EditableProperty['name'], EditableValue>>>,
  fields: readonly { readonly name: string; readonly description: string | null; readonly tags: readonly string[] }[],
): DescribedObject {
  const ownValues = Object.entries(own).map(
    ([name, value]) => [propertyKey(null, name as EditableProperty['name']), value] as const,
  );
  const fieldValues = fields.flatMap(({ name, description, tags }) => [
    [propertyKey(name, 'description'), description ?? ''] as const,
    [propertyKey(name, 'tags'), tags] as const,
  ]);
  return { type, id, values: new Map<string, EditableValue>([...ownValues, ...fieldValues]) };
}

/** Returns the value of a property as the user has it. */
export const editedValue = (object: DescribedObject, edits: MetadataEdits, key: string): EditableValue | undefined =>
  edits[key]?.mine ?? object.values.get(key);

/** A value that the user has entered, by the key of its property. */
export interface EnteredValue {
  readonly key: string;
  readonly mine: EditableValue;
}

/** Returns the edits after the user has changed values. A value that is as it was before is not an edit. */
export function withEdits(
  object: DescribedObject,
  edits: MetadataEdits,
  entered: readonly EnteredValue[],
): MetadataEdits {
  const changed = new Map(Object.entries(edits));
  for (const { key, mine } of entered) {
    const before = changed.get(key)?.before ?? object.values.get(key);
    if (before === undefined || isSame(before, mine)) changed.delete(key);
    else changed.set(key, { before, mine });
  }
  return Object.fromEntries(changed);
}

/** Returns the values that were changed by somebody else since the user saw them, unless both wrote the same. */
export function conflictsOf(object: DescribedObject, edits: MetadataEdits): readonly EditConflict[] {
  return Object.entries(edits).flatMap(([key, { before, mine }]) => {
    const theirs = object.values.get(key);
    if (theirs === undefined || isSame(theirs, before) || isSame(theirs, mine)) return [];
    return [{ key, ...propertyOf(key), mine, theirs }];
  });
}

/** Returns the edits after the user has chosen one of the two values of a conflict. */
export function resolveConflict(
  edits: MetadataEdits,
  { key, mine, theirs }: EditConflict,
  choice: 'mine' | 'theirs',
): MetadataEdits {
  return choice === 'theirs' ? without(edits, key) : { ...edits, [key]: { before: theirs, mine } };
}

/** Fields that one object of an import may have. */
const FIELDS_MAX = 2_000;

/**
 * Returns the objects of an import that applies the edits, all of the same id: one, unless very many fields are changed. An empty value
 * removes a description.
 */
export function importObjectsOf({ type, id }: DescribedObject, edits: MetadataEdits): ImportObject[] {
  const own: Record<string, unknown> = {};
  const fields = new Map<string, Record<string, unknown>>();
  for (const [key, { mine }] of Object.entries(edits)) {
    const { field, name } = propertyOf(key);
    const target = field === null ? own : (fields.get(field) ?? {});
    target[name] = mine === '' ? null : mine;
    if (field !== null) fields.set(field, target);
  }
  const listed = [...fields].map(([name, values]) => ({ name, ...values }));
  const objects: ImportObject[] = [
    { type, id, ...own, ...(listed.length === 0 ? {} : { fields: listed.slice(0, FIELDS_MAX) }) },
  ];
  for (let start = FIELDS_MAX; start < listed.length; start += FIELDS_MAX)
    objects.push({ type, id, fields: listed.slice(start, start + FIELDS_MAX) });
  return objects;
}

/** Returns what the user has typed since `sent` was sent, which the host has stored. */
export function editsAfterSave(edits: MetadataEdits, sent: MetadataEdits): MetadataEdits {
  return Object.fromEntries(
    Object.entries(edits).flatMap(([key, edit]) => {
      const stored = sent[key]?.mine;
      if (stored === undefined) return [[key, edit]];
      return isSame(stored, edit.mine) ? [] : [[key, { before: stored, mine: edit.mine }]];
    }),
  );
}

/** A value that saving removes. */
export interface RemovedValue extends EditableProperty {
  /** Removed tags or domains. Empty: a text. */
  readonly tags: readonly string[];
}

/** Returns the descriptions and tags that the edits remove. A value that replaces another one removes nothing. */
export function removedBy(edits: MetadataEdits): readonly RemovedValue[] {
  return Object.entries(edits).flatMap(([key, { before, mine }]): RemovedValue[] => {
    const property = propertyOf(key);
    if (typeof before === 'string') return before !== '' && mine === '' ? [{ ...property, tags: [] }] : [];
    const tags = before.filter((tag) => !mine.includes(tag));
    return tags.length > 0 ? [{ ...property, tags }] : [];
  });
}
