import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useEffect, useMemo } from 'react';
import { DownloadPanelButton } from './downloads/download-panel-button.tsx';
import { DownloadsAside } from './downloads/downloads-aside.tsx';
import { DownloadsProvider, useDownloadStore } from './downloads/downloads-context.tsx';
import { FileCheck } from './downloads/file-check.tsx';
import type { MessageKeyWith } from './i18n/catalog.ts';
import { loadPageMessages } from './i18n/load-messages.ts';
import type { PageMessages } from './i18n/message-parts.ts';
import { useTranslation } from './i18n/translate.tsx';
import { useRequestCounts } from './marketplace/use-request-counts.ts';
import { NoPermissionsPage, NotAllowedPage, NotFoundPage } from './pages/not-found-page.tsx';
import { DOMAINS_PATH, NEW_ITEM_PATH } from './router/object-paths.ts';
import { matchPath, navigate, usePath } from './router/router.ts';
import { useCurrentUser } from './session/session-context.tsx';
import type { CurrentUser } from './session/session-state.ts';
import { useCommands } from './shell/commands.ts';
import { ACCOUNT_PATH, Frame } from './shell/frame.tsx';
import type { NavigationItem } from './shell/main-navigation.tsx';
import { ErrorBoundary } from './shell/notice.tsx';
import { SIGNED_IN_PATH } from './shell/signed-in-path.ts';

type Parameters = Readonly<Record<string, string>>;
type Page = ComponentType<{ readonly parameters: Parameters }>;

interface PageRoute {
  /** Path below `/console`; `:name` matches one segment. */
  readonly pattern: string;
  readonly page: LazyExoticComponent<Page>;
  /** Permission that the page requires. Default: none; a session is enough. */
  readonly permission?: CurrentUser['permissions'][number];
  /** Page of the main navigation that leads here. Default: none. */
  readonly section?: string;
  /** Pages in the main navigation. */
  readonly navigation?: { readonly title: MessageKeyWith<never>; readonly icon: NavigationItem['icon'] };
}

/** Returns a page whose code, and the messages that it needs besides those of every page, are loaded when it is shown. */
const page = (load: () => Promise<Page>, ...messages: readonly PageMessages[]): LazyExoticComponent<Page> =>
  lazy(async () => {
    const [shown] = await Promise.all([load(), ...messages.map(loadPageMessages)]);
    return { default: shown };
  });

const REQUESTS_PATH = '/requests';

/** Every page, each a chunk of its own. */
const PAGES: readonly PageRoute[] = [
  {
    pattern: '/',
    permission: 'query:run',
    page: page(async () => (await import('./pages/query-page.tsx')).QueryPage, 'query', 'rows'),
    navigation: { title: 'page.query', icon: 'query' },
  },
  {
    pattern: '/results/:id',
    permission: 'query:run',
    page: page(async () => (await import('./pages/result-page.tsx')).ResultPage, 'query', 'rows'),
    section: '/',
  },
  {
    pattern: '/search',
    permission: 'datamap:read',
    page: page(async () => (await import('./pages/search-page.tsx')).SearchPage),
    navigation: { title: 'page.search', icon: 'search' },
  },
  ...['/tables', '/tables/:catalog', '/tables/:catalog/:schema'].map((pattern) => ({
    pattern,
    permission: 'datamap:read' as const,
    page: page(async () => (await import('./pages/catalog-page.tsx')).CatalogPage),
    section: '/search',
  })),
  {
    pattern: '/tables/:catalog/:schema/:table',
    permission: 'datamap:read',
    page: page(async () => (await import('./pages/table-page.tsx')).TablePage, 'describe', 'rows'),
    section: '/search',
  },
  {
    pattern: DOMAINS_PATH,
    permission: 'datamap:read',
    page: page(async () => (await import('./pages/domains-page.tsx')).DomainsPage, 'describe'),
    section: '/search',
  },
  {
    pattern: `${DOMAINS_PATH}/:id`,
    permission: 'datamap:read',
    page: page(async () => (await import('./pages/domain-page.tsx')).DomainPage, 'describe'),
    section: '/search',
  },
  {
    pattern: '/datamaps/:id',
    permission: 'datamap:read',
    page: page(
      async () => (await import('./pages/datamap-page.tsx')).DatamapPage,
      'describe',
      'query',
      'rows',
      'steward',
    ),
    section: '/search',
  },
  {
    pattern: '/marketplace',
    page: page(async () => (await import('./pages/marketplace-page.tsx')).MarketplacePage, 'market'),
    navigation: { title: 'page.marketplace', icon: 'market' },
  },
  {
    pattern: NEW_ITEM_PATH,
    page: page(async () => (await import('./pages/item-edit-page.tsx')).ItemCreatePage, 'describe', 'market'),
  },
  {
    pattern: '/marketplace/:id/edit',
    page: page(async () => (await import('./pages/item-edit-page.tsx')).ItemEditPage, 'describe', 'market'),
  },
  {
    pattern: '/marketplace/:id',
    page: page(async () => (await import('./pages/item-page.tsx')).ItemPage, 'market', 'rows'),
  },
  {
    pattern: REQUESTS_PATH,
    page: page(async () => (await import('./pages/requests-page.tsx')).RequestsPage, 'market'),
    navigation: { title: 'page.requests', icon: 'inbox' },
  },
  {
    pattern: '/metadata',
    permission: 'metadata:write',
    page: page(async () => (await import('./pages/metadata-page.tsx')).MetadataPage, 'describe', 'steward'),
    navigation: { title: 'page.metadata', icon: 'edit' },
  },
  {
    pattern: '/audit',
    permission: 'audit:read',
    page: page(async () => (await import('./pages/audit-page.tsx')).AuditPage, 'audit'),
    navigation: { title: 'page.audit', icon: 'log' },
  },
  {
    pattern: '/audit/summary',
    permission: 'audit:read',
    page: page(async () => (await import('./pages/audit-summary-page.tsx')).AuditSummaryPage, 'audit'),
    section: '/audit',
  },
  {
    pattern: '/admin',
    permission: 'admin',
    page: page(async () => (await import('./pages/admin-page.tsx')).AdminPage, 'admin', 'audit'),
    navigation: { title: 'page.admin.short', icon: 'user' },
  },
  {
    pattern: ACCOUNT_PATH,
    page: page(async () => (await import('./pages/account-page.tsx')).AccountPage, 'account', 'admin', 'mails'),
  },
  {
    pattern: SIGNED_IN_PATH,
    page: page(async () => (await import('./pages/signed-in-page.tsx')).SignedInPage),
  },
];

