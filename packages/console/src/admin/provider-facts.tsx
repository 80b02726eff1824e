import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { AuditLogLink } from './audit-log-link.tsx';
import type { IdentityProvider } from './provider-draft.ts';

/** Read-only facts about the identity provider: its last change, and the callback address to register there. */
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
