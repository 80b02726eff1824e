import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { isActive } from './download-state.ts';
import { useDownloadList, useDownloadStore } from './downloads-context.tsx';

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
