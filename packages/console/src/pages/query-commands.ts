import { useMemo, useRef } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { useCommands } from '../shell/commands.ts';

/** Actions of a user on the statement of a tab. */
export interface QueryActions {
  readonly run: () => void;
  readonly format: () => void;
  readonly copyLink: () => void;
  readonly wrap: () => void;
  readonly rename: () => void;
  readonly showHistory: () => void;
  readonly saveQuery: () => void;
  readonly showSaved: () => void;
  /** Undefined: the user may not. */
  readonly saveDatamap: (() => void) | undefined;
}

/** Keys of what a user does with a statement. */
export const STATEMENT_KEYS = {
  run: 'Mod+Enter',
  format: 'Mod+Shift+F',
  wrap: 'Alt+Z',
  rename: 'F2',
  save: 'Mod+S',
} as const;

/** Lists what a user does with a statement in the command palette and the shortcut sheet. Its keys work outside of the editor too. */
export function useQueryCommands(actions: QueryActions): void {
  const { t } = useTranslation();
  const latest = useRef(actions);
  latest.current = actions;
  const mayWriteDatamaps = actions.saveDatamap !== undefined;
  const group = useMemo(
    () => ({
      title: t('page.query'),
      commands: [
        { id: 'query:run', title: t('query.run'), keys: STATEMENT_KEYS.run, run: () => latest.current.run() },
        { id: 'query:stop', title: t('action.stop'), keys: 'Escape' },
        {
          id: 'query:format',
          title: t('editor.format'),
          keys: STATEMENT_KEYS.format,
          run: () => latest.current.format(),
        },
        { id: 'query:wrap', title: t('editor.wrap'), keys: STATEMENT_KEYS.wrap, run: () => latest.current.wrap() },
        {
          id: 'query:rename',
          title: t('editor.rename'),
          keys: STATEMENT_KEYS.rename,
          run: () => latest.current.rename(),
        },
        { id: 'query:history', title: t('history.title'), run: () => latest.current.showHistory() },
        { id: 'query:save', title: t('saved.save'), keys: STATEMENT_KEYS.save, run: () => latest.current.saveQuery() },
        { id: 'query:saved', title: t('saved.title'), run: () => latest.current.showSaved() },
        ...(mayWriteDatamaps
          ? [{ id: 'query:datamap', title: t('datamap.save'), run: () => latest.current.saveDatamap?.() }]
          : []),
      ],
    }),
    [t, mayWriteDatamaps],
  );
  useCommands(group);
}
