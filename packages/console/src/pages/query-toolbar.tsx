import type { ReactNode } from 'react';
import { DownloadMenu } from '../downloads/download-menu.tsx';
import type { DownloadSource } from '../downloads/download-source.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import type { QueryActions } from './query-commands.ts';

interface QueryToolbarProps {
  readonly actions: QueryActions;
  readonly isRunning: boolean;
  readonly onStop: () => void;
  /** Choice of the most rows of a run. */
  readonly rowLimit: ReactNode;
  /** Undefined: the result that is shown has the button. */
  readonly download: DownloadSource | undefined;
}

/** Buttons for the statement of a tab. */
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
      <Button kind="quiet" onPress={actions.format}>
        {t('editor.format')}
      </Button>
      <Button kind="quiet" icon="copy" onPress={actions.copyLink}>
        {t('editor.link')}
      </Button>
      <Button kind="quiet" icon="star" onPress={actions.saveQuery}>
        {t('saved.save')}
      </Button>
      <Button kind="quiet" icon="schema" onPress={actions.showSaved}>
        {t('saved.title')}
      </Button>
      {actions.saveDatamap !== undefined && (
        <Button kind="quiet" icon="datamap" onPress={actions.saveDatamap}>
          {t('datamap.save')}
        </Button>
      )}
      <Button kind="quiet" icon="history" onPress={actions.showHistory}>
        {t('history.title')}
      </Button>
    </div>
  );
}
