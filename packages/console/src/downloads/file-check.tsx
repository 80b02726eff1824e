import { useTranslation } from '../i18n/translate.tsx';
import { useFileDropOnPage } from '../ui/file-drop-on-page.ts';
import { notify } from '../ui/notifications.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { useDownloadList, useDownloadStore } from './downloads-context.tsx';

const CheckDialog = onDemand(
  async () => (await import('./check/check-dialog.tsx')).CheckDialog,
  // Rendered only while a file is checked: few users check one, so the code is not loaded before.
  () => true,
);

/** Check of a file against the receipt of its download: by a button, or for a file that is dropped on a page. The frame has it once. */
export function FileCheck() {
  const { t } = useTranslation();
  const store = useDownloadStore();
  const { check } = useDownloadList();
  useFileDropOnPage((file) => {
    if (file === undefined) notify({ tone: 'danger', text: t('downloads.check.drop.other') });
    else store.check({ file });
  });
  if (check === undefined) return null;
  return <CheckDialog check={check} onClose={() => store.closeCheck()} />;
}
