import { useTranslation } from '../i18n/translate.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { isSameSet, lostByRoles } from './permissions.ts';
import { type AdminRole, rolePermissions } from './use-admin.ts';
import './role-choice.css';

/** Roles and status of a user or service account, which an admin may change. */
export interface AccountState {
  readonly roles: readonly string[];
  readonly disabled: boolean;
}

interface AccountFieldsProps {
  readonly roles: readonly AdminRole[];
  readonly state: AccountState;
  readonly onChange: (state: AccountState) => void;
}

/** Roles of an account, and whether it is disabled. */
export function AccountFields({ roles, state, onChange }: AccountFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <RoleChoice roles={roles} chosen={state.roles} onChange={(chosen) => onChange({ ...state, roles: chosen })} />
      <Checkbox
        label={t('admin.account.disabled')}
        description={t('admin.account.disabled.about')}
        isSelected={state.disabled}
        onChange={(disabled) => onChange({ ...state, disabled })}
      />
    </>
  );
}

/** Checks whether two states of an account differ. */
export const isOtherState = (before: AccountState, after: AccountState): boolean =>
  before.disabled !== after.disabled || !isSameSet(before.roles, after.roles);

interface AccountChange {
  readonly name: string;
  readonly before: AccountState;
  readonly after: AccountState;
  readonly roles: readonly AdminRole[];
}

/** Returns a function that describes what an account loses, one sentence each. */
export function useAccountLosses(): (change: AccountChange) => readonly string[] {
  const { t } = useTranslation();
  return ({ name, before, after, roles }) => {
    const lost = lostByRoles(before.roles, after.roles, rolePermissions(roles));
    return [
      ...(lost.length > 0 ? [t('admin.impact.account-loses', { name, permissions: lost.join(', ') })] : []),
      ...(after.disabled && !before.disabled ? [t('admin.impact.account-disabled', { name })] : []),
    ];
  };
}

interface RoleChoiceProps {
  /** Default: "Roles". */
  readonly label?: string;
  readonly roles: readonly AdminRole[];
  readonly chosen: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

/** Roles to choose from, each with its permissions. */
export function RoleChoice({ label, roles, chosen, onChange }: RoleChoiceProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="role-choice">
      <legend>{label ?? t('admin.roles')}</legend>
      {roles.map(({ name, permissions }) => (
        <Checkbox
          key={name}
          label={name}
          description={permissions.length === 0 ? t('admin.role.no-permissions') : permissions.join(', ')}
          isSelected={chosen.includes(name)}
          onChange={(isChosen) =>
            onChange(isChosen ? [...chosen, name].sort() : chosen.filter((each) => each !== name))
          }
        />
      ))}
    </fieldset>
  );
}
