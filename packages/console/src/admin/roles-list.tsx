import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { useListState } from '../router/query-parameters.ts';
import { RecordList } from './record-list.tsx';
import { NewRoleDialog, RoleDialog } from './role-dialog.tsx';
import { useRoles } from './use-admin.ts';

/** Roles of the tenant with their permissions and how many accounts have them. */
export function RolesList() {
  const { t } = useTranslation();
  const state = useListState();
  const { data: roles, error, refetch } = useRoles();
  const [isCreating, setCreating] = useState(false);
  const [openName, setOpenName] = useState<string>();
  return (
    <RecordList
      state={state}
      // The host sends all roles at once.
      page={{ data: roles && { data: roles, total: roles.length }, error, refetch }}
      newLabel={t('admin.role.new')}
      onNew={() => setCreating(true)}
      label={t('admin.roles')}
      idOf={({ name }) => name}
      onOpen={({ name }) => setOpenName(name)}
      columns={[
        { id: 'name', title: t('label.name'), cell: ({ name }) => name },
        { id: 'permissions', title: t('admin.role.permissions'), cell: ({ permissions }) => permissions.join(', ') },
        { id: 'users', title: t('admin.users'), isNumber: true, cell: ({ user_count: count }) => count },
        {
          id: 'accounts',
          title: t('admin.service-accounts'),
          isNumber: true,
          cell: ({ service_account_count: count }) => count,
        },
      ]}
    >
      <NewRoleDialog isOpen={isCreating} onClose={() => setCreating(false)} />
      <RoleDialog name={openName} roles={roles ?? []} onClose={() => setOpenName(undefined)} />
    </RecordList>
  );
}
