import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Note, Stack } from '../ui/layout.tsx';
import { type ShownOnce, useSecretText } from './shown-once-dialog.tsx';
import type { ServiceAccount } from './use-admin.ts';
import './client-secrets.css';

/** The host accepts two, so that one can replace the other without a gap. */
const SECRETS_MAX = 2;

type Secret = ServiceAccount['secrets'][number];

interface ClientSecretsProps {
  readonly account: ServiceAccount;
  readonly onAdded: (secret: ShownOnce) => void;
  readonly onRevoked: () => void;
}

/** Secrets of a service account: when each was used, a second one, and revoking one. */
export function ClientSecrets({ account, onAdded, onRevoked }: ClientSecretsProps) {
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
        <Button size="s" kind="quiet" onPress={() => setRevoking(!isRevoking)}>
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
