import { LANGUAGES, type Language } from '../i18n/catalog.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser, useSession } from '../session/session-context.tsx';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../theme/use-theme.ts';
import { Button } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu.tsx';

const THEMES: readonly ThemeChoice[] = ['system', 'light', 'dark'];

/** Account of the user, with the theme and language of this machine. */
export function UserMenu({ onShowShortcuts }: { readonly onShowShortcuts: () => void }) {
  const { t, language, setLanguage } = useTranslation();
  const session = useSession();
  const { user } = useCurrentUser();
  const theme = useThemeChoice();
  return (
    <MenuButton
      label={t('user-menu.label')}
      button={
        <Button kind="quiet" icon="user" aria-label={t('user-menu.button', { user })}>
          <span className="frame__user">{user}</span>
        </Button>
      }
      choices={[
        {
          id: 'theme',
          title: t('theme.title'),
          choices: THEMES.map((id) => ({ id, label: t(`theme.${id}`) })),
          selected: theme,
          onSelect: (id) => chooseTheme(id as ThemeChoice),
        },
        {
          id: 'language',
          title: t('language.title'),
          choices: Object.entries(LANGUAGES).map(([id, label]) => ({ id, label })),
          selected: language,
          onSelect: (id) => setLanguage(id as Language),
        },
      ]}
      actions={[
        { id: 'shortcuts', label: t('shortcuts.title'), icon: 'help', shortcut: '?', onAction: onShowShortcuts },
        { id: 'sign-out', label: t('action.sign-out'), icon: 'external', onAction: session.signOut },
      ]}
    />
  );
}
