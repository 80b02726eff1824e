import { type FormEvent, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { TextField } from '../ui/text-field.tsx';
import { RoleChoice } from './role-choice.tsx';
import { type ShownOnce, ShownOnceDialog } from './shown-once-dialog.tsx';
import { type AdminRole, useRereadAdmin } from './use-admin.ts';
import { useSecretText } from './use-secret-text.ts';

interface NewServiceAccountDialogProps {
  readonly roles: readonly AdminRole[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Dialog that creates a service account, and shows its first secret. */
export function NewServiceAccountDialog({ roles, isOpen, onClose }: NewServiceAccountDialogProps) {
  const { t } = useTranslation();
  return (
    <ShownOnceDialog title={t('admin.service-account.new')} isOpen={isOpen} onClose={onClose}>
      {(show) => <NewAccountForm roles={roles} onCreated={show} onClose={onClose} />}
    </ShownOnceDialog>
  );
}

interface NewAccountFormProps extends Omit<NewServiceAccountDialogProps, 'isOpen'> {
  readonly onCreated: (secret: ShownOnce) => void;
}

function NewAccountForm({ roles, onCreated, onClose }: NewAccountFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const reread = useRereadAdmin();
  const secretText = useSecretText();
  const [clientId, setClientId] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { start, isRunning, failure } = useAction(async () => {
    try {
      const body = { client_id: clientId.trim(), roles: [...chosen] };
      const { client_secret: secret } = await client.api.createServiceAccount({ body });
      onCreated(secretText(body.client_id, secret));
    } finally {
      reread();
    }
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (clientId.trim() !== '') void start();
  };
  return (
    <form className="dialog-form" onSubmit={submit}>
      <Failure error={failure} />
      <TextField
        label={t('admin.service-account.client-id')}
        description={t('admin.service-account.client-id.about')}
        value={clientId}
        maxLength={100}
        onChange={setClientId}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} />
      <DialogActions>
        <Button onPress={onClose}>{t('action.close')}</Button>
        <Button kind="primary" type="submit" isDisabled={isRunning || clientId.trim() === ''}>
          {t('admin.service-account.create')}
        </Button>
      </DialogActions>
    </form>
  );
}
