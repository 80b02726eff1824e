import type { ReactNode } from 'react';
import { DownloadMenu } from '../downloads/download-menu.tsx';
import type { DownloadSource } from '../downloads/download-source.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { hasCommandKey, labelOfKeys } from '../shell/keys.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { type QueryActions, STATEMENT_KEYS } from './query-commands.ts';

interface QueryToolbarProps {
  readonly actions: QueryActions;
  readonly isRunning: boolean;
  readonly onStop: () => void;
  /** Choice of the most rows of a run. */
  readonly rowLimit: ReactNode;
  /** Undefined: the result that is shown has the button. */
  readonly download: DownloadSource | undefined;
}

/** Buttons for the statement of a tab; a menu has what is used less. */
export function QueryToolbar({ actions, isRunning, onStop, rowLimit, download }: QueryToolbarProps) {
  const { t } = useTranslation();
  return (
    <div className="query-page__actions">
      <Button kind="primary" icon="run" isDisabled={isRunning} onPress={actions.run}>
        {t('query.run')}
      </Button>
      {isRunning && (
        <Button icon="stop" onPress={onStop}>
          {t('action.stop')}
        </Button>
      )}
      {rowLimit}
      {download !== undefined && <DownloadMenu source={download} />}
      <Button kind="quiet" icon="star" onPress={actions.saveQuery}>
        {t('saved.save')}
      </Button>
      <Button kind="quiet" icon="schema" onPress={actions.showSaved}>
        {t('saved.title')}
      </Button>
      <Button kind="quiet" icon="history" onPress={actions.showHistory}>
        {t('history.title')}
      </Button>
      <MoreActions actions={actions} />
    </div>
  );
}

function MoreActions({ actions }: Pick<QueryToolbarProps, 'actions'>) {
  const { t } = useTranslation();
  const isApple = hasCommandKey(navigator.platform);
  const keys = (id: keyof typeof STATEMENT_KEYS): string => labelOfKeys(STATEMENT_KEYS[id], isApple);
  const { saveDatamap } = actions;
  return (
    <MenuButton
      label={t('query.more')}
      button={<IconButton icon="more" label={t('query.more')} />}
      actions={[
        { id: 'format', label: t('editor.format'), shortcut: keys('format'), onAction: actions.format },
        { id: 'link', label: t('editor.link'), icon: 'copy', onAction: actions.copyLink },
        { id: 'wrap', label: t('editor.wrap'), shortcut: keys('wrap'), onAction: actions.wrap },
        { id: 'rename', label: t('editor.rename'), shortcut: keys('rename'), onAction: actions.rename },
        ...(saveDatamap === undefined
          ? []
          : [{ id: 'datamap', label: t('datamap.save'), icon: 'datamap' as const, onAction: saveDatamap }]),
      ]}
    />
  );
}
