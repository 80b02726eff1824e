import { describe, expect, it } from '@jest/globals';
import type { AuditRecord, DatamapActivityRequest } from '@sluice/contract';
import type { DatamapStore, StoredDatamap } from '@sluice/store/datamaps';
import { buildCaller } from '@sluice/testkit';
import { createSetDatamapActivity } from './set-datamap-activity.ts';

const storedWith = (activity: object) =>
  ({ record: { datamap: { name: 'Sales', state: 'PUBLISHED' }, user_activity: activity } }) as unknown as StoredDatamap;
const BEFORE = { is_favourite: false, rating: 3, vote: null, viewed: 7 };

/** Sets an activity of the datamap `map`, and returns what the store was given. */
async function set(activity: DatamapActivityRequest, found: StoredDatamap | undefined = storedWith(BEFORE)) {
  const targets: unknown[] = [];
  const records: AuditRecord[] = [];
  const setActivity: DatamapStore['setActivity'] = async (_actor, { decide, ...target }, record) => {
    targets.push(target);
    decide(found);
    const after = storedWith({ ...BEFORE, ...target.activity });
    records.push(record(found, after));
    return after;
  };
  const use = createSetDatamapActivity({ datamaps: { setActivity } });
  await use(buildCaller('ann', ['datamap:read']), { id: 'map', activity });
  return { targets, records };
}

describe('the activity of a caller', () => {
  it('keeps the values that the request does not have, and is recorded before and after', async () => {
    const { targets, records } = await set({ is_favourite: true, rating: undefined });
    expect(targets).toEqual([{ id: 'map', activity: { is_favourite: true } }]);
    const before = { is_favourite: false, rating: 3, vote: null };
    expect(records).toMatchObject([
      {
        action: 'SET_DATAMAP_ACTIVITY',
        target: 'Sales',
        metadata: { datamap_id: 'map', before, after: { ...before, is_favourite: true } },
      },
    ]);
    expect(records[0]?.metadata?.['before']).not.toHaveProperty('viewed');
  });

  it('can remove a rating', async () => {
    expect((await set({ rating: null })).targets).toEqual([{ id: 'map', activity: { rating: null } }]);
  });
});
