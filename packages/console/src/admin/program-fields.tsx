import { useTranslation } from '../i18n/translate.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Stack } from '../ui/layout.tsx';
import { TextField } from '../ui/text-field.tsx';
import { PERMISSION_NAMES } from './permissions.ts';
import type { ProgramDraft } from './program-draft.ts';

interface ProgramFieldsProps {
  readonly draft: ProgramDraft;
  readonly isDisabled?: boolean;
  readonly onChange: (draft: ProgramDraft) => void;
}

const NAME_MAX = 100;
const ADDRESS_MAX = 512;

/** Fields of a registered program that can be changed: name, addresses, scopes and home page. */
export function ProgramFields({ draft, isDisabled = false, onChange }: ProgramFieldsProps) {
  const { t } = useTranslation();
  const set = (change: Partial<ProgramDraft>): void => onChange({ ...draft, ...change });
  return (
    <>
      <TextField
        label={t('admin.program.name')}
        description={t('admin.program.name.about')}
        value={draft.name}
        maxLength={NAME_MAX}
        onChange={(name) => set({ name })}
        isDisabled={isDisabled}
        isRequired
        autoComplete="off"
      />
      <TextField
        label={t('admin.program.redirect-uris')}
        description={t('admin.program.redirect-uris.about')}
        value={draft.redirectUris}
        lines={3}
        onChange={(redirectUris) => set({ redirectUris })}
        isDisabled={isDisabled}
        isRequired
      />
      <TextField
        label={t('admin.program.home-page')}
        description={t('admin.program.home-page.about')}
        value={draft.homePage}
        maxLength={ADDRESS_MAX}
        onChange={(homePage) => set({ homePage })}
        isDisabled={isDisabled}
      />
      <Checkbox
        label={t('admin.program.limited')}
        description={t('admin.program.limited.about')}
        isSelected={draft.isLimited}
        isDisabled={isDisabled}
        onChange={(isLimited) => set({ isLimited })}
      />
      {draft.isLimited && <ScopeFields draft={draft} isDisabled={isDisabled} onChange={onChange} />}
    </>
  );
}

function ScopeFields({ draft, isDisabled, onChange }: ProgramFieldsProps) {
  const { t } = useTranslation();
  const choices = [
    { scope: 'openid', description: t('admin.program.openid') },
    ...PERMISSION_NAMES.map((scope) => ({ scope, description: t(`admin.permission.${scope}`) })),
  ];
  return (
    <Stack as="section" gap="s" label={t('admin.program.scopes')}>
      {choices.map(({ scope, description }) => (
        <Checkbox
          key={scope}
          label={scope}
          description={description}
          isSelected={draft.scopes.includes(scope)}
          isDisabled={isDisabled === true}
          onChange={(isChosen) =>
            onChange({
              ...draft,
              scopes: isChosen ? [...draft.scopes, scope] : draft.scopes.filter((each) => each !== scope),
            })
          }
        />
      ))}
    </Stack>
  );
}
