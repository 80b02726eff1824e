import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { NewAccountForm } from './new-account-form.tsx';
import { ShownOnceDialog } from './shown-once-dialog.tsx';
import type { AdminRole } from './use-admin.ts';
import { useSecretText } from './use-secret-text.ts';

interface NewServiceAccountDialogProps {
  readonly roles: readonly AdminRole[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const CLIENT_ID_MAX = 100;

/** Dialog that creates a service account, and shows its first secret. */
export function NewServiceAccountDialog({ roles, isOpen, onClose }: NewServiceAccountDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const secretText = useSecretText();
  return (
    <ShownOnceDialog title={t('admin.service-account.new')} isOpen={isOpen} onClose={onClose}>
      {(show) => (
        <NewAccountForm
          roles={roles}
          field={{
            label: t('admin.service-account.client-id'),
            description: t('admin.service-account.client-id.about'),
            maxLength: CLIENT_ID_MAX,
          }}
          action={t('admin.service-account.create')}
          onCreate={async (clientId, chosen) => {
            const body = { client_id: clientId, roles: chosen };
            const { client_secret: secret } = await client.api.createServiceAccount({ body });
            show(secretText(clientId, secret));
          }}
          onClose={onClose}
        />
      )}
    </ShownOnceDialog>
  );
}
