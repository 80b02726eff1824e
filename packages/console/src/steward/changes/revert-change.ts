import type { ApiOperationTypes, Client, ImportObject } from '@sluice/client';
import type { RequestOptions } from '../../api/use-action.ts';
import { ifUnchanged, type Versioned } from '../../api/use-client.ts';

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

class RejectedRevert extends Error {}

/** Restores the values before a change, by an ordinary change of the object in the version that the user sees. */
export async function revertChange(
  client: Client,
  {
    object,
    change,
    current,
  }: { readonly object: ChangedObject; readonly change: RecordedChange; readonly current: Versioned<unknown> },
  options: RequestOptions,
): Promise<void> {
  const values = revertedValues(change);
  const request = { ...ifUnchanged(current), ...options };
  if (values.some(({ property }) => OF_DATAMAPS.has(property))) {
    const body = Object.fromEntries(values.map(({ property, before }) => [property, before]));
    await client.api.updateDatamap({ params: { id: object.id }, body, ...request });
    return;
  }
  const { metadata_results: results } = await client.api.importMetadata({
    body: { metadata_objects: [restoringObject(object, values)] },
    ...request,
  });
  const rejected = results.find(({ success }) => !success);
  if (rejected !== undefined) throw new RejectedRevert(rejected.error_message ?? '');
}
