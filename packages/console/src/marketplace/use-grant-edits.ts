import type { Client } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { ifUnchanged, readVersioned, useClient, type Versioned } from '../api/use-client.ts';
import { useStoredDrafts, useVersionedEdit, type VersionedEdit } from '../api/use-versioned-edit.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { itemEditPath } from '../router/object-paths.ts';
import type { ConflictChoice } from '../ui/conflict-panel.tsx';
import { notify } from '../ui/notifications.tsx';
import {
  applyGrantEdits,
  type GrantConflict,
  type GrantEdits,
  grantConflicts,
  hasGrantEdits,
  type ItemGrant,
  NO_GRANT_EDITS,
  recipientOf,
  undone,
} from './grant-edits.ts';

/** Edits that are not saved, and the grants that the user saw when the first of them was made. */
interface GrantsDraft {
  readonly edits: GrantEdits;
  readonly seen: readonly ItemGrant[];
}

/** Changes of the grants of an item that are not saved. */
export interface GrantsEdit extends Pick<VersionedEdit<GrantsDraft>, 'saving' | 'save'> {
  readonly edits: GrantEdits;
  /** Grants that another user has changed as well. */
  readonly conflicts: readonly GrantConflict[];
  change(edits: GrantEdits): void;
  resolve(conflict: GrantConflict, choice: ConflictChoice): void;
}

/** Returns the id of the draft of the grants of an item. */
export const grantsDraftId = (id: string): string => `item-grants ${id}`;

interface GrantsEditInput {
  /** Id of the item. */
  readonly id: string;
  readonly read: Versioned<readonly ItemGrant[]>;
  readonly refetch: () => Promise<Versioned<readonly ItemGrant[]> | undefined>;
  readonly onSaved: (requestId: string) => void;
}

/** Edits the grants of an item. A user who leaves the page with changes gets a notification. */
export function useGrantEdits({ id, read, refetch, onSaved }: GrantsEditInput): GrantsEdit {
  const { t } = useTranslation();
  const client = useClient();
  const drafts = useStoredDrafts();
  const { edit, hasConflict, change, save, saving } = useVersionedEdit<readonly ItemGrant[], GrantsDraft, unknown>({
    draftId: grantsDraftId(id),
    sample: { edits: NO_GRANT_EDITS, seen: [] },
    read,
    refetch,
    isConflict: (current, { edits, seen }) => grantConflicts(edits, seen, current).length > 0,
    rest: (draft, sent, seen) => (draft === sent ? undefined : { edits: draft.edits, seen }),
    // The host replaces all grants at once: those that others have added meanwhile, such as approvals, stay.
    send: (current, { edits }, options) =>
      client.stream.putMarketplaceGrants({
        params: { id },
        body: { grants: [...applyGrantEdits(current.value, edits)] },
        ...ifUnchanged(current),
        ...options,
      }),
    onSaved: (_, requestId) => onSaved(requestId),
  });
  const { edits, seen } = edit ?? { edits: NO_GRANT_EDITS, seen: read.value };
  useUnsavedWarning(edit !== undefined, () => {
    if (!drafts.has(grantsDraftId(id))) return;
    const link = { to: itemEditPath(id), text: t('item.grants.unsaved.back') };
    notify({ tone: 'danger', text: t('item.grants.unsaved.left'), link });
  });
  const update = (next: GrantsDraft): void => change(hasGrantEdits(next.edits) ? next : undefined);
  return {
    ...{ edits, saving, save },
    conflicts: hasConflict ? grantConflicts(edits, seen, read.value) : [],
    change: (next) => update({ edits: next, seen }),
    resolve({ key, theirs }, choice) {
      const others = seen.filter((grant) => recipientOf(grant) !== key);
      if (choice === 'theirs') update({ edits: undone(edits, key), seen });
      else update({ edits, seen: theirs === undefined ? others : [...others, theirs] });
    },
  };
}

/** Asks before the tab is closed with something unsaved, and calls `onLeave` when another page of the console is shown. */
function useUnsavedWarning(isUnsaved: boolean, onLeave: () => void): void {
  const latest = useRef(onLeave);
  latest.current = onLeave;
  useEffect(() => () => latest.current(), []);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
}

/** Reads the grants of an item with their entity tag. */
const readGrants = (client: Client, id: string, signal?: AbortSignal): Promise<Versioned<readonly ItemGrant[]>> =>
  readVersioned(async (options) => {
    const { grants } = await client.stream.getMarketplaceGrants({
      params: { id },
      ...(signal && { signal }),
      ...options,
    });
    return grants;
  });

/** Returns the grants of an item, for its owner and admins. */
export function useItemGrants(id: string, isEnabled = true) {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.itemGrants(id),
    queryFn: ({ signal }) => readGrants(client, id, signal),
    enabled: isEnabled,
    staleTime: 0,
  });
}
