import { useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { ifUnchanged } from '../api/versioned.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { AuditLogLink, useChangeNotice } from '../ui/audit-log-link.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Impact } from '../ui/impact.tsx';
import { TextField } from '../ui/text-field.tsx';
import { isSameSet } from './lost-permissions.ts';
import { PERMISSION_NAMES } from './permission-names.ts';
import { type OpenRecord, RecordDialog, RecordForm } from './record-dialog.tsx';
import { type AdminRole, type Permission, useHolders } from './use-admin.ts';
import { useRoleLosses } from './use-role-losses.ts';

interface RoleDialogProps {
  /** Name of the role; undefined: the dialog is closed. */
  readonly name: string | undefined;
  readonly roles: readonly AdminRole[];
  readonly onClose: () => void;
}

/** Dialog that changes a role. Whom a change concerns is shown before it is made. */
export function RoleDialog({ name, roles, onClose }: RoleDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  return (
    <RecordDialog
      title={t('admin.role.title')}
      kind="role"
      id={name}
      read={(options) => client.api.getRole({ params: { name: name ?? '' }, ...options })}
      onClose={onClose}
    >
      {(open) => <RoleForm {...open} roles={roles} onClose={onClose} />}
    </RecordDialog>
  );
}

type RoleFormProps = Pick<RoleDialogProps, 'roles' | 'onClose'> & OpenRecord<AdminRole>;

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
      heading={
        <>
          <strong>{name}</strong> <AuditLogLink search={{ target: name }} />
        </>
      }
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

interface NewRoleDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Dialog that creates a role. */
export function NewRoleDialog({ isOpen, onClose }: NewRoleDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('admin.role.new')} isOpen={isOpen} onClose={onClose}>
      {isOpen && <NewRoleForm onClose={onClose} />}
    </Dialog>
  );
}

const ROLE_NAME_MAX = 64;

function NewRoleForm({ onClose }: Pick<NewRoleDialogProps, 'onClose'>) {
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

interface PermissionFieldsProps {
  readonly chosen: readonly Permission[];
  readonly isDisabled?: boolean;
  readonly onChange: (chosen: readonly Permission[]) => void;
}

function PermissionFields({ chosen, isDisabled = false, onChange }: PermissionFieldsProps) {
  const { t } = useTranslation();
  return PERMISSION_NAMES.map((permission) => (
    <Checkbox
      key={permission}
      label={permission}
      description={t(`admin.permission.${permission}`)}
      isSelected={chosen.includes(permission)}
      isDisabled={isDisabled}
      onChange={(isChosen) =>
        onChange(isChosen ? [...chosen, permission] : chosen.filter((each) => each !== permission))
      }
    />
  ));
}

interface RoleImpactProps {
  readonly name: string;
  /** Permissions after the change; undefined: the role is deleted. */
  readonly after: readonly string[] | undefined;
  readonly roles: readonly AdminRole[];
  /** Whether anything is changed yet. */
  readonly isChanged: boolean;
}

/** Lists the accounts that lose a permission when a role changes. */
function RoleImpact({ name, after, roles, isChanged }: RoleImpactProps) {
  const lossesOf = useRoleLosses();
  const holders = useHolders([name]);
  if (holders === undefined) return null;
  return <Impact losses={lossesOf({ holders, roles, changed: new Map([[name, after]]) })} isChanged={isChanged} />;
}
