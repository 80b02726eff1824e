import type { ApiOperationTypes, ImportObject } from '@sluice/client';

/** One change of an object, as the host keeps it. */
export type RecordedChange = ApiOperationTypes['listMetadataChanges']['result']['data'][number];
export type ChangedValue = RecordedChange['changes'][number];

/** Object whose changes are listed. */
export interface ChangedObject {
  readonly type: ImportObject['type'];
  /** Id as imports take it. */
  readonly id: string;
}

type Property = ChangedValue['property'];

/** Properties that only the request of a datamap changes, and no import. */
const OF_DATAMAPS: ReadonlySet<Property> = new Set([
  'name',
  'priority',
  'sme',
  'sql',
  'parameters',
  'explanation',
  'source_id',
  'limit',
]);

/** Returns the values that a revert sets: all but the state, which has steps of its own. Empty for the creation of an object. */
export const revertedValues = ({ version, changes }: RecordedChange): readonly ChangedValue[] =>
  version === 1 ? [] : changes.filter(({ property }) => property !== 'state');

/** Checks whether values need the request of a datamap, because an import cannot restore one of them. */
export const needsDatamapRequest = (values: readonly ChangedValue[]): boolean =>
  values.some(({ property }) => OF_DATAMAPS.has(property));

/** Returns the object of an import that restores values. */
export function restoringObject({ type, id }: ChangedObject, values: readonly ChangedValue[]): ImportObject {
  const own = values.filter(({ field }) => field === null);
  const fields = new Map<string, Record<string, unknown>>();
  for (const { field, property, before } of values)
    if (field !== null) fields.set(field, { ...fields.get(field), [property]: before });
  const listed = [...fields].map(([name, restored]) => ({ name, ...restored }));
  return {
    type,
    id,
    ...Object.fromEntries(own.map(({ property, before }) => [property, before])),
    ...(listed.length === 0 ? {} : { fields: listed }),
  };
}
