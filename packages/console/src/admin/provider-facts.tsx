import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { AuditLogLink } from './audit-log-link.tsx';
import type { IdentityProvider } from './provider-draft.ts';

/** What is not in the form: the address to register at the provider, and who has changed it last. */
export function ProviderFacts({ provider }: { readonly provider: IdentityProvider | undefined }) {
  const { t, formatTime } = useTranslation();
  if (provider === undefined) return <p>{t('admin.provider.none')}</p>;
  const { callback_url: callback, updated_by: user, updated_ts: time } = provider;
  return (
    <>
      <p>
        {t('admin.provider.updated', { user: visibleText(user), time: formatTime(time) })}{' '}
        <AuditLogLink search={{ target: provider.issuer }} />
      </p>
      <p>{t('admin.provider.callback')}</p>
      <p className="shown-once">
        <code>{callback}</code>
        <CopyButton text={callback} label={t('admin.provider.callback.copy')} />
      </p>
    </>
  );
}
