import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { ifUnchanged, type Versioned } from '../api/versioned.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';

interface DeleteProviderDialogProps {
  /** Undefined: the dialog is closed. */
  readonly provider: Versioned<unknown> | undefined;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before the identity provider is deleted. */
export function DeleteProviderDialog({ provider, onClose, onDeleted }: DeleteProviderDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { start, isRunning, failure } = useAction(async () => {
    if (provider !== undefined) await client.api.deleteIdentityProvider(ifUnchanged(provider));
  });
  const remove = async () => {
    if (await start()) onDeleted();
  };
  return (
    <Dialog title={t('admin.provider.delete.now')} isOpen={provider !== undefined} onClose={onClose}>
      <div className="dialog-form">
        <Failure error={failure} />
        <Impact losses={[t('admin.impact.provider.deleted')]} />
        <DialogActions>
          <Button onPress={onClose}>{t('action.close')}</Button>
          <Button kind="danger" isDisabled={isRunning} onPress={() => void remove()}>
            {t('admin.provider.delete.now')}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
