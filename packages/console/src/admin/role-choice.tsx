import { useTranslation } from '../i18n/translate.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import type { AdminRole } from './use-admin.ts';
import './role-choice.css';

interface RoleChoiceProps {
  readonly roles: readonly AdminRole[];
  readonly chosen: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

/** Roles to choose from, each with its permissions. */
export function RoleChoice({ roles, chosen, onChange }: RoleChoiceProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="role-choice">
      <legend>{t('admin.roles')}</legend>
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
