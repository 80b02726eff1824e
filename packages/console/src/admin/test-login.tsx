import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { AuditLogLink } from './audit-log-link.tsx';

interface TestLoginProps {
  /** Whether the form has changes, which a test does not know before they are saved. */
  readonly isChanged: boolean;
}

/** Begins a test login at the saved identity provider. A tab of its own shows the received claims and the roles that they give. */
export function TestLogin({ isChanged }: TestLoginProps) {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const [begun, setBegun] = useState<{ readonly url: string; readonly expires_ts: number }>();
  const { start, isRunning, failure } = useAction(async () => setBegun(await client.api.testIdentityProvider()));
  const close = (): void => setBegun(undefined);
  return (
    <>
      <Button isDisabled={isRunning} onPress={() => void start()}>
        {t('admin.provider.test')}
      </Button>
      <Failure error={failure} />
      <Dialog title={t('admin.provider.test.title')} isOpen={begun !== undefined} onClose={close}>
        {begun !== undefined && (
          <div className="dialog-form">
            {isChanged && <p>{t('admin.provider.test.without-changes')}</p>}
            <p>{t('admin.provider.test.about', { time: formatTime(begun.expires_ts) })}</p>
            <p>
              <a href={begun.url} target="_blank" rel="noopener noreferrer" onClick={close}>
                {t('admin.provider.test.open')}
              </a>
            </p>
            <p>
              <AuditLogLink search={{ action: 'TEST_IDENTITY_PROVIDER' }} />
            </p>
            <DialogActions>
              <Button onPress={close}>{t('action.close')}</Button>
            </DialogActions>
          </div>
        )}
      </Dialog>
    </>
  );
}
