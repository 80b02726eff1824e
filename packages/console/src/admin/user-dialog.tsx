import { useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { ifUnchanged } from '../api/versioned.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { AuditLogLink, useChangeNotice } from '../ui/audit-log-link.tsx';
import { Impact } from '../ui/impact.tsx';
import { AccountFields, type AccountState, isOtherState, useAccountLosses } from './account-fields.tsx';
import { type OpenRecord, RecordDialog, RecordForm } from './record-dialog.tsx';
import { useInvitationText } from './shown-once-dialog.tsx';
import type { AdminRole, AdminUser } from './use-admin.ts';

interface UserDialogProps {
  /** Id of the user; undefined: the dialog is closed. */
  readonly id: string | undefined;
  readonly roles: readonly AdminRole[];
  readonly onClose: () => void;
}

/** Dialog that changes a user. What a change takes away is shown before it is made. */
export function UserDialog({ id, roles, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  return (
    <RecordDialog
      title={t('admin.user.title')}
      kind="user"
      id={id}
      read={(options) => client.api.getUser({ params: { id: id ?? '' }, ...options })}
      onClose={onClose}
    >
      {(open) => <UserForm {...open} roles={roles} onClose={onClose} />}
    </RecordDialog>
  );
}

type UserFormProps = Pick<UserDialogProps, 'roles' | 'onClose'> & OpenRecord<AdminUser>;

function UserForm({ record, roles, show, reload, onClose }: UserFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const { value: before } = record;
  const [after, setAfter] = useState<AccountState>(before);
  const invitationText = useInvitationText();
  const lossesOf = useAccountLosses();
  const email = visibleText(before.email);
  const options = { params: { id: before.id }, ...ifUnchanged(record) };
  return (
    <RecordForm
      heading={
        <>
          <strong>{email}</strong> <AuditLogLink search={{ target: before.email }} />
        </>
      }
      impact={
        <Impact losses={lossesOf({ name: email, before, after, roles })} isChanged={isOtherState(before, after)} />
      }
      confirmations={{
        delete: {
          label: t('action.delete-dialog'),
          action: t('admin.user.delete.now'),
          impact: <Impact losses={[t('admin.impact.user-deleted', { email })]} />,
        },
        reset: {
          label: t('admin.user.reset'),
          action: t('admin.user.reset.now'),
          impact: <Impact losses={[t('admin.impact.password', { email })]} />,
        },
      }}
      send={async (step) => {
        if (step === 'delete') return client.api.deleteUser(options);
        if (step === 'change')
          return client.api.updateUser({ ...options, body: { roles: [...after.roles], disabled: after.disabled } });
        const { invitation } = await client.api.resetPassword({ ...options, body: {} });
        if (invitation !== null) show(invitationText(email, invitation));
        return undefined;
      }}
      onDone={(step) => {
        if (step === 'reset') return;
        const action = step === 'delete' ? 'DELETE_USER' : 'UPDATE_USER';
        notice(t(step === 'delete' ? 'admin.user.deleted' : 'admin.user.changed', { email }), {
          action,
          target: before.email,
        });
        onClose();
      }}
      onReload={reload}
      onClose={onClose}
    >
      {() => <AccountFields roles={roles} state={after} onChange={setAfter} />}
    </RecordForm>
  );
}
