import type { Permission } from '@sluice/contract';
import { useTranslation } from '../i18n/translate.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { PERMISSION_NAMES } from './permissions.ts';

interface PermissionFieldsProps {
  readonly chosen: readonly Permission[];
  readonly isDisabled?: boolean;
  readonly onChange: (chosen: readonly Permission[]) => void;
}

/** Permissions to choose from, each with its description. */
export function PermissionFields({ chosen, isDisabled = false, onChange }: PermissionFieldsProps) {
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
