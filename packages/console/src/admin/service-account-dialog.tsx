import { useState } from 'react';
import { ifUnchanged, useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { AuditLogLink, useChangeNotice } from '../ui/audit-log-link.tsx';
import { IdText } from '../ui/id-text.tsx';
import { Impact } from '../ui/impact.tsx';
import {
  accessBody,
  draftOfAccess,
  isCompleteAccess,
  isOtherAccess,
  lostAccess,
  lostByScopes,
} from './access-draft.ts';
import { AccessFields } from './access-fields.tsx';
import { AccountFields, type AccountState, isOtherState, useAccountLosses } from './account-fields.tsx';
import { ClientSecrets } from './client-secrets.tsx';
import { permissionsOf } from './permissions.ts';
import { type OpenRecord, RecordDialog, RecordForm } from './record-dialog.tsx';
import { type AdminRole, rolePermissions, type ServiceAccount } from './use-admin.ts';

interface ServiceAccountDialogProps {
  /** Id of the account; undefined: the dialog is closed. */
  readonly id: string | undefined;
  readonly roles: readonly AdminRole[];
  readonly onClose: () => void;
}

/** Dialog that changes a service account, its secrets and the rules of its access. What a change takes away is shown before it is made. */
export function ServiceAccountDialog({ id, roles, onClose }: ServiceAccountDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  return (
    <RecordDialog
      title={t('admin.service-account.title')}
      kind="service-account"
      id={id}
      read={(options) => client.api.getServiceAccount({ params: { id: id ?? '' }, ...options })}
      onClose={onClose}
    >
      {(open) => (
        <>
          <p>
            <strong>
              <IdText id={open.record.value.client_id} name={t('admin.service-account.client-id')} />
            </strong>{' '}
            <AuditLogLink search={{ target: open.record.value.client_id }} />
          </p>
          <ClientSecrets account={open.record.value} onAdded={open.show} onRevoked={open.reload} />
          <AccountForm {...open} roles={roles} onClose={onClose} />
        </>
      )}
    </RecordDialog>
  );
}

type AccountFormProps = Pick<ServiceAccountDialogProps, 'roles' | 'onClose'> & OpenRecord<ServiceAccount>;

function AccountForm({ record, roles, reload, onClose }: AccountFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const lossesOf = useAccountLosses();
  const { value: before } = record;
  const name = before.client_id;
  const [after, setAfter] = useState<AccountState>(before);
  const accessBefore = draftOfAccess(before);
  const [access, setAccess] = useState(accessBefore);
  const isAccessChanged = isOtherAccess(accessBefore, access);
  const lost = lostByScopes(accessBefore, access, permissionsOf(after.roles, rolePermissions(roles)));
  const losses = [
    ...lossesOf({ name, before, after, roles }),
    ...(lost.length === 0 ? [] : [t('admin.impact.account-loses', { name, permissions: lost.join(', ') })]),
    ...lostAccess(accessBefore, access).map((loss) => t(`admin.impact.access.${loss}`, { name })),
  ];
  const options = { params: { id: before.id }, ...ifUnchanged(record) };
  return (
    <RecordForm
      impact={<Impact losses={losses} isChanged={isAccessChanged || isOtherState(before, after)} />}
      isValid={isCompleteAccess(access)}
      confirmations={{
        delete: {
          label: t('action.delete-dialog'),
          action: t('admin.service-account.delete.now'),
          impact: <Impact losses={[t('admin.impact.service-account-deleted', { name })]} />,
        },
      }}
      send={(step) =>
        step === 'delete'
          ? client.api.deleteServiceAccount(options)
          : client.api.updateServiceAccount({
              ...options,
              body: {
                roles: [...after.roles],
                disabled: after.disabled,
                ...(isAccessChanged ? accessBody(access) : {}),
              },
            })
      }
      onDone={(step) => {
        const action = step === 'delete' ? 'DELETE_SERVICE_ACCOUNT' : 'UPDATE_SERVICE_ACCOUNT';
        const text = t(step === 'delete' ? 'admin.user.deleted' : 'admin.user.changed', { email: name });
        notice(text, { action, target: name });
        onClose();
      }}
      onReload={reload}
      onClose={onClose}
    >
      {() => (
        <>
          <AccountFields roles={roles} state={after} onChange={setAfter} />
          <AccessFields draft={access} onChange={setAccess} />
        </>
      )}
    </RecordForm>
  );
}
