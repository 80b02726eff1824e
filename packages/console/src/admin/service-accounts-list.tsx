import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure } from '../ui/failure.tsx';
import { Pager } from '../ui/pager.tsx';
import { TextField } from '../ui/text-field.tsx';
import { NewServiceAccountDialog } from './new-service-account-dialog.tsx';
import { ServiceAccountDialog } from './service-account-dialog.tsx';
import { ACCOUNT_PAGE_SIZE, type ServiceAccount, useRoles, useServiceAccounts } from './use-admin.ts';
import { useSettledText } from './use-settled-text.ts';
import './admin-list.css';

/** Service accounts of the tenant: search, create, change, and their secrets. */
export function ServiceAccountsList() {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const [from, setFrom] = useState(0);
  const [isCreating, setCreating] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const { data, error, refetch } = useServiceAccounts({ words: useSettledText(words), from });
  const roles = useRoles().data ?? [];
  return (
    <div className="admin-list">
      <div className="admin-list__tools">
        <TextField
          label={t('admin.service-accounts.search')}
          isLabelHidden
          placeholder={t('admin.service-accounts.search')}
          icon="search"
          type="search"
          value={words}
          maxLength={100}
          onChange={(text) => {
            setWords(text);
            setFrom(0);
          }}
        />
        <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
          {t('admin.service-account.new')}
        </Button>
      </div>
      {error !== null && (
        <Failure error={error}>
          <Button size="s" onPress={() => void refetch()}>
            {t('action.retry')}
          </Button>
        </Failure>
      )}
      {data !== undefined && (
        <>
          <DataTable
            label={t('admin.service-accounts')}
            items={data.data}
            idOf={({ id }) => id}
            onOpen={({ id }) => setOpenId(id)}
            empty={<EmptyState icon="code" title={t('admin.service-accounts.none')} />}
            columns={[
              { id: 'client', title: t('admin.service-account.client-id'), cell: ({ client_id: id }) => id },
              { id: 'roles', title: t('admin.user.roles'), cell: ({ roles: names }) => names.join(', ') },
              { id: 'state', title: t('admin.user.state'), cell: (account) => <State account={account} /> },
              { id: 'used', title: t('admin.secret.last-used'), cell: (account) => <LastUsed account={account} /> },
            ]}
          />
          <Pager
            label={t('admin.service-accounts.pages')}
            from={from}
            size={ACCOUNT_PAGE_SIZE}
            total={data.total}
            onMove={setFrom}
          />
        </>
      )}
      <NewServiceAccountDialog roles={roles} isOpen={isCreating} onClose={() => setCreating(false)} />
      <ServiceAccountDialog id={openId} roles={roles} onClose={() => setOpenId(undefined)} />
    </div>
  );
}

function State({ account: { disabled, secrets } }: { readonly account: ServiceAccount }) {
  const { t } = useTranslation();
  if (disabled) return <Badge tone="danger">{t('admin.user.state.disabled')}</Badge>;
  if (secrets.length === 0) return <Badge tone="warning">{t('admin.service-account.state.no-secret')}</Badge>;
  return <Badge tone="success">{t('admin.user.state.active')}</Badge>;
}

function LastUsed({ account: { secrets } }: { readonly account: ServiceAccount }) {
  const { t, formatTime } = useTranslation();
  const times = secrets.flatMap(({ last_used_ts: time }) => time ?? []);
  return times.length === 0 ? t('admin.secret.never-used') : formatTime(Math.max(...times));
}
