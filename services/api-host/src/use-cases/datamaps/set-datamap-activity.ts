import { auditOf, type Caller, type DatamapActivityRequest, type DatamapRecord } from '@sluice/contract';
import type { DatamapStore, StoredDatamap } from '@sluice/store/datamaps';
import { datamapActor, visibleDatamap } from './datamap-access.ts';

export interface DatamapActivityInput {
  readonly id: string;
  /** Missing keys keep their value. */
  readonly activity: DatamapActivityRequest;
}

/** Sets the caller's own favourite, rating and vote of a datamap. Throws `not_found` for a missing and a hidden one. */
type SetDatamapActivity = (caller: Caller, input: DatamapActivityInput) => Promise<StoredDatamap>;

type Activity = Pick<DatamapRecord['user_activity'], 'is_favourite' | 'rating' | 'vote'>;

const activityOf = (record: DatamapRecord | undefined): Activity | null => {
  if (record === undefined) return null;
  const { is_favourite, rating, vote } = record.user_activity;
  return { is_favourite, rating, vote };
};

/** Removes keys without a value: the store keeps missing keys. */
const withoutUndefined = ({ is_favourite, rating, vote }: DatamapActivityRequest): Partial<Activity> => ({
  ...(is_favourite === undefined ? {} : { is_favourite }),
  ...(rating === undefined ? {} : { rating }),
  ...(vote === undefined ? {} : { vote }),
});

export const createSetDatamapActivity =
  ({ datamaps }: { readonly datamaps: Pick<DatamapStore, 'setActivity'> }): SetDatamapActivity =>
  (caller, { id, activity }) => {
    const { principal } = caller;
    const decide = (found: StoredDatamap | undefined): void => void visibleDatamap(found, principal);
    const target = { id, activity: withoutUndefined(activity), decide };
    return datamaps.setActivity(datamapActor(principal), target, (before, after) =>
      auditOf(caller, {
        action: 'SET_DATAMAP_ACTIVITY',
        target: after?.record.datamap.name ?? '',
        metadata: { datamap_id: id, before: activityOf(before?.record), after: activityOf(after?.record) },
      }),
    );
  };
