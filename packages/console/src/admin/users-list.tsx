import { useState } from 'react';
import { ifUnchanged, useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useListState } from '../router/query-parameters.ts';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Impact } from '../ui/impact.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import { AccountFields, type AccountState, isOtherState, useAccountLosses } from './account-fields.tsx';
import { InviteSeveralDialog } from './invite-several/invite-several-dialog.tsx';
import { NewAccountForm } from './new-account-form.tsx';
import { type OpenRecord, RecordDialog, RecordForm } from './record-dialog.tsx';
import { RecordList } from './record-list.tsx';
import { ShownOnceDialog, useInvitationText } from './shown-once-dialog.tsx';
import { ACCOUNT_PAGE_SIZE, type AdminRole, type AdminUser, useRoles, useUsers } from './use-admin.ts';
import { UserFilters } from './user-filters.tsx';
import { UserSessions } from './user-sessions.tsx';
import { useUserView } from './user-view.ts';

const EMAIL_MAX = 320;

/** Users of the tenant: search, filter, sort, invite, change. */
export function UsersList() {
  const { t, formatTime } = useTranslation();
  const state = useListState();
  const view = useUserView(state);
  const [isInviting, setInviting] = useState(false);
  const [isInvitingSeveral, setInvitingSeveral] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const client = useClient();
  const invitationText = useInvitationText();
  const roles = useRoles().data ?? [];
  const close = (): void => setOpenId(undefined);
  return (
    <RecordList
      state={state}
      page={useUsers(state, view.filter)}
      filters={<UserFilters view={view} roles={roles} />}
      search={{ label: t('admin.users.search'), maxLength: EMAIL_MAX }}
      newLabel={t('admin.invite')}
      onNew={() => setInviting(true)}
      actions={<Button onPress={() => setInvitingSeveral(true)}>{t('admin.invite-several')}</Button>}
      label={t('admin.users')}
      idOf={({ id }) => id}
      onOpen={({ id }) => setOpenId(id)}
      empty={<EmptyState icon="user" title={t('admin.users.none')} />}
      columns={[
        {
          id: 'email',
          title: t('admin.user.email'),
          cell: ({ email }) => <VisibleText text={email} />,
          isSortable: true,
        },
        { id: 'roles', title: t('admin.roles'), isText: true, cell: ({ roles: names }) => names.join(', ') },
        { id: 'state', title: t('label.state'), cell: (user) => <UserState user={user} />, isTerm: true },
        {
          id: 'last_login_ts',
          title: t('admin.user.last-login'),
          cell: ({ last_login_ts: time }) => (time === null ? t('admin.user.last-login.none') : formatTime(time)),
          isTerm: true,
          isSortable: true,
        },
        {
          id: 'created_ts',
          title: t('admin.user.created'),
          cell: ({ created_ts: time }) => formatTime(time),
          isTerm: true,
          isSortable: true,
        },
      ]}
      order={view.order}
      onOrder={view.sort}
      pages={{ label: t('admin.users.pages'), size: ACCOUNT_PAGE_SIZE }}
    >
      <ShownOnceDialog title={t('admin.invite')} isOpen={isInviting} onClose={() => setInviting(false)}>
        {(show) => (
          <NewAccountForm
            roles={roles}
            field={{ label: t('admin.user.email'), type: 'email' }}
            action={t('admin.invite')}
            onCreate={async (email, chosen) => {
              const created = await client.api.createUser({ body: { email, roles: chosen } });
              if (created.invitation !== null) show(invitationText(visibleText(created.email), created.invitation));
            }}
            onClose={() => setInviting(false)}
          />
        )}
      </ShownOnceDialog>
      <InviteSeveralDialog roles={roles} isOpen={isInvitingSeveral} onClose={() => setInvitingSeveral(false)} />
      <RecordDialog
        title={t('admin.user.title')}
        kind="user"
        id={openId}
        read={(options) => client.api.getUser({ params: { id: openId ?? '' }, ...options })}
        onClose={close}
      >
        {(open) => <UserForm {...open} roles={roles} onClose={close} />}
      </RecordDialog>
    </RecordList>
  );
}

function UserState({ user }: { readonly user: AdminUser }) {
  const { t, formatTime } = useTranslation();
  if (user.disabled) return <Badge tone="danger">{t('admin.account.disabled')}</Badge>;
  const expires = user.invitation_expires_ts;
  if (expires !== null && expires <= Date.now())
    return <Badge tone="warning">{t('admin.user.state.invitation-expired', { time: formatTime(expires) })}</Badge>;
  if (expires !== null)
    return <Badge tone="info">{t('admin.user.state.invited', { time: formatTime(expires) })}</Badge>;
  return <Badge tone="success">{t('admin.user.state.active')}</Badge>;
}

interface UserFormProps extends OpenRecord<AdminUser> {
  readonly roles: readonly AdminRole[];
  readonly onClose: () => void;
}

/** Form that changes a user. What a change takes away is shown before it is made. */
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
      heading={<strong>{email}</strong>}
      target={before.email}
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
        sessions: {
          label: t('admin.user.sessions.end'),
          action: t('admin.sessions.end-all'),
          impact: <Impact losses={[t('admin.impact.sessions', { user: email })]} />,
        },
      }}
      send={async (step) => {
        if (step === 'delete') return client.api.deleteUser(options);
        if (step === 'sessions') {
          const { ended_count: count } = await client.api.endSessions({ body: { account_id: before.id } });
          notice(t('admin.sessions.ended', { count }), { action: 'END_SESSIONS', target: before.email });
          return undefined;
        }
        if (step === 'change')
          return client.api.updateUser({ ...options, body: { roles: [...after.roles], disabled: after.disabled } });
        const { invitation } = await client.api.resetPassword({ ...options, body: {} });
        if (invitation !== null) show(invitationText(email, invitation));
        return undefined;
      }}
      onDone={(step) => {
        if (step === 'reset') return;
        if (step === 'sessions') return onClose();
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
      {() => (
        <>
          <AccountFields roles={roles} state={after} onChange={setAfter} />
          <UserSessions id={before.id} />
        </>
      )}
    </RecordForm>
  );
}