/**
 * Pages that the address of the console shows, in this order: the first one for which the user has the permission. Who may read the audit log
 * and run no queries is an auditor.
 */
const HOMES: readonly (readonly [path: string, permission: CurrentUser['permissions'][number]])[] = [
  ['/', 'query:run'],
  ['/audit', 'audit:read'],
  ['/marketplace', 'marketplace:download'],
  ['/metadata', 'metadata:write'],
  ['/search', 'datamap:read'],
  ['/admin', 'admin'],
];

/** Returns undefined for a user without permissions for any page. */
const homeOf = ({ permissions }: CurrentUser): string | undefined =>
  HOMES.find(([, permission]) => permissions.includes(permission))?.[0];

const isAllowed = ({ permission }: PageRoute, user: CurrentUser): boolean =>
  permission === undefined || user.permissions.includes(permission);

/** Returns the pages in the main navigation that the user may use. */
function useNavigation(): readonly NavigationItem[] {
  const user = useCurrentUser();
  const openRequests = useRequestCounts().data?.open;
  return useMemo(
    () =>
      PAGES.flatMap((route) =>
        route.navigation === undefined || !isAllowed(route, user)
          ? []
          : [
              {
                path: route.pattern,
                ...route.navigation,
                ...(route.pattern === REQUESTS_PATH && openRequests ? { count: openRequests } : {}),
              },
            ],
      ),
    [user, openRequests],
  );
}

/** Returns the page of the navigation that a page belongs to: `/marketplace` for an item. */
const sectionOf = (pattern: string, items: readonly NavigationItem[]): string =>
  items.find(({ path }) => path !== '/' && pattern.startsWith(`${path}/`))?.path ?? pattern;

/** Shows the page of the current address. */
export function Routes() {
  const path = usePath();
  const user = useCurrentUser();
  const items = useNavigation();
  const found = PAGES.map((route) => ({ ...route, parameters: matchPath(route.pattern, path) })).find(
    ({ parameters }) => parameters !== undefined,
  );
  return (
    <DownloadsProvider>
      <Frame
        items={items}
        current={found?.section ?? sectionOf(found?.pattern ?? '', items)}
        tools={<DownloadTools />}
        aside={<DownloadsAside />}
      >
        <ErrorBoundary key={path}>
          <Suspense fallback={<main />}>
            <ShownPage route={found} isAllowed={found === undefined || isAllowed(found, user)} />
          </Suspense>
        </ErrorBoundary>
      </Frame>
      <FileCheck />
    </DownloadsProvider>
  );
}

interface ShownPageProps {
  readonly route: (PageRoute & { readonly parameters: Parameters | undefined }) | undefined;
  readonly isAllowed: boolean;
}

function ShownPage({ route, isAllowed: isShown }: ShownPageProps) {
  const home = homeOf(useCurrentUser());
  if (route === undefined) return <NotFoundPage home={home} />;
  if (isShown) return <route.page parameters={route.parameters ?? {}} />;
  if (home === undefined) return <NoPermissionsPage />;
  if (route.pattern === '/') return <Redirect to={home} />;
  return <NotAllowedPage permission={route.permission ?? ''} home={home} />;
}

function Redirect({ to }: { readonly to: string }) {
  useEffect(() => navigate(to, { replaces: true }), [to]);
  return <main />;
}

/** Ways to the list of downloads on every page: a button of the bar, and a command of the palette. */
function DownloadTools() {
  const { t } = useTranslation();
  const store = useDownloadStore();
  const group = useMemo(
    () => ({
      title: t('commands.general'),
      commands: [
        { id: 'downloads', title: t('downloads.show'), run: () => store.setOpen(true) },
        { id: 'downloads:check', title: t('downloads.check'), run: () => store.check({}) },
      ],
    }),
    [store, t],
  );
  useCommands(group);
  return <DownloadPanelButton />;
}
