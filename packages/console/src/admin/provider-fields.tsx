import { useTranslation } from '../i18n/translate.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { ProviderDraft, RoleMapping } from './provider-draft.ts';
import type { AdminRole } from './use-admin.ts';
import './role-mappings.css';

interface ProviderFieldsProps {
  readonly draft: ProviderDraft;
  /** A secret is stored. It is never shown. */
  readonly hasSecret: boolean;
  readonly roles: readonly AdminRole[];
  readonly onChange: (draft: ProviderDraft) => void;
}

const ADDRESS_MAX = 2048;
const NAME_MAX = 256;

/** Fields of an identity provider. */
export function ProviderFields({ draft, hasSecret, roles, onChange }: ProviderFieldsProps) {
  const { t } = useTranslation();
  const set = (change: Partial<ProviderDraft>): void => onChange({ ...draft, ...change });
  return (
    <>
      <TextField
        label={t('admin.provider.issuer')}
        description={t('admin.provider.issuer.about')}
        value={draft.issuer}
        maxLength={ADDRESS_MAX}
        onChange={(issuer) => set({ issuer })}
        isRequired
      />
      <TextField
        label={t('admin.service-account.client-id')}
        value={draft.clientId}
        maxLength={NAME_MAX}
        onChange={(clientId) => set({ clientId })}
        autoComplete="off"
        isRequired
      />
      <TextField
        label={t('label.client-secret')}
        description={t(hasSecret ? 'admin.provider.secret.stored' : 'admin.provider.secret.about')}
        type="password"
        value={draft.clientSecret}
        maxLength={1024}
        onChange={(clientSecret) => set({ clientSecret })}
        isDisabled={draft.isPublicClient}
        autoComplete="new-password"
      />
      <Checkbox
        label={t('admin.provider.public')}
        description={t('admin.provider.public.about')}
        isSelected={draft.isPublicClient}
        onChange={(isPublicClient) => set({ isPublicClient })}
      />
      <TextField label={t('admin.provider.scopes')} value={draft.scopes} onChange={(scopes) => set({ scopes })} />
      <TextField
        label={t('admin.provider.email-claim')}
        value={draft.emailClaim}
        maxLength={NAME_MAX}
        onChange={(emailClaim) => set({ emailClaim })}
        isRequired
      />
      <TextField
        label={t('admin.provider.groups-claim')}
        description={t('admin.provider.groups-claim.about')}
        value={draft.groupsClaim}
        maxLength={NAME_MAX}
        onChange={(groupsClaim) => set({ groupsClaim })}
      />
      <RoleMappings mappings={draft.mappings} roles={roles} onChange={(mappings) => set({ mappings })} />
      <Checkbox
        label={t('admin.provider.trust-email')}
        description={t('admin.provider.trust-email.about')}
        isSelected={draft.trustEmail}
        onChange={(trustEmail) => set({ trustEmail })}
      />
      <Checkbox
        label={t('admin.provider.create-users')}
        description={t('admin.provider.create-users.about')}
        isSelected={draft.createUsers}
        onChange={(createUsers) => set({ createUsers })}
      />
      <TextField
        label={t('admin.provider.return-to')}
        description={t('admin.provider.return-to.about')}
        value={draft.returnTo}
        lines={2}
        onChange={(returnTo) => set({ returnTo })}
      />
    </>
  );
}

interface RoleMappingsProps {
  readonly mappings: readonly RoleMapping[];
  readonly roles: readonly AdminRole[];
  readonly onChange: (mappings: readonly RoleMapping[]) => void;
}

/** Groups of the identity provider, and the roles that their members get at each login. */
function RoleMappings({ mappings, roles, onChange }: RoleMappingsProps) {
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
