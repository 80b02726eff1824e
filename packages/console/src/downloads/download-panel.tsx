import { useTranslation } from '../i18n/translate.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { DownloadCard } from './download-card.tsx';
import { isActive } from './download-state.ts';
import { useDownloadList, useDownloadStore } from './downloads-context.tsx';
import './download-panel.css';

/** The downloads of this tab. Nothing while it is closed. */
export function DownloadPanel({ isOpen }: { readonly isOpen: boolean }) {
  const { t } = useTranslation();
  const store = useDownloadStore();
  const { downloads } = useDownloadList();
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
