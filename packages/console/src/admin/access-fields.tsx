import { useTranslation } from '../i18n/translate.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Stack } from '../ui/layout.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TagField } from '../ui/tag-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type AccessDraft, hasKeySet, KEY_SOURCES } from './access-draft.ts';
import { PermissionFields } from './permission-fields.tsx';
import { PERMISSION_NAMES } from './permissions.ts';

const KEYS_LINES = 8;
const ADDRESS_MAX = 2048;

interface AccessFieldsProps {
  readonly draft: AccessDraft;
  readonly onChange: (draft: AccessDraft) => void;
}

/** Networks, permissions and keys to which the access of a service account is limited. */
export function AccessFields({ draft, onChange }: AccessFieldsProps) {
  const { t } = useTranslation();
  const set = (change: Partial<AccessDraft>): void => onChange({ ...draft, ...change });
  const { networks, scopes, mayIntrospect } = draft;
  return (
    <Stack as="section" label={t('admin.access')}>
      <h3>{t('admin.access')}</h3>
      <TagField
        label={t('admin.access.networks')}
        description={t('admin.access.networks.about')}
        tags={networks}
        removeLabelOf={(network) => t('admin.access.networks.remove', { network })}
        onChange={(next) => set({ networks: next })}
      />
      <Checkbox
        label={t('admin.access.scopes')}
        description={t('admin.access.scopes.about')}
        isSelected={scopes !== null}
        onChange={(isLimited) => set({ scopes: isLimited ? [...PERMISSION_NAMES] : null })}
      />
      {scopes !== null && (
        <Stack as="fieldset" gap="s" label={t('admin.access.scopes')}>
          <PermissionFields chosen={scopes} onChange={(next) => set({ scopes: next })} />
        </Stack>
      )}
      <KeyFields draft={draft} onChange={set} />
      <Checkbox
        label={t('admin.access.introspect')}
        description={t('admin.access.introspect.about')}
        isSelected={mayIntrospect}
        onChange={(isAllowed) => set({ mayIntrospect: isAllowed })}
      />
    </Stack>
  );
}

interface KeyFieldsProps {
  readonly draft: AccessDraft;
  readonly onChange: (change: Partial<AccessDraft>) => void;
}

function KeyFields({ draft, onChange }: KeyFieldsProps) {
  const { t } = useTranslation();
  const { keySource, keys, keyAddress } = draft;
  return (
    <>
      <SelectField
        label={t('admin.access.keys')}
        description={t('admin.access.keys.about')}
        value={keySource}
        choices={KEY_SOURCES.map((id) => ({ id, label: t(`admin.access.keys.${id}`) }))}
        onChange={(next) => onChange({ keySource: next })}
      />
      {keySource === 'inline' && (
        <TextField
          label={t('admin.access.key-set')}
          description={t('admin.access.key-set.about')}
          lines={KEYS_LINES}
          value={keys}
          onChange={(text) => onChange({ keys: text })}
          problem={keys === '' || hasKeySet(draft) ? undefined : t('admin.access.key-set.invalid')}
          isRequired
          autoComplete="off"
        />
      )}
      {keySource === 'address' && (
        <TextField
          label={t('admin.access.key-address')}
          description={t('admin.access.key-address.about')}
          type="url"
          value={keyAddress}
          maxLength={ADDRESS_MAX}
          onChange={(text) => onChange({ keyAddress: text })}
          isRequired
          autoComplete="off"
        />
      )}
    </>
  );
}
