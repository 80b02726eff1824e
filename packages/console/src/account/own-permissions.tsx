import { isPermission, PERMISSIONS } from '@sluice/contract/permissions';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser } from '../session/session-context.tsx';
import { Note, Section } from '../ui/layout.tsx';
import { visibleText } from '../ui/visible-text.tsx';
import './own-permissions.css';

/** Permissions in the order of the contract: what most users do comes first. */
const ORDERED = Object.keys(PERMISSIONS).filter(isPermission);

/** One sentence for each permission of the user, and the roles that give them. */
export function OwnPermissions() {
  const { t } = useTranslation();
  const { permissions, roles } = useCurrentUser();
  return (
    <Section title={t('account.may')} gap="s">
      {permissions.length === 0 ? (
        <p>{t('account.may.none')}</p>
      ) : (
        <ul className="own-permissions">
          {ORDERED.filter((permission) => permissions.includes(permission)).map((permission) => (
            <li key={permission}>{t(`account.may.${permission}`)}</li>
          ))}
        </ul>
      )}
      {roles.length > 0 && (
        <Note size="s">{t('account.roles', { count: roles.length, roles: visibleText(roles.join(', ')) })}</Note>
      )}
    </Section>
  );
}
