import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Impact } from '../ui/impact.tsx';
import { type IdentityProvider, lostMappings, type ProviderDraft } from './provider-draft.ts';

interface ProviderImpactProps {
  readonly before: IdentityProvider;
  readonly draft: ProviderDraft;
  /** Whether anything is changed yet. */
  readonly isChanged: boolean;
}

/** List of the logins, links and roles that a change of the identity provider takes away. */
export function ProviderImpact({ before, draft, isChanged }: ProviderImpactProps) {
  const { t } = useTranslation();
  const isOther = draft.issuer.trim() !== before.issuer;
  const losses: readonly (string | false)[] = [
    isOther && t('admin.impact.provider.issuer'),
    ...lostMappings(before.role_mappings, draft.mappings).map(({ group, roles }) =>
      t('admin.impact.provider.mapping', { group: visibleText(group), roles: roles.join(', ') }),
    ),
    before.role_mappings.length > 0 && draft.mappings.length === 0 && t('admin.impact.provider.unmapped'),
    before.create_users && !draft.createUsers && t('admin.impact.provider.create-users'),
    before.trust_email && !draft.trustEmail && t('admin.impact.provider.trust-email'),
  ];
  return <Impact losses={losses.filter((loss) => loss !== false)} isChanged={isChanged} />;
}
