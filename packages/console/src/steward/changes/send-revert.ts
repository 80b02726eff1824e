import type { Client } from '@sluice/client';
import type { RequestOptions } from '../../api/use-action.ts';
import { ifUnchanged, type Versioned } from '../../api/use-client.ts';
import {
  type ChangedObject,
  needsDatamapRequest,
  type RecordedChange,
  restoringObject,
  revertedValues,
} from './revert-change.ts';

class RejectedRevert extends Error {}

/** Restores the values before a change, by an ordinary change of the object in the version that the user sees. */
export async function sendRevert(
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
  if (needsDatamapRequest(values)) {
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
