import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { expiryOf } from '../ui/expiry.ts';
import { type ChosenExpiry, ExpiryField } from '../ui/expiry-field.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Note, Row, Stack } from '../ui/layout.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type ShownOnce, useSecretText } from './shown-once-dialog.tsx';
import type { ServiceAccount } from './use-admin.ts';
import './client-secrets.css';

/** Number of secrets that the host accepts. */
const SECRETS_MAX = 5;
const LABEL_MAX = 100;

type Secret = ServiceAccount['secrets'][number];

interface ClientSecretsProps {
  readonly account: ServiceAccount;
  readonly onAdded: (secret: ShownOnce) => void;
  readonly onRevoked: () => void;
}

/** Secrets of a service account: when each was used, adding and revoking one. */
export function ClientSecrets({ account, onAdded, onRevoked }: ClientSecretsProps) {
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  return (
    <Stack as="section" gap="s" label={t('admin.secrets')}>
      <h3>{t('admin.secrets')}</h3>
      <ul className="client-secrets">
        {account.secrets.map((secret) => (
          <SecretItem key={secret.secret_id} account={account} secret={secret} onRevoked={onRevoked} />
        ))}
      </ul>
      <Note size="s">{t('admin.secrets.rotate')}</Note>
      {isAdding ? (
        <NewSecretForm account={account} onAdded={onAdded} onCancel={() => setAdding(false)} />
      ) : (
        <Button size="s" icon="plus" isDisabled={account.secrets.length >= SECRETS_MAX} onPress={() => setAdding(true)}>
          {t('admin.secret.add')}
        </Button>
      )}
    </Stack>
  );
}

interface NewSecretFormProps extends Pick<ClientSecretsProps, 'account' | 'onAdded'> {
  readonly onCancel: () => void;
}

function NewSecretForm({ account, onAdded, onCancel }: NewSecretFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const secretText = useSecretText();
  const [label, setLabel] = useState('');
  const [expiry, setExpiry] = useState<ChosenExpiry>({ choice: 'days-90', date: '' });
  const expiresTs = expiryOf(expiry.choice, expiry.date, Date.now());
  const body = { ...(label.trim() === '' ? {} : { label: label.trim() }), expires_ts: expiresTs ?? null };
  const { start, isRunning, failure } = useAction(
    () => client.api.addClientSecret({ params: { id: account.id }, body }),
    {
      invalidates: [QUERY_KEYS.admin],
      onDone: ({ result }) => onAdded(secretText(account.client_id, result.client_secret)),
    },
  );
  return (
    <Stack as="form" gap="s" onSubmit={() => expiresTs !== undefined && start()}>
      <Failure error={failure} />
      <TextField
        label={t('admin.secret.label')}
        description={t('admin.secret.label.about')}
        value={label}
        maxLength={LABEL_MAX}
        onChange={setLabel}
        autoFocus
        autoComplete="off"
      />
      <ExpiryField value={expiry} onChange={setExpiry} />
      <Row>
        <Button size="s" kind="primary" type="submit" isDisabled={isRunning || expiresTs === undefined}>
          {t('admin.secret.create')}
        </Button>
        <Button size="s" kind="quiet" onPress={onCancel}>
          {t('admin.back')}
        </Button>
      </Row>
    </Stack>
  );
}

interface SecretItemProps extends Pick<ClientSecretsProps, 'account' | 'onRevoked'> {
  readonly secret: Secret;
}

function SecretItem({ account, secret, onRevoked }: SecretItemProps) {
  const { t } = useTranslation();
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
  const isLast = account.secrets.length === 1 && account.jwks === null && account.jwks_uri === null;
  return (
    <li>
      <div className="client-secrets__row">
        <SecretText secret={secret} />
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

/** Label of a secret, who created it, when it ends, and when it was used. */
function SecretText({ secret }: Pick<SecretItemProps, 'secret'>) {
  const { t, formatTime } = useTranslation();
  const { label, created_ts: created, created_by: user, expires_ts: expires, last_used_ts: used } = secret;
  return (
    <span>
      {label !== null && <strong>{visibleText(label)} </strong>}
      {expires !== null && expires <= Date.now() && <Badge tone="warning">{t('admin.secret.expired')}</Badge>}{' '}
      {created !== null && t('admin.secret.created', { time: formatTime(created), user: visibleText(user ?? '') })}{' '}
      {expires !== null && t('admin.secret.expires', { time: formatTime(expires) })}{' '}
      {used === null ? t('admin.secret.never-used') : t('admin.secret.used', { time: formatTime(used) })}
    </span>
  );
}
