import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { ifUnchanged, readVersioned, type Versioned } from '../api/versioned.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { AccountFields, type AccountState, isOtherState, useAccountLosses } from './account-fields.tsx';
import { AuditLogLink, useChangeNotice } from './audit-log-link.tsx';
import { ClientSecrets } from './client-secrets.tsx';
import { ShownOnceDialog } from './shown-once-dialog.tsx';
import { type AdminRole, type ServiceAccount, useRereadAdmin } from './use-admin.ts';

interface ServiceAccountDialogProps {
  /** Id of the account; undefined: the dialog is closed. */
  readonly id: string | undefined;
  readonly roles: readonly AdminRole[];
  readonly onClose: () => void;
}

/** Dialog that changes a service account and its secrets. What a change takes away is shown before it is made. */
export function ServiceAccountDialog({ id, roles, onClose }: ServiceAccountDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const found = useQuery({
    queryKey: ['admin-service-account', id],
    queryFn: ({ signal }) =>
      readVersioned((options) => client.api.getServiceAccount({ params: { id: id ?? '' }, signal, ...options })),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  const reload = () => void found.refetch();
  return (
    <ShownOnceDialog title={t('admin.service-account.title')} isOpen={id !== undefined} onClose={onClose}>
      {(show) => (
        <>
          {found.error !== null && <Failure error={found.error} />}
          {found.data !== undefined && (
            <>
              <p>
                <strong>{found.data.value.client_id}</strong>{' '}
                <AuditLogLink search={{ target: found.data.value.client_id }} />
              </p>
              <ClientSecrets account={found.data.value} onAdded={show} onRevoked={reload} />
              <AccountForm
                // Another version fills the form again.
                key={found.data.entityTag}
                account={found.data}
                roles={roles}
                onReload={reload}
                onClose={onClose}
              />
            </>
          )}
        </>
      )}
    </ShownOnceDialog>
  );
}

interface AccountFormProps extends Pick<ServiceAccountDialogProps, 'roles' | 'onClose'> {
  readonly account: Versioned<ServiceAccount>;
  readonly onReload: () => void;
}

function AccountForm({ account, roles, onReload, onClose }: AccountFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const reread = useRereadAdmin();
  const notice = useChangeNotice();
  const lossesOf = useAccountLosses();
  const { value: before } = account;
  const name = before.client_id;
  const [after, setAfter] = useState<AccountState>(before);
  const [isDeleting, setDeleting] = useState(false);
  const { start, isRunning, failure } = useAction(async () => {
    const options = { params: { id: before.id }, ...ifUnchanged(account) };
    const body = { roles: [...after.roles], disabled: after.disabled };
    try {
      if (isDeleting) await client.api.deleteServiceAccount(options);
      else await client.api.updateServiceAccount({ ...options, body });
    } finally {
      reread();
    }
  });
  const save = async () => {
    if (!(await start())) return;
    const action = isDeleting ? 'DELETE_SERVICE_ACCOUNT' : 'UPDATE_SERVICE_ACCOUNT';
    notice(t(isDeleting ? 'admin.user.deleted' : 'admin.user.changed', { email: name }), { action, target: name });
    onClose();
  };
  const deleted = [t('admin.impact.service-account-deleted', { name })];
  return (
    <div className="dialog-form">
      <Failure error={failure}>
        <Button size="s" onPress={onReload}>
          {t('admin.reload')}
        </Button>
      </Failure>
      <AccountFields roles={roles} state={after} onChange={setAfter} />
      <Impact
        losses={isDeleting ? deleted : lossesOf({ name, before, after, roles })}
        isChanged={isOtherState(before, after)}
      />
      <DialogActions>
        {!isDeleting && (
          <Button kind="quiet" onPress={() => setDeleting(true)}>
            {t('action.delete-dialog')}
          </Button>
        )}
        <Button onPress={isDeleting ? () => setDeleting(false) : onClose}>
          {t(isDeleting ? 'admin.back' : 'action.close')}
        </Button>
        <Button kind={isDeleting ? 'danger' : 'primary'} isDisabled={isRunning} onPress={() => void save()}>
          {t(isDeleting ? 'admin.service-account.delete.now' : 'action.save')}
        </Button>
      </DialogActions>
    </div>
  );
}
