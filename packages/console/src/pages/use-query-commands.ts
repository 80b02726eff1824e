import { useMemo, useRef } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { useCommands } from '../shell/commands.ts';

interface QueryActions {
  readonly run: () => void;
  readonly format: () => void;
  readonly showHistory: () => void;
  readonly saveDatamap: () => void;
}

/** Lists what a user does with a statement in the command palette and the shortcut sheet. Its keys work outside of the editor too. */
export function useQueryCommands(actions: QueryActions): void {
  const { t } = useTranslation();
  const latest = useRef(actions);
  latest.current = actions;
  const group = useMemo(
    () => ({
      title: t('page.query'),
      commands: [
        { id: 'query:run', title: t('query.run'), keys: 'Mod+Enter', run: () => latest.current.run() },
        { id: 'query:stop', title: t('action.stop'), keys: 'Escape' },
        { id: 'query:format', title: t('editor.format'), keys: 'Mod+Shift+F', run: () => latest.current.format() },
        { id: 'query:history', title: t('history.title'), run: () => latest.current.showHistory() },
        { id: 'query:save', title: t('datamap.save'), run: () => latest.current.saveDatamap() },
      ],
    }),
    [t],
  );
  useCommands(group);
}
