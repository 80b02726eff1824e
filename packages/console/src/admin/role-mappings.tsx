import { useTranslation } from '../i18n/translate.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { RoleMapping } from './provider-draft.ts';
import type { AdminRole } from './use-admin.ts';
import './role-mappings.css';

interface RoleMappingsProps {
  readonly mappings: readonly RoleMapping[];
  readonly roles: readonly AdminRole[];
  readonly onChange: (mappings: readonly RoleMapping[]) => void;
}

/** Groups of the identity provider, and the roles that their members get at each login. */
export function RoleMappings({ mappings, roles, onChange }: RoleMappingsProps) {
  const { t } = useTranslation();
  const replace = (index: number, mapping: RoleMapping): void => onChange(mappings.with(index, mapping));
  return (
    <fieldset className="role-mappings">
      <legend>{t('admin.provider.mappings')}</legend>
      <p className="role-mappings__about">{t('admin.provider.mappings.about')}</p>
      {mappings.map((mapping, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mapping has no identity but its place while its group is typed
        <div className="role-mappings__item" key={index}>
          <div className="role-mappings__head">
            <TextField
              label={t('admin.provider.group')}
              value={mapping.value}
              maxLength={256}
              onChange={(value) => replace(index, { ...mapping, value })}
              isRequired
            />
            <IconButton
              icon="close"
              label={t('admin.provider.mapping.remove', { group: mapping.value })}
              onPress={() => onChange(mappings.filter((_, other) => other !== index))}
            />
          </div>
          <div className="role-mappings__roles">
            {roles.map(({ name }) => (
              <Checkbox
                key={name}
                label={name}
                isSelected={mapping.roles.includes(name)}
                onChange={(isChosen) =>
                  replace(index, {
                    ...mapping,
                    roles: isChosen ? [...mapping.roles, name].sort() : mapping.roles.filter((each) => each !== name),
                  })
                }
              />
            ))}
          </div>
        </div>
      ))}
      <div>
        <Button size="s" icon="plus" onPress={() => onChange([...mappings, { value: '', roles: [] }])}>
          {t('admin.provider.mapping.add')}
        </Button>
      </div>
    </fieldset>
  );
}
