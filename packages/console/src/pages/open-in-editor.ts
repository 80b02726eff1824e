import { useEffect, useEffectEvent } from 'react';
import type { DraftStore } from '../editor/drafts/draft-store.ts';
import type { ParameterEntry } from '../editor/parameters/parameter-entry.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { navigate } from '../router/router.ts';
import { notify } from '../ui/notifications.tsx';

/** A statement for a new tab of the editor. */
interface OpenedStatement {
  readonly sql: string;
  /** Name of the tab. */
  readonly name: string;
  readonly parameters?: Readonly<Record<string, ParameterEntry>>;
}

/** The address of the query page cannot hold it: a statement may have 256 KiB. */
let waiting: OpenedStatement | undefined;

/** Shows the query page with a statement in a new tab, which does not run by itself. */
export function openInEditor(statement: OpenedStatement): void {
  waiting = statement;
  navigate('/');
}

/**
 * Opens the statement that another page has left for the query page.
 * @param onOpened - called when there was one
 */
export function useOpenedStatement(store: DraftStore, isLoaded: boolean, onOpened: () => void): void {
  const { t } = useTranslation();
  const opened = useEffectEvent(onOpened);
  useEffect(() => {
    if (!isLoaded || waiting === undefined) return;
    const { sql, name, parameters = {} } = waiting;
    waiting = undefined;
    store.create(sql, { name, parameters });
    notify({ text: t('object.opened') });
    opened();
  }, [store, isLoaded, t]);
}
