import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { ifUnchanged, useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { AuditLogLink, useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Note, Stack } from '../ui/layout.tsx';
import { AccountFields, type AccountState, isOtherState, useAccountLosses } from './account-fields.tsx';
import { type OpenRecord, RecordDialog, RecordForm } from './record-dialog.tsx';
import { type ShownOnce, useSecretText } from './shown-once-dialog.tsx';
import type { AdminRole, ServiceAccount } from './use-admin.ts';
import './client-secrets.css';

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
            <strong>{open.record.value.client_id}</strong>{' '}
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
  const options = { params: { id: before.id }, ...ifUnchanged(record) };
  return (
    <RecordForm
      impact={<Impact losses={lossesOf({ name, before, after, roles })} isChanged={isOtherState(before, after)} />}
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
              body: { roles: [...after.roles], disabled: after.disabled },
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
      {() => <AccountFields roles={roles} state={after} onChange={setAfter} />}
    </RecordForm>
  );
}

/** The host accepts two, so that one can replace the other without a gap. */
const SECRETS_MAX = 2;

type Secret = ServiceAccount['secrets'][number];

interface ClientSecretsProps {
  readonly account: ServiceAccount;
  readonly onAdded: (secret: ShownOnce) => void;
  readonly onRevoked: () => void;
}

/** Secrets of a service account: when each was used, a second one, and revoking one. */
function ClientSecrets({ account, onAdded, onRevoked }: ClientSecretsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const secretText = useSecretText();
  const { start, isRunning, failure } = useAction(() => client.api.addClientSecret({ params: { id: account.id } }), {
    invalidates: [QUERY_KEYS.admin],
    onDone: ({ result }) => onAdded(secretText(account.client_id, result.client_secret)),
  });
  return (
    <Stack as="section" gap="s" label={t('admin.secrets')}>
      <h3>{t('admin.secrets')}</h3>
      <ul className="client-secrets">
        {account.secrets.map((secret) => (
          <SecretItem key={secret.secret_id} account={account} secret={secret} onRevoked={onRevoked} />
        ))}
      </ul>
      <Failure error={failure} />
      <Note size="s">{t('admin.secrets.rotate')}</Note>
      <Button
        size="s"
        icon="plus"
        isDisabled={isRunning || account.secrets.length >= SECRETS_MAX}
        onPress={() => void start()}
      >
        {t('admin.secret.add')}
      </Button>
    </Stack>
  );
}

interface SecretItemProps extends Pick<ClientSecretsProps, 'account' | 'onRevoked'> {
  readonly secret: Secret;
}

function SecretItem({ account, secret, onRevoked }: SecretItemProps) {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const [isRevoking, setRevoking] = useState(false);
  const { id, client_id: name } = account;
  const { start, isRunning, failure } = useAction(
    () => client.api.revokeClientSecret({ params: { id, secret_id: secret.secret_id } }),
    {
      invalidates: [QUERY_KEYS.admin],
      onDone() {
        notice(t('admin.secret.revoked', { name }), { action: 'REVOKE_CLIENT_SECRET', target: name });
        onRevoked();
      },
    },
  );
  const used = secret.last_used_ts;
  const isLast = account.secrets.length === 1;
  return (
    <li>
      <div className="client-secrets__row">
        <span>
          {secret.created_ts !== null &&
            t('admin.secret.created', {
              time: formatTime(secret.created_ts),
              user: visibleText(secret.created_by ?? ''),
            })}{' '}
          {used === null ? t('admin.secret.never-used') : t('admin.secret.used', { time: formatTime(used) })}
        </span>
        <Button size="s" kind={isRevoking ? 'quiet' : 'danger-quiet'} onPress={() => setRevoking(!isRevoking)}>
          {t(isRevoking ? 'admin.back' : 'admin.secret.revoke')}
        </Button>
      </div>
      {isRevoking && (
        <>
          <Failure error={failure} />
          <Impact losses={[t('admin.impact.secret'), ...(isLast ? [t('admin.impact.secret-last', { name })] : [])]}>
            <Button kind="danger" size="s" isDisabled={isRunning} onPress={() => void start()}>
              {t('admin.secret.revoke.now')}
            </Button>
          </Impact>
        </>
      )}
    </li>
  );
}
