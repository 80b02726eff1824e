import { HelpLinks } from '../account/help-links.tsx';
import { NotificationSettings } from '../account/notification-settings.tsx';
import { OwnConsents } from '../account/own-consents.tsx';
import { OwnLimits } from '../account/own-limits.tsx';
import { OwnPermissions } from '../account/own-permissions.tsx';
import { OwnSessions } from '../account/own-sessions.tsx';
import { PasswordForm } from '../account/password-form.tsx';
import { Preferences } from '../account/preferences.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser } from '../session/session-context.tsx';
import { SHORTCUTS_ID, useCommandGroups } from '../shell/commands.ts';
import { Page } from '../ui/page.tsx';

/** Page of the user's own account: rights, limits, sessions, programs, mails, password, settings of this browser, and help. */
export function AccountPage() {
  const { t } = useTranslation();
  const { user, tenant } = useCurrentUser();
  const commands = useCommandGroups().flatMap((group) => group.commands);
  const showShortcuts = commands.find(({ id }) => id === SHORTCUTS_ID)?.run;
  return (
    <Page
      title={t('page.account')}
      about={t('account.about', { user, tenant })}
      aside={{
        label: t('account.preferences'),
        content: (
          <>
            <Preferences />
            <HelpLinks onShowShortcuts={showShortcuts} />
          </>
        ),
      }}
    >
      <OwnPermissions />
      <OwnSessions />
      <OwnConsents />
      <NotificationSettings />
      <PasswordForm />
      <OwnLimits />
    </Page>
  );
}
