import { useEffect, useRef } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { type AuditLink, auditPath } from '../router/audit-address.ts';
import { Link } from '../router/link.tsx';
import { useCurrentUser } from '../session/session-context.tsx';
import { Icon } from './icon.tsx';
import { notify } from './notifications.tsx';
import './saved-note.css';

interface AuditLogLinkProps {
  readonly search: AuditLink;
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
export function useChangeNotice(): (text: string, record: AuditLink) => void {
  const { t } = useTranslation();
  const { permissions } = useCurrentUser();
  return (text, record) => {
    const link = { to: auditPath(record), text: t('label.in-audit-log') };
    notify({ tone: 'success', text, ...(permissions.includes('audit:read') ? { link } : {}) });
  };
}

interface SavedNoteProps {
  readonly text: string;
  /** Id of the request that made the change. */
  readonly requestId: string;
}

/** Says that a change is stored, with a link to its audit record for users who may read it. */
export function SavedNote({ text, requestId }: SavedNoteProps) {
  const note = useRef<HTMLParagraphElement>(null);
  // The form that was saved may have been longer than the page.
  useEffect(() => void note.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <p ref={note} className="saved-note" role="status">
      <Icon name="check" />
      <span>{text}</span>
      <AuditLogLink search={{ requestId }} />
    </p>
  );
}
