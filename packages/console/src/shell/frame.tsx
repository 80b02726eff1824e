import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { LANGUAGES, type Language } from '../i18n/catalog.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { navigate, usePath } from '../router/router.ts';
import { useCurrentUser, useSession } from '../session/session-context.tsx';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../theme/use-theme.ts';
import { Button } from '../ui/button.tsx';
import { announce, LiveRegions } from '../ui/live-regions.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { Notifications, notify } from '../ui/notifications.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { PALETTE_ID, SHORTCUTS_ID, useCommandKeys, useCommands } from './commands.ts';
import { hasCommandKey, labelOfKeys } from './keys.ts';
import { MainNavigation, type NavigationItem } from './main-navigation.tsx';
import { useFittedBar } from './use-fitted-bar.ts';
import './frame.css';

interface FrameProps {
  readonly items: readonly NavigationItem[];
  /** Path of the page that is shown. */
  readonly current: string;
  /** Buttons of the bar that belong to features. */
  readonly tools?: ReactNode;
  /** Panel beside every page, an `<aside>`. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

const CommandPalette = onDemand(
  async () => (await import('./command-palette.tsx')).CommandPalette,
  ({ isOpen }) => isOpen,
);
const ShortcutSheet = onDemand(
  async () => (await import('./command-palette.tsx')).ShortcutSheet,
  ({ isOpen }) => isOpen,
);

const CONTENT_ID = 'content';
const PALETTE_KEYS = 'Mod+K';
/** Keys that lead to pages of the navigation. */
const PAGE_KEYS: Readonly<Record<string, string>> = { '/search': '/' };

/** Path of the page of the user's own account, to which the account menu leads. */
export const ACCOUNT_PATH = '/account';

type OpenDialog = 'none' | 'commands' | 'shortcuts';

/** Commands that every page has. */
function useFrameCommands(items: readonly NavigationItem[], show: (dialog: OpenDialog) => void): void {
  const { t } = useTranslation();
  const { signOut } = useSession();
  const group = useMemo(
    () => ({
      title: t('commands.general'),
      commands: [
        ...items.map(({ path, title }) => ({
          id: `go:${path}`,
          title: t('commands.go-to', { page: t(title) }),
          ...(PAGE_KEYS[path] === undefined ? {} : { keys: PAGE_KEYS[path] }),
          run: () => navigate(path),
        })),
        { id: PALETTE_ID, title: t('commands.title'), keys: PALETTE_KEYS, run: () => show('commands') },
        { id: SHORTCUTS_ID, title: t('shortcuts.title'), keys: '?', run: () => show('shortcuts') },
        {
          id: `go:${ACCOUNT_PATH}`,
          title: t('commands.go-to', { page: t('page.account') }),
          run: () => navigate(ACCOUNT_PATH),
        },
        { id: 'sign-out', title: t('action.sign-out'), run: signOut },
      ],
    }),
    [items, show, signOut, t],
  );
  useCommands(group);
}

/** Frame around every page: the main navigation, the account, commands and notifications. */
export function Frame({ items, current, tools, aside, children }: FrameProps) {
  const { t } = useTranslation();
  const { tenant } = useSession().addresses;
  const [dialog, setDialog] = useState<OpenDialog>('none');
  useFrameCommands(items, setDialog);
  useCommandKeys();
  useAnnouncedPage(usePath(), CONTENT_ID);
  useSessionWarning();
  const close = (): void => setDialog('none');
  const bar = useRef<HTMLElement>(null);
  const fitted = useFittedBar(bar);
  return (
    <div className="frame">
      <a className="frame__skip" href={`#${CONTENT_ID}`}>
        {t('app.skip')}
      </a>
      <header ref={bar} className="frame__bar">
        <Link to="/" className="frame__brand">
          <BrandMark />
          <span>{t('app.name')}</span>
          <span className="frame__tenant">{tenant}</span>
        </Link>
        <MainNavigation items={items} current={current} fitted={fitted} />
        <div className="frame__tools">
          <Button
            kind="quiet"
            icon="search"
            shortcut={labelOfKeys(PALETTE_KEYS, hasCommandKey(navigator.platform))}
            onPress={() => setDialog('commands')}
          >
            <span className="frame__palette-text">{t('commands.button')}</span>
          </Button>
          {tools}
          <UserMenu onShowShortcuts={() => setDialog('shortcuts')} />
        </div>
      </header>
      <div className="frame__content" id={CONTENT_ID} tabIndex={-1}>
        {children}
      </div>
      {aside}
      <CommandPalette isOpen={dialog === 'commands'} onClose={close} />
      <ShortcutSheet isOpen={dialog === 'shortcuts'} onClose={close} />
      <Notifications label={t('shell.notifications')} closeLabel={t('action.close')} />
      <LiveRegions />
    </div>
  );
}

/** The mark of the product: a gate above flowing water. The name is written beside it. */
function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="brand-mark__ground" width="32" height="32" rx="7" />
      <path className="brand-mark__gate" d="M9 7v18M23 7v18M9 12h14" />
      <path
        className="brand-mark__water"
        d="M11.5 18c1.5-1.6 3-1.6 4.5 0s3 1.6 4.5 0M11.5 23c1.5-1.6 3-1.6 4.5 0s3 1.6 4.5 0"
      />
    </svg>
  );
}

const WARNING_MS = 5 * 60_000;
/** Longest delay that browsers support. */
const DELAY_MAX_MS = 2 ** 31 - 1;

/** Says five minutes before the end of the session that it will end, which no renewal of tokens prevents. */
function useSessionWarning(): void {
  const { t, formatTime } = useTranslation();
  const { session_expires_ts: expires } = useCurrentUser();
  useEffect(() => {
    if (expires === null) return;
    const delay = expires - WARNING_MS - Date.now();
    if (delay < 0 || delay > DELAY_MAX_MS) return;
    const timer = setTimeout(
      () => notify({ text: t('session.ends-soon', { time: formatTime(expires) }), tone: 'danger' }),
      delay,
    );
    return () => clearTimeout(timer);
  }, [expires, formatTime, t]);
}

const THEMES: readonly ThemeChoice[] = ['system', 'light', 'dark'];

/** Account of the user, with the theme and language of this machine. */
function UserMenu({ onShowShortcuts }: { readonly onShowShortcuts: () => void }) {
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
        { id: 'account', label: t('page.account'), icon: 'user', onAction: () => navigate(ACCOUNT_PATH) },
        { id: 'shortcuts', label: t('shortcuts.title'), icon: 'help', shortcut: '?', onAction: onShowShortcuts },
        { id: 'sign-out', label: t('action.sign-out'), icon: 'external', onAction: session.signOut },
      ]}
    />
  );
}

/**
 * Moves the focus to the content when another page is shown, and announces its title. Without it the focus would be lost with the link
 * that was followed, and screen readers would stay silent.
 * @param contentId - id of the element around the page
 */
function useAnnouncedPage(path: string, contentId: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    const content = document.getElementById(contentId);
    // A page that is there for one field has put the focus into it.
    if (content !== document.activeElement && content?.contains(document.activeElement) !== true) content?.focus();
    // The page sets its title when it is rendered, which may be after its chunk has loaded.
    const observer = new MutationObserver(() => {
      announce(document.title);
      observer.disconnect();
    });
    const title = document.querySelector('title');
    if (title !== null) observer.observe(title, { childList: true });
    return () => observer.disconnect();
  }, [path, contentId]);
}
