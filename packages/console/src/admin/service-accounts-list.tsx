import { useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useListState } from '../router/query-parameters.ts';
import { Badge } from '../ui/badge.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Filters } from '../ui/filters.tsx';
import { IdText } from '../ui/id-text.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { NewAccountForm } from './new-account-form.tsx';
import { RecordList } from './record-list.tsx';
import { ServiceAccountDialog } from './service-account-dialog.tsx';
import { ShownOnceDialog, useSecretText } from './shown-once-dialog.tsx';
import { ACCOUNT_PAGE_SIZE, type ServiceAccount, useRoles, useServiceAccounts } from './use-admin.ts';

const CLIENT_ID_MAX = 100;
const UNUSED_DAYS = [30, 90, 365] as const;

/** Service accounts of the tenant: search, create, change, and their secrets. */
export function ServiceAccountsList() {
  const { t } = useTranslation();
  const state = useListState();
  const [isCreating, setCreating] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const client = useClient();
  const secretText = useSecretText();
  const roles = useRoles().data ?? [];
  const unusedDays = UNUSED_DAYS.find((days) => String(days) === state.text('unused'));
  return (
    <RecordList
      state={state}
      page={useServiceAccounts(state, unusedDays)}
      filters={<UnusedFilter days={unusedDays} onChange={(days) => state.search({ unused: days })} />}
      search={{ label: t('admin.service-accounts.search'), maxLength: CLIENT_ID_MAX }}
      newLabel={t('admin.service-account.new')}
      onNew={() => setCreating(true)}
      label={t('admin.service-accounts')}
      idOf={({ id }) => id}
      onOpen={({ id }) => setOpenId(id)}
      empty={<EmptyState icon="code" title={t('admin.service-accounts.none')} />}
      columns={[
        {
          id: 'client',
          title: t('admin.service-account.client-id'),
          cell: ({ client_id: id }) => <IdText id={id} name={t('admin.service-account.client-id')} />,
        },
        { id: 'roles', title: t('admin.roles'), cell: ({ roles: names }) => names.join(', ') },
        { id: 'state', title: t('label.state'), cell: (account) => <State account={account} /> },
        { id: 'used', title: t('admin.secret.last-used'), cell: (account) => <LastUsed account={account} /> },
      ]}
      pages={{ label: t('admin.service-accounts.pages'), size: ACCOUNT_PAGE_SIZE }}
    >
      <ShownOnceDialog title={t('admin.service-account.new')} isOpen={isCreating} onClose={() => setCreating(false)}>
        {(show) => (
          <NewAccountForm
            roles={roles}
            field={{
              label: t('admin.service-account.client-id'),
              description: t('admin.service-account.client-id.about'),
              maxLength: CLIENT_ID_MAX,
            }}
            action={t('admin.service-account.create')}
            onCreate={async (clientId, chosen) => {
              const body = { client_id: clientId, roles: chosen };
              const { client_secret: secret } = await client.api.createServiceAccount({ body });
              show(secretText(clientId, secret));
            }}
            onClose={() => setCreating(false)}
          />
        )}
      </ShownOnceDialog>
      <ServiceAccountDialog id={openId} roles={roles} onClose={() => setOpenId(undefined)} />
    </RecordList>
  );
}

interface UnusedFilterProps {
  readonly days: number | undefined;
  readonly onChange: (days: number | undefined) => void;
}

/** Field that narrows the list to accounts without a token for some days. */
function UnusedFilter({ days, onChange }: UnusedFilterProps) {
  const { t } = useTranslation();
  return (
    <Filters count={Number(days !== undefined)}>
      <SelectField<string>
        label={t('admin.secret.last-used')}
        value={String(days ?? 0)}
        choices={[
          { id: '0', label: t('admin.service-accounts.used.any') },
          ...UNUSED_DAYS.map((count) => ({ id: String(count), label: t('admin.service-accounts.unused', { count }) })),
        ]}
        onChange={(id) => onChange(id === '0' ? undefined : Number(id))}
      />
    </Filters>
  );
}

function State({ account: { disabled, secrets, jwks, jwks_uri: keyAddress } }: { readonly account: ServiceAccount }) {
  const { t } = useTranslation();
  if (disabled) return <Badge tone="danger">{t('admin.account.disabled')}</Badge>;
  const hasSecret = secrets.some(({ expires_ts: expires }) => expires === null || expires > Date.now());
  if (!hasSecret && jwks === null && keyAddress === null)
    return <Badge tone="warning">{t('admin.service-account.state.no-secret')}</Badge>;
  return <Badge tone="success">{t('admin.user.state.active')}</Badge>;
}

function LastUsed({ account: { last_used_ts: used } }: { readonly account: ServiceAccount }) {
  const { t, formatTime } = useTranslation();
  return used === null ? t('admin.secret.never-used') : formatTime(used);
}
