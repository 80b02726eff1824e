import { useTranslation } from '../i18n/translate.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { DownloadCard } from './download-card.tsx';
import { isActive } from './download-state.ts';
import { useDownloadList, useDownloadStore } from './downloads-context.tsx';
import './download-panel.css';

/** The downloads of this tab, beside the page. Nothing while it is closed. */
export function DownloadPanel() {
  const { t } = useTranslation();
  const store = useDownloadStore();
  const { downloads, isOpen } = useDownloadList();
  if (!isOpen) return null;
  return (
    <aside className="download-panel" aria-label={t('downloads.title')}>
      <div className="download-panel__head">
        <h2 className="download-panel__title">{t('downloads.title')}</h2>
        {downloads.some(({ state }) => !isActive(state)) && (
          <Button kind="quiet" size="s" onPress={() => store.removeEnded()}>
            {t('downloads.clear')}
          </Button>
        )}
        <Button kind="quiet" size="s" onPress={() => store.check({})}>
          {t('downloads.check')}
        </Button>
        <IconButton icon="close" size="s" label={t('downloads.close')} onPress={() => store.setOpen(false)} />
      </div>
      {downloads.length === 0 ? (
        <p className="download-panel__empty">{t('downloads.empty')}</p>
      ) : (
        <ul className="download-panel__list">
          {downloads.map((download) => (
            <DownloadCard key={download.id} download={download} />
          ))}
        </ul>
      )}
    </aside>
  );
}

/** Button that shows and hides the downloads of this tab. It says how many of them run. */
export function DownloadPanelButton() {
  const { t } = useTranslation();
  const store = useDownloadStore();
  const { downloads, isOpen } = useDownloadList();
  const running = downloads.filter(({ state }) => isActive(state)).length;
  return (
    <Button
      kind="quiet"
      icon="download"
      aria-label={running === 0 ? t('downloads.title') : t('downloads.running', { count: running })}
      aria-expanded={isOpen}
      onPress={() => store.setOpen(!isOpen)}
    >
      {running === 0 ? null : running}
    </Button>
  );
}
