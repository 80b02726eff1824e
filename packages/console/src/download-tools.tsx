import { useMemo } from 'react';
import { DownloadPanelButton } from './downloads/download-panel.tsx';
import { useDownloadStore } from './downloads/downloads-context.tsx';
import { useTranslation } from './i18n/translate.tsx';
import { useCommands } from './shell/commands.ts';

/** Ways to the list of downloads on every page: a button of the bar, and a command of the palette. */
export function DownloadTools() {
  const { t } = useTranslation();
  const store = useDownloadStore();
  const group = useMemo(
    () => ({
      title: t('commands.general'),
      commands: [{ id: 'downloads', title: t('downloads.show'), run: () => store.setOpen(true) }],
    }),
    [store, t],
  );
  useCommands(group);
  return <DownloadPanelButton />;
}
