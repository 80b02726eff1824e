import { type FormEvent, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { TextField } from '../ui/text-field.tsx';
import { RoleChoice } from './role-choice.tsx';
import { type ShownOnce, ShownOnceDialog } from './shown-once-dialog.tsx';
import { type AdminRole, useRereadAdmin } from './use-admin.ts';
import { useInvitationText } from './use-invitation-text.ts';

interface InviteUserDialogProps {
  readonly roles: readonly AdminRole[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Dialog that creates a user, and shows the link with which the person sets a password. */
export function InviteUserDialog({ roles, isOpen, onClose }: InviteUserDialogProps) {
  const { t } = useTranslation();
  return (
    <ShownOnceDialog title={t('admin.invite.title')} isOpen={isOpen} onClose={onClose}>
      {(show) => <InviteForm roles={roles} onInvited={show} onClose={onClose} />}
    </ShownOnceDialog>
  );
}

interface InviteFormProps extends Omit<InviteUserDialogProps, 'isOpen'> {
  readonly onInvited: (invitation: ShownOnce) => void;
}

function InviteForm({ roles, onInvited, onClose }: InviteFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const reread = useRereadAdmin();
  const invitationText = useInvitationText();
  const [email, setEmail] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { start, isRunning, failure } = useAction(async () => {
    try {
      const created = await client.api.createUser({ body: { email: email.trim(), roles: [...chosen] } });
      if (created.invitation !== null) onInvited(invitationText(visibleText(created.email), created.invitation));
    } finally {
      reread();
    }
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== '') void start();
  };
  return (
    <form className="dialog-form" onSubmit={submit}>
      <Failure error={failure} />
      <TextField
        label={t('admin.user.email')}
        type="email"
        value={email}
        onChange={setEmail}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} />
      <DialogActions>
        <Button onPress={onClose}>{t('action.close')}</Button>
        <Button kind="primary" type="submit" isDisabled={isRunning || email.trim() === ''}>
          {t('admin.invite')}
        </Button>
      </DialogActions>
    </form>
  );
}
