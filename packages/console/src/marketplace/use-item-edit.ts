import { useState } from 'react';
import { isOutdated } from '../api/describe-error.ts';
import { QUERY_KEYS, useInvalidate } from '../api/query-keys.ts';
import { ifUnchanged, useClient, type Versioned } from '../api/use-client.ts';
import { useVersionedEdit, type VersionedEdit } from '../api/use-versioned-edit.ts';
import type { ConflictChoice } from '../ui/conflict-panel.tsx';
import type { MarketItem } from './access-state.ts';
import {
  contentOfDraft,
  draftOfItem,
  type ItemDraft,
  isSameDraft,
  NEW_ITEM,
  newOwnerOf,
  problemsOfDraft,
} from './item-draft.ts';
import { type ItemLosses, lossesOfItem } from './item-losses.ts';

/** An item that is not saved yet. */
export interface ItemEdit extends Pick<VersionedEdit<ItemDraft>, 'saving' | 'save' | 'discard'> {
  readonly draft: ItemDraft;
  readonly hasEdits: boolean;
  readonly problems: ReturnType<typeof problemsOfDraft>;
  /** Losses that saving causes for programs that download the item. */
  readonly losses: ItemLosses;
  /** The item as somebody else has stored it since the owner began. */
  readonly theirs: ItemDraft | undefined;
  change(draft: ItemDraft): void;
  resolve(choice: ConflictChoice): void;
  /** Returns whether the draft can be saved, and shows its problems from then on. */
  check(): boolean;
}

interface ItemEditInput {
  /** Undefined: a new item. */
  readonly item: MarketItem | undefined;
  readonly refetch: () => Promise<MarketItem | undefined>;
  /** Called with the stored item, and the id of the request that stored it. */
  readonly onSaved: (item: MarketItem, requestId: string) => void;
}

const versionOf = (item: MarketItem | undefined): Versioned<MarketItem | undefined> => ({
  value: item,
  entityTag: item && `"${item.version}"`,
});

const storedDraft = (item: MarketItem | undefined): ItemDraft => (item === undefined ? NEW_ITEM : draftOfItem(item));

/** Edits an item of the marketplace. */
export function useItemEdit({ item, refetch, onSaved }: ItemEditInput): ItemEdit {
  const client = useClient();
  const invalidateMarket = useInvalidate(QUERY_KEYS.market);
  const [hasTried, setTried] = useState(false);
  const { edit, hasConflict, change, save, discard, saving } = useVersionedEdit<
    MarketItem | undefined,
    ItemDraft,
    MarketItem
  >({
    draftId: `item ${item?.id ?? ''}`,
    sample: NEW_ITEM,
    read: versionOf(item),
    refetch: async () => versionOf(await refetch()),
    isConflict: (current, draft) =>
      current !== undefined && draft.version !== current.version && !isSameDraft(draft, draftOfItem(current)),
    rest: (draft, sent, saved) =>
      isSameDraft(draft, sent) ? undefined : { ...draft, version: storedDraft(saved).version },
    async send(current, draft, options) {
      const owner = newOwnerOf(storedDraft(current.value), draft);
      const body = { ...contentOfDraft(draft), ...(owner === undefined ? {} : { owner }) };
      if (item === undefined)
        return client.stream.createMarketplaceItem({ body: { id: draft.id, ...body }, ...options });
      const request = { params: { id: item.id }, body, ...ifUnchanged(current), ...options };
      return client.stream.updateMarketplaceItem(request).catch(async (error: unknown) => {
        if (!isOutdated(error)) await refetch();
        throw error;
      });
    },
    onSaved(saved, requestId) {
      setTried(false);
      invalidateMarket();
      onSaved(saved, requestId);
    },
  });
  const stored = storedDraft(item);
  // A draft may be from an earlier version of the console, without some of the fields.
  const draft = { ...stored, ...edit };
  const update = (next: ItemDraft): void =>
    change(isSameDraft(next, stored) && next.id === stored.id ? undefined : next);
  return {
    draft,
    hasEdits: !isSameDraft(draft, stored),
    problems: hasTried ? problemsOfDraft(draft) : [],
    losses: lossesOfItem(stored, draft),
    theirs: hasConflict ? stored : undefined,
    ...{ saving, save, discard },
    change: update,
    resolve: (choice) => update(choice === 'theirs' ? stored : { ...draft, version: stored.version }),
    check() {
      setTried(true);
      return problemsOfDraft(draft).length === 0;
    },
  };
}
