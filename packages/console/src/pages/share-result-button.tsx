import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import type { Run } from '../run/start-run.ts';
import { useRunSnapshot } from '../run/use-run.ts';
import { Button } from '../ui/button.tsx';
import { onDemand } from '../ui/on-demand.tsx';

const ShareResultDialog = onDemand(
  async () => (await import('../results/share-result-dialog.tsx')).ShareResultDialog,
  ({ queryId }) => queryId !== undefined,
);

/** Button that shares the result of a run. Renders nothing for one that the host does not keep. */
export function ShareResultButton({ run }: { readonly run: Run }) {
  const { t } = useTranslation();
  const snapshot = useRunSnapshot(run);
  const [shared, setShared] = useState<string>();
  const { keeping, queryId } = snapshot ?? {};
  if (keeping === undefined || 'notKept' in keeping || queryId === undefined) return null;
  return (
    <>
      <Button kind="quiet" size="s" icon="user" onPress={() => setShared(queryId)}>
        {t('kept.share')}
      </Button>
      <ShareResultDialog queryId={shared} onClose={() => setShared(undefined)} />
    </>
  );
}
