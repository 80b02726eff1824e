import { useState } from 'react';
import { isOutdated } from '../api/describe-error.ts';
import { keepDraft, readDraft } from '../api/kept-draft.ts';
import { keepRequestId } from '../api/request-id.ts';
import { type Action, useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useCurrentUser } from '../session/session-context.tsx';
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
import { useReread } from './use-market.ts';

/** An item that is not saved yet. */
export interface ItemEdit {
  readonly draft: ItemDraft;
  readonly hasEdits: boolean;
  readonly problems: ReturnType<typeof problemsOfDraft>;
  /** Losses that saving causes for programs that download the item. */
  readonly losses: ItemLosses;
  /** The item as somebody else has stored it since the owner began. */
  readonly theirs: ItemDraft | undefined;
  readonly saving: Pick<Action<void>, 'isRunning' | 'failure'>;
  change(draft: ItemDraft): void;
  resolve(choice: 'mine' | 'theirs'): void;
  /** Returns whether the draft can be saved, and shows its problems from then on. */
  check(): boolean;
  save(): void;
  discard(): void;
}

interface ItemEditInput {
  /** Undefined: a new item. */
  readonly item: MarketItem | undefined;
  readonly reread: () => Promise<unknown>;
  /** Called with the stored item, and the id of the request that stored it. */
  readonly onSaved: (item: MarketItem, requestId: string) => void;
}

/** Edits an item of the marketplace. What is typed is kept in the browser until it is saved or discarded. */
export function useItemEdit({ item, reread, onSaved }: ItemEditInput): ItemEdit {
  const client = useClient();
  const user = useCurrentUser();
  const rereadMarket = useReread();
  const owner = `${user.tenant} ${user.id}`;
  const draftId = `item ${item?.id ?? ''}`;
  const stored = item === undefined ? NEW_ITEM : draftOfItem(item);
  const [draft, setDraft] = useState<ItemDraft>(() => ({ ...stored, ...readDraft<ItemDraft>(owner, draftId) }));
  const [hasTried, setTried] = useState(false);
  const update = (next: ItemDraft): void => {
    setDraft(next);
    keepDraft(owner, draftId, isSameDraft(next, stored) && next.id === stored.id ? undefined : next);
  };
  const { start, isRunning, failure } = useAction(async () => {
    const sent = keepRequestId();
    const { onResponse } = sent;
    const newOwner = newOwnerOf(stored, draft);
    const body = { ...contentOfDraft(draft), ...(newOwner === undefined ? {} : { owner: newOwner }) };
    try {
      const saved =
        item === undefined
          ? await client.stream.createMarketplaceItem({ body: { id: draft.id, ...body }, onResponse })
          : await client.stream.updateMarketplaceItem({
              params: { id: item.id },
              body,
              headers: { 'if-match': `"${draft.version}"` },
              onResponse,
            });
      keepDraft(owner, draftId, undefined);
      rereadMarket();
      onSaved(saved, sent.id);
    } catch (error) {
      await reread();
      if (!isOutdated(error)) throw error;
    }
  });
  const isOld = item !== undefined && draft.version !== item.version;
  return {
    draft,
    hasEdits: !isSameDraft(draft, stored),
    problems: hasTried ? problemsOfDraft(draft) : [],
    losses: lossesOfItem(stored, draft),
    theirs: isOld && !isSameDraft(draft, stored) ? stored : undefined,
    saving: { isRunning, failure },
    change: update,
    resolve: (choice) => update(choice === 'theirs' ? stored : { ...draft, version: stored.version }),
    check() {
      setTried(true);
      return problemsOfDraft(draft).length === 0;
    },
    save: () => void start(),
    discard: () => update(stored),
  };
}
