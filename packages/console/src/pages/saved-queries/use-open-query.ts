import type { FoundDatamap } from '@sluice/client';
import { useCallback, useEffect } from 'react';
import { describeError, isInaccessible } from '../../api/describe-error.ts';
import { useClient, type Versioned } from '../../api/use-client.ts';
import type { DraftStore } from '../../editor/drafts/draft-store.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { readSavedQueryLink } from '../../router/saved-query-link.ts';
import { useCurrentUser } from '../../session/session-context.tsx';
import { notify } from '../../ui/notifications.tsx';
import { entriesOf, readSavedQuery, sqlOf } from './saved-query.ts';
import { readStoredValues } from './stored-values.ts';

/**
 * Shows a saved query in the tab that it has, or in a new one. A query of somebody else is opened as a copy.
 * @param owner - names tenant and user, as for drafts
 */
export function useOpenQuery(
  store: DraftStore,
  owner: string,
): {
  readonly open: (id: string) => Promise<void>;
  readonly show: (stored: Versioned<FoundDatamap>) => void;
} {
  const { t } = useTranslation();
  const client = useClient();
  const { user } = useCurrentUser();
  const show = useCallback(
    ({ value, entityTag }: Versioned<FoundDatamap>): void => {
      const isOwn = value.datamap.assigned.to === user;
      const { display_name: name } = value.datamap;
      const saved = isOwn ? { id: value.id, entityTag } : undefined;
      const declared = entriesOf(value);
      const stored = Object.entries(readStoredValues(owner, value.id)).filter(([each]) => declared[each] !== undefined);
      store.create(sqlOf(value), { name, parameters: { ...declared, ...Object.fromEntries(stored) }, saved });
    },
    [store, user, owner],
  );
  const open = useCallback(
    async (id: string): Promise<void> => {
      const tab = store.getState().open.find(({ saved }) => saved?.id === id);
      if (tab !== undefined) return store.activate(tab.id);
      try {
        show(await readSavedQuery(client, id));
      } catch (error) {
        notify({
          tone: 'danger',
          text: isInaccessible(error) ? t('saved.missing') : describeError(error, t).message,
        });
      }
    },
    [store, client, show, t],
  );
  return { open, show };
}

/** Opens the saved query that the address names. It is never run: the user reads it first. */
export function useSavedQueryLink(isLoaded: boolean, open: (id: string) => Promise<void>): void {
  useEffect(() => {
    if (!isLoaded) return;
    const follow = (): void => {
      const id = readSavedQueryLink(location.hash);
      if (id === undefined) return;
      history.replaceState(history.state, '', `${location.pathname}${location.search}`);
      void open(id);
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [isLoaded, open]);
}
