import type { Permission } from '@sluice/contract';
import { useState } from 'react';
import { ifUnchanged, useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useListState } from '../router/query-parameters.ts';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Impact } from '../ui/impact.tsx';
import { TextField } from '../ui/text-field.tsx';
import { visibleText } from '../ui/visible-text.tsx';
import { PermissionFields } from './permission-fields.tsx';
import { isSameSet, PERMISSION_NAMES } from './permissions.ts';
import { type OpenRecord, RecordDialog, RecordForm } from './record-dialog.tsx';
import { RecordList } from './record-list.tsx';
import { type AdminRole, useHolders, useRoles } from './use-admin.ts';
import { useGrantsOfRole } from './use-grants.ts';
import { useRoleLosses } from './use-role-losses.ts';

/** Roles of the tenant with their permissions and how many accounts have them. */
export function RolesList() {
  const { t } = useTranslation();
  const state = useListState();
  const { data: roles, error, refetch } = useRoles();
  const [isCreating, setCreating] = useState(false);
  const [openName, setOpenName] = useState<string>();
  const client = useClient();
  const close = (): void => setOpenName(undefined);
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
        {
          id: 'permissions',
          title: t('admin.role.permissions'),
          isText: true,
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
    >
      <Dialog title={t('admin.role.new')} isOpen={isCreating} onClose={() => setCreating(false)}>
        <NewRoleForm onClose={() => setCreating(false)} />
      </Dialog>
      <RecordDialog
        title={t('admin.role.title')}
        kind="role"
        id={openName}
        read={(options) => client.api.getRole({ params: { name: openName ?? '' }, ...options })}
        onClose={close}
      >
        {(open) => <RoleForm {...open} roles={roles ?? []} onClose={close} />}
      </RecordDialog>
    </RecordList>
  );
}

interface RoleFormProps extends OpenRecord<AdminRole> {
  readonly roles: readonly AdminRole[];
  readonly onClose: () => void;
}

/** Form that changes a role. Whom a change concerns is shown before it is made. */
function RoleForm({ record, roles, reload, onClose }: RoleFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const { name, permissions: before } = record.value;
  const [after, setAfter] = useState<readonly Permission[]>(
    PERMISSION_NAMES.filter((permission) => (before as readonly string[]).includes(permission)),
  );
  const options = { params: { name }, ...ifUnchanged(record) };
  return (
    <RecordForm
      heading={<strong>{name}</strong>}
      target={name}
      impact={<RoleImpact name={name} after={after} roles={roles} isChanged={!isSameSet(after, before)} />}
      confirmations={{
        delete: {
          label: t('action.delete-dialog'),
          action: t('admin.role.delete.now'),
          impact: <RoleImpact name={name} after={undefined} roles={roles} isChanged />,
        },
      }}
      send={(step) =>
        step === 'delete'
          ? client.api.deleteRole(options)
          : client.api.updateRole({ ...options, body: { permissions: [...after] } })
      }
      onDone={(step) => {
        const action = step === 'delete' ? 'DELETE_ROLE' : 'UPDATE_ROLE';
        notice(t(step === 'delete' ? 'admin.role.deleted' : 'admin.role.saved', { name }), { action, target: name });
        onClose();
      }}
      onReload={reload}
      onClose={onClose}
    >
      {(step) => <PermissionFields chosen={after} isDisabled={step === 'delete'} onChange={setAfter} />}
    </RecordForm>
  );
}

const ROLE_NAME_MAX = 64;

function NewRoleForm({ onClose }: Pick<RoleFormProps, 'onClose'>) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<readonly Permission[]>([]);
  const name = text.trim();
  return (
    <RecordForm
      impact={null}
      confirmations={{}}
      isValid={name !== ''}
      send={() => client.api.createRole({ body: { name, permissions: [...chosen] } })}
      onDone={() => {
        notice(t('admin.role.saved', { name }), { action: 'CREATE_ROLE', target: name });
        onClose();
      }}
      onClose={onClose}
    >
      {() => (
        <>
          <TextField
            label={t('label.name')}
            description={t('admin.role.name.about')}
            value={text}
            maxLength={ROLE_NAME_MAX}
            onChange={setText}
            isRequired
            autoFocus
          />
          <PermissionFields chosen={chosen} onChange={setChosen} />
        </>
      )}
    </RecordForm>
  );
}

interface RoleImpactProps {
  readonly name: string;
  /** Permissions after the change; undefined: the role is deleted. */
  readonly after: readonly string[] | undefined;
  readonly roles: readonly AdminRole[];
  /** Whether anything is changed yet. */
  readonly isChanged: boolean;
}

const itemsText = ({ titles, total }: { readonly titles: readonly string[]; readonly total: number }): string =>
  `${titles.map(visibleText).join(', ')}${total > titles.length ? ', …' : ''}`;

/** Lists the accounts that lose a permission when a role changes, and the items that they lose with a deleted role. */
function RoleImpact({ name, after, roles, isChanged }: RoleImpactProps) {
  const { t } = useTranslation();
  const lossesOf = useRoleLosses();
  const holders = useHolders([name]);
  const grants = useGrantsOfRole(name, after === undefined);
  if (holders === undefined) return null;
  const ofGrants =
    grants === undefined || grants.total === 0
      ? []
      : [t('admin.impact.role-grants', { count: grants.total, items: itemsText(grants) })];
  const losses = [...lossesOf({ holders, roles, changed: new Map([[name, after]]) }), ...ofGrants];
  return <Impact losses={losses} isChanged={isChanged} />;
}
