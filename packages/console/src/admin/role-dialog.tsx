import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { ifUnchanged, readVersioned, type Versioned } from '../api/versioned.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { TextField } from '../ui/text-field.tsx';
import { AuditLogLink, useChangeNotice } from './audit-log-link.tsx';
import { isSameSet } from './lost-permissions.ts';
import { PERMISSION_NAMES } from './permission-names.ts';
import { type AdminRole, type Permission, useHolders, useRereadAdmin } from './use-admin.ts';
import { useRoleLosses } from './use-role-losses.ts';

interface RoleDialogProps {
  /** Name of the role, `new` for another one, undefined: the dialog is closed. */
  readonly open: { readonly name: string } | 'new' | undefined;
  readonly roles: readonly AdminRole[];
  readonly onClose: () => void;
}

/** Dialog that creates or changes a role. Whom a change concerns is shown before it is made. */
export function RoleDialog({ open, roles, onClose }: RoleDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const name = typeof open === 'object' ? open.name : undefined;
  const found = useQuery({
    queryKey: ['admin-role', name],
    queryFn: ({ signal }) =>
      readVersioned((options) => client.api.getRole({ params: { name: name ?? '' }, signal, ...options })),
    enabled: name !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog
      title={t(open === 'new' ? 'admin.role.new' : 'admin.role.title')}
      isOpen={open !== undefined}
      onClose={onClose}
    >
      {found.error !== null && <Failure error={found.error} />}
      {open === 'new' && <RoleForm existing={undefined} roles={roles} onClose={onClose} />}
      {name !== undefined && found.data !== undefined && (
        <RoleForm
          key={found.data.entityTag}
          existing={found.data}
          roles={roles}
          onReload={() => void found.refetch()}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface RoleFormProps extends Pick<RoleDialogProps, 'roles' | 'onClose'> {
  /** Undefined: a new role. */
  readonly existing: Versioned<AdminRole> | undefined;
  readonly onReload?: () => void;
}

const isListed = (list: readonly string[], permission: Permission): boolean => list.includes(permission);

function RoleForm({ existing, roles, onReload, onClose }: RoleFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const reread = useRereadAdmin();
  const notice = useChangeNotice();
  const [name, setName] = useState(existing?.value.name ?? '');
  const [chosen, setChosen] = useState<readonly Permission[]>(
    PERMISSION_NAMES.filter((permission) => isListed(existing?.value.permissions ?? [], permission)),
  );
  const [isDeleting, setDeleting] = useState(false);
  const { start, isRunning, failure } = useAction(async () => {
    const body = { permissions: [...chosen] };
    try {
      if (existing === undefined) await client.api.createRole({ body: { name: name.trim(), ...body } });
      else if (isDeleting) await client.api.deleteRole({ params: { name }, ...ifUnchanged(existing) });
      else await client.api.updateRole({ params: { name }, ...ifUnchanged(existing), body });
    } finally {
      reread();
    }
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || !(await start())) return;
    const text = t(isDeleting ? 'admin.role.deleted' : 'admin.role.saved', { name: name.trim() });
    const action = existing === undefined ? 'CREATE_ROLE' : isDeleting ? 'DELETE_ROLE' : 'UPDATE_ROLE';
    notice(text, { action, target: name.trim() });
    onClose();
  };
  return (
    <form className="dialog-form" onSubmit={(event) => void submit(event)}>
      {existing !== undefined && (
        <p>
          <strong>{name}</strong> <AuditLogLink search={{ target: name }} />
        </p>
      )}
      <Failure error={failure}>
        {onReload !== undefined && (
          <Button size="s" onPress={onReload}>
            {t('admin.reload')}
          </Button>
        )}
      </Failure>
      {existing === undefined && (
        <TextField
          label={t('label.name')}
          description={t('admin.role.name.about')}
          value={name}
          maxLength={64}
          onChange={setName}
          isRequired
          autoFocus
        />
      )}
      {PERMISSION_NAMES.map((permission) => (
        <Checkbox
          key={permission}
          label={permission}
          description={t(`admin.permission.${permission}`)}
          isSelected={chosen.includes(permission)}
          isDisabled={isDeleting}
          onChange={(isChosen) =>
            setChosen(isChosen ? [...chosen, permission] : chosen.filter((each) => each !== permission))
          }
        />
      ))}
      {existing !== undefined && (
        <RoleImpact
          name={name}
          after={isDeleting ? undefined : chosen}
          roles={roles}
          isChanged={isDeleting || !isSameSet(chosen, existing.value.permissions)}
        />
      )}
      <DialogActions>
        {existing !== undefined && !isDeleting && (
          <Button kind="quiet" onPress={() => setDeleting(true)}>
            {t('action.delete-dialog')}
          </Button>
        )}
        <Button onPress={isDeleting ? () => setDeleting(false) : onClose}>
          {t(isDeleting ? 'admin.back' : 'action.close')}
        </Button>
        <Button kind={isDeleting ? 'danger' : 'primary'} type="submit" isDisabled={isRunning || name.trim() === ''}>
          {t(isDeleting ? 'admin.role.delete.now' : 'action.save')}
        </Button>
      </DialogActions>
    </form>
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

/** Lists the accounts that lose a permission when a role changes. */
function RoleImpact({ name, after, roles, isChanged }: RoleImpactProps) {
  const lossesOf = useRoleLosses();
  const holders = useHolders([name]);
  if (holders === undefined) return null;
  return <Impact losses={lossesOf({ holders, roles, changed: new Map([[name, after]]) })} isChanged={isChanged} />;
}
