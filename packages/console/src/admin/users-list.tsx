import { useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { useListState } from '../router/query-parameters.ts';
import { Badge } from '../ui/badge.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { NewAccountForm } from './new-account-form.tsx';
import { RecordList } from './record-list.tsx';
import { ShownOnceDialog, useInvitationText } from './shown-once-dialog.tsx';
import { ACCOUNT_PAGE_SIZE, type AdminRole, type AdminUser, useRoles, useUsers } from './use-admin.ts';
import { UserDialog } from './user-dialog.tsx';

const EMAIL_MAX = 320;

/** Users of the tenant: search, invite, change. */
export function UsersList() {
  const { t } = useTranslation();
  const state = useListState();
  const [isInviting, setInviting] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const roles = useRoles().data ?? [];
  return (
    <RecordList
      state={state}
      page={useUsers(state)}
      search={{ label: t('admin.users.search'), maxLength: EMAIL_MAX }}
      newLabel={t('admin.invite')}
      onNew={() => setInviting(true)}
      label={t('admin.users')}
      idOf={({ id }) => id}
      onOpen={({ id }) => setOpenId(id)}
      empty={<EmptyState icon="user" title={t('admin.users.none')} />}
      columns={[
        { id: 'email', title: t('admin.user.email'), cell: ({ email }) => <VisibleText text={email} /> },
        { id: 'roles', title: t('admin.roles'), cell: ({ roles: names }) => names.join(', ') },
        { id: 'state', title: t('label.state'), cell: (user) => <UserState user={user} /> },
      ]}
      pages={{ label: t('admin.users.pages'), size: ACCOUNT_PAGE_SIZE }}
    >
      <InviteUserDialog roles={roles} isOpen={isInviting} onClose={() => setInviting(false)} />
      <UserDialog id={openId} roles={roles} onClose={() => setOpenId(undefined)} />
    </RecordList>
  );
}

function UserState({ user }: { readonly user: AdminUser }) {
  const { t, formatTime } = useTranslation();
  if (user.disabled) return <Badge tone="danger">{t('admin.account.disabled')}</Badge>;
  if (user.invitation_expires_ts !== null)
    return <Badge tone="info">{t('admin.user.state.invited', { time: formatTime(user.invitation_expires_ts) })}</Badge>;
  return <Badge tone="success">{t('admin.user.state.active')}</Badge>;
}

interface InviteUserDialogProps {
  readonly roles: readonly AdminRole[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Dialog that creates a user, and shows the link with which the person sets a password. */
function InviteUserDialog({ roles, isOpen, onClose }: InviteUserDialogProps) {
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
