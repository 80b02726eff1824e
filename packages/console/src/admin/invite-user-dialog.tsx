import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { NewAccountForm } from './new-account-form.tsx';
import { ShownOnceDialog } from './shown-once-dialog.tsx';
import type { AdminRole } from './use-admin.ts';
import { useInvitationText } from './use-invitation-text.ts';

interface InviteUserDialogProps {
  readonly roles: readonly AdminRole[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Dialog that creates a user, and shows the link with which the person sets a password. */
export function InviteUserDialog({ roles, isOpen, onClose }: InviteUserDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const invitationText = useInvitationText();
  return (
    <ShownOnceDialog title={t('admin.invite')} isOpen={isOpen} onClose={onClose}>
      {(show) => (
        <NewAccountForm
          roles={roles}
          field={{ label: t('admin.user.email'), type: 'email' }}
          action={t('admin.invite')}
          onCreate={async (email, chosen) => {
            const created = await client.api.createUser({ body: { email, roles: chosen } });
            if (created.invitation !== null) show(invitationText(visibleText(created.email), created.invitation));
          }}
          onClose={onClose}
        />
      )}
    </ShownOnceDialog>
  );
}
