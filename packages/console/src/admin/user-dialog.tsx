import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { ifUnchanged, readVersioned, type Versioned } from '../api/versioned.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { AccountFields, type AccountState, isOtherState, useAccountLosses } from './account-fields.tsx';
import { AuditLogLink, useChangeNotice } from './audit-log-link.tsx';
import { type ShownOnce, ShownOnceDialog, useInvitationText } from './shown-once-dialog.tsx';
import { type AdminRole, type AdminUser, useRereadAdmin } from './use-admin.ts';

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
  const found = useQuery({
    queryKey: ['admin-user', id],
    queryFn: ({ signal }) =>
      readVersioned((options) => client.api.getUser({ params: { id: id ?? '' }, signal, ...options })),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <ShownOnceDialog title={t('admin.user.title')} isOpen={id !== undefined} onClose={onClose}>
      {(show) => (
        <>
          {found.error !== null && <Failure error={found.error} />}
          {found.data !== undefined && (
            <UserForm
              // Another version fills the form again.
              key={found.data.entityTag}
              user={found.data}
              roles={roles}
              onInvited={show}
              onReload={() => void found.refetch()}
              onClose={onClose}
            />
          )}
        </>
      )}
    </ShownOnceDialog>
  );
}

interface UserFormProps extends Pick<UserDialogProps, 'roles' | 'onClose'> {
  readonly user: Versioned<AdminUser>;
  readonly onInvited: (invitation: ShownOnce) => void;
  readonly onReload: () => void;
}

/** Action that the form is open for. `delete` and `reset` ask for confirmation. */
type Step = 'change' | 'delete' | 'reset';

function UserForm({ user, roles, onInvited, onReload, onClose }: UserFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const reread = useRereadAdmin();
  const notice = useChangeNotice();
  const { value: before } = user;
  const [after, setAfter] = useState<AccountState>(before);
  const [step, setStep] = useState<Step>('change');
  const invitationText = useInvitationText();
  const email = visibleText(before.email);
  const { start, isRunning, failure } = useAction<Step>(async (taken) => {
    const options = { params: { id: before.id }, ...ifUnchanged(user) };
    try {
      if (taken === 'change')
        await client.api.updateUser({ ...options, body: { roles: [...after.roles], disabled: after.disabled } });
      if (taken === 'delete') await client.api.deleteUser(options);
      if (taken === 'reset') {
        const { invitation: made } = await client.api.resetPassword({ ...options, body: {} });
        if (made !== null) onInvited(invitationText(email, made));
      }
    } finally {
      reread();
    }
  });
  const take = async (taken: Step) => {
    if (!(await start(taken)) || taken === 'reset') return;
    const text = t(taken === 'delete' ? 'admin.user.deleted' : 'admin.user.changed', { email });
    notice(text, { action: taken === 'delete' ? 'DELETE_USER' : 'UPDATE_USER', target: before.email });
    onClose();
  };
  return (
    <div className="dialog-form">
      <p>
        <strong>{email}</strong> <AuditLogLink search={{ target: before.email }} />
      </p>
      <Failure error={failure}>
        {failure !== undefined && (
          <Button size="s" onPress={onReload}>
            {t('admin.reload')}
          </Button>
        )}
      </Failure>
      <AccountFields roles={roles} state={after} onChange={setAfter} />
      <UserImpact before={before} after={after} step={step} roles={roles} />
      <UserButtons
        step={step}
        isRunning={isRunning}
        onStep={setStep}
        onTake={(taken) => void take(taken)}
        onClose={onClose}
      />
    </div>
  );
}

interface UserImpactProps extends Pick<UserDialogProps, 'roles'> {
  readonly before: AdminUser;
  readonly after: AccountState;
  readonly step: Step;
}

function UserImpact({ before, after, step, roles }: UserImpactProps) {
  const { t } = useTranslation();
  const lossesOf = useAccountLosses();
  const email = visibleText(before.email);
  if (step === 'delete') return <Impact losses={[t('admin.impact.user-deleted', { email })]} />;
  if (step === 'reset') return <Impact losses={[t('admin.impact.password', { email })]} />;
  return <Impact losses={lossesOf({ name: email, before, after, roles })} isChanged={isOtherState(before, after)} />;
}

interface UserButtonsProps {
  readonly step: Step;
  readonly isRunning: boolean;
  readonly onStep: (step: Step) => void;
  readonly onTake: (step: Step) => void;
  readonly onClose: () => void;
}

const TAKES = { delete: 'admin.user.delete.now', reset: 'admin.user.reset.now' } as const;

function UserButtons({ step, isRunning, onStep, onTake, onClose }: UserButtonsProps) {
  const { t } = useTranslation();
  if (step !== 'change')
    return (
      <DialogActions>
        <Button onPress={() => onStep('change')}>{t('admin.back')}</Button>
        <Button kind="danger" isDisabled={isRunning} onPress={() => onTake(step)}>
          {t(TAKES[step])}
        </Button>
      </DialogActions>
    );
  return (
    <DialogActions>
      <Button kind="quiet" onPress={() => onStep('delete')}>
        {t('action.delete-dialog')}
      </Button>
      <Button kind="quiet" onPress={() => onStep('reset')}>
        {t('admin.user.reset')}
      </Button>
      <Button onPress={onClose}>{t('action.close')}</Button>
      <Button kind="primary" isDisabled={isRunning} onPress={() => onTake('change')}>
        {t('action.save')}
      </Button>
    </DialogActions>
  );
}
