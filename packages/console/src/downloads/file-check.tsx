import { lazy, Suspense } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { useFileDropOnPage } from '../ui/file-drop-on-page.ts';
import { notify } from '../ui/notifications.tsx';
import { useDownloadList, useDownloadStore } from './downloads-context.tsx';

const CheckDialog = lazy(async () => ({ default: (await import('./check/check-dialog.tsx')).CheckDialog }));

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
  return (
    <Suspense>
      <CheckDialog check={check} onClose={() => store.closeCheck()} />
    </Suspense>
  );
}
