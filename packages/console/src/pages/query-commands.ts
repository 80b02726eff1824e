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
        { id: 'query:run', title: t('query.run'), keys: 'Mod+Enter', run: () => latest.current.run() },
        { id: 'query:stop', title: t('action.stop'), keys: 'Escape' },
        { id: 'query:format', title: t('editor.format'), keys: 'Mod+Shift+F', run: () => latest.current.format() },
        { id: 'query:wrap', title: t('editor.wrap'), keys: 'Alt+Z', run: () => latest.current.wrap() },
        { id: 'query:rename', title: t('editor.rename'), keys: 'F2', run: () => latest.current.rename() },
        { id: 'query:history', title: t('history.title'), run: () => latest.current.showHistory() },
        { id: 'query:save', title: t('saved.save'), keys: 'Mod+S', run: () => latest.current.saveQuery() },
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
