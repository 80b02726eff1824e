import type { Client } from '@sluice/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isOutdated } from '../api/describe-error.ts';
import { keepDraft, readDraft } from '../api/kept-draft.ts';
import { keepRequestId } from '../api/request-id.ts';
import { type Action, useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { ifUnchanged, readVersioned, type Versioned } from '../api/versioned.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { itemEditPath } from '../router/object-paths.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { notify } from '../ui/notifications.tsx';
import {
  applyGrantEdits,
  type GrantEdits,
  hasGrantEdits,
  type ItemGrant,
  isGrantConflict,
  NO_GRANT_EDITS,
} from './grant-edits.ts';

/** Edits that are not saved, and the grants that the user saw when the first of them was made. */
interface GrantsDraft {
  readonly edits: GrantEdits;
  readonly seen: readonly ItemGrant[];
}

/** Grants of an item, and changes of them that are not saved. */
export interface GrantsEdit {
  /** Undefined: they are not read yet. */
  readonly stored: readonly ItemGrant[] | undefined;
  /** Error of reading the grants. */
  readonly error: unknown;
  readonly edits: GrantEdits;
  readonly saving: Pick<Action<void>, 'isRunning' | 'failure'>;
  change(edits: GrantEdits): void;
  save(): void;
}

/** Maximum number of attempts to save while other users change other grants of the item. */
const ATTEMPTS_MAX = 5;

const draftIdOf = (id: string): string => `item-grants ${id}`;

/** Returns a function that forgets the changes of an item that no longer exists. */
export function useForgetGrantEdits(): (id: string) => void {
  const user = useCurrentUser();
  return (id) => void keepDraft(`${user.tenant} ${user.id}`, draftIdOf(id), undefined);
}

/** Edits the grants of an item. Changes are kept in the browser until they are saved or discarded; a user who leaves gets a notification. */
export function useGrantEdits(id: string, onSaved: (requestId: string) => void): GrantsEdit {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const user = useCurrentUser();
  const owner = `${user.tenant} ${user.id}`;
  const { data: found, error, refetch } = useItemGrants(id);
  const [draft, setDraft] = useState(() => readDraft<GrantsDraft>(owner, draftIdOf(id)));
  const edits = draft?.edits ?? NO_GRANT_EDITS;
  const update = (next: GrantsDraft | undefined): void => {
    setDraft(next);
    keepDraft(owner, draftIdOf(id), next);
  };
  useUnsavedWarning(hasGrantEdits(edits), () => {
    if (readDraft(owner, draftIdOf(id)) === undefined) return;
    const link = { to: itemEditPath(id), text: t('item.grants.unsaved.back') };
    notify({ tone: 'danger', text: t('item.grants.unsaved.left'), link });
  });
  const { start, isRunning, failure } = useAction(async () => {
    for (let attempt = 1; ; attempt += 1) {
      // The host replaces all grants at once: those that others have added meanwhile, such as approvals, stay.
      const current = await readGrants(client, id);
      if (isGrantConflict(edits, draft?.seen ?? current.value, current.value)) {
        await refetch();
        update({ edits, seen: current.value });
        throw new Error(t('item.grants.changed'));
      }
      const sent = keepRequestId();
      try {
        await client.stream.putMarketplaceGrants({
          params: { id },
          body: { grants: [...applyGrantEdits(current.value, edits)] },
          ...ifUnchanged(current),
          onResponse: sent.onResponse,
        });
      } catch (thrown) {
        if (!isOutdated(thrown) || attempt === ATTEMPTS_MAX) throw thrown;
        continue;
      }
      queries.setQueryData(itemGrantsKey(id), await readGrants(client, id));
      update(undefined);
      onSaved(sent.id);
      return;
    }
  });
  return {
    stored: found?.value,
    error: error ?? undefined,
    edits,
    saving: { isRunning, failure },
    change: (next) =>
      update(hasGrantEdits(next) ? { edits: next, seen: draft?.seen ?? found?.value ?? [] } : undefined),
    save: () => void start(),
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

/** Returns the key of the cached grants of an item. */
const itemGrantsKey = (id: string): readonly string[] => ['item-grants', id];

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
    queryKey: itemGrantsKey(id),
    queryFn: ({ signal }) => readGrants(client, id, signal),
    enabled: isEnabled,
    staleTime: 0,
  });
}
