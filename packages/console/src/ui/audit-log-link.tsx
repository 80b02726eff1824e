import { useTranslation } from '../i18n/translate.tsx';
import { type AuditSearch, auditPath } from '../router/audit-address.ts';
import { Link } from '../router/link.tsx';
import { useCurrentUser } from '../session/session-context.tsx';
import { notify } from './notifications.tsx';

interface AuditLogLinkProps {
  readonly search: Partial<AuditSearch>;
  /** Text of the link. Default: "In the audit log". */
  readonly text?: string;
}

/** Link to the audit records of an object, for users who may read them. */
export function AuditLogLink({ search, text }: AuditLogLinkProps) {
  const { t } = useTranslation();
  const { permissions } = useCurrentUser();
  if (!permissions.includes('audit:read')) return null;
  return <Link to={auditPath(search)}>{text ?? t('label.in-audit-log')}</Link>;
}

/** Returns a function that says what has been changed, with a link to the audit record for users who may read it. */
export function useChangeNotice(): (text: string, record: Partial<AuditSearch>) => void {
  const { t } = useTranslation();
  const { permissions } = useCurrentUser();
  return (text, record) => {
    const link = { to: auditPath(record), text: t('label.in-audit-log') };
    notify({ tone: 'success', text, ...(permissions.includes('audit:read') ? { link } : {}) });
  };
}
