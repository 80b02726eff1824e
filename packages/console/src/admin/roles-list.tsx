import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Failure } from '../ui/failure.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { useRoles } from './use-admin.ts';
import './admin-list.css';

/** Roles of the tenant with their permissions and how many accounts have them. */
export function RolesList() {
  const { t } = useTranslation();
  const { data, error, refetch } = useRoles();
  const [open, setOpen] = useState<{ readonly name: string } | 'new'>();
  return (
    <div className="admin-list">
      <div className="admin-list__tools">
        <Button kind="primary" icon="plus" onPress={() => setOpen('new')}>
          {t('admin.role.new')}
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
        <DataTable
          label={t('admin.roles')}
          items={data}
          idOf={({ name }) => name}
          onOpen={({ name }) => setOpen({ name })}
          columns={[
            { id: 'name', title: t('label.name'), cell: ({ name }) => name },
            {
              id: 'permissions',
              title: t('admin.role.permissions'),
              cell: ({ permissions }) => permissions.join(', '),
            },
            { id: 'users', title: t('admin.users'), isNumber: true, cell: ({ user_count: count }) => count },
            {
              id: 'accounts',
              title: t('admin.service-accounts'),
              isNumber: true,
              cell: ({ service_account_count: count }) => count,
            },
          ]}
        />
      )}
      <RoleDialog open={open} roles={data ?? []} onClose={() => setOpen(undefined)} />
    </div>
  );
}
