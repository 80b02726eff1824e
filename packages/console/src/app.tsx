import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Catalog, Language } from './i18n/catalog.ts';
import { storeLanguage } from './i18n/language.ts';
import { loadCatalog } from './i18n/load-messages.ts';
import { TranslationProvider } from './i18n/translate.tsx';
import { Routes } from './routes.tsx';
import { OpenRunsProvider } from './run/open-runs-context.tsx';
import type { Session } from './session/session.ts';
import { SessionProvider } from './session/session-context.tsx';
import { SignedIn } from './shell/signed-in.tsx';
import { useThemeChoice } from './theme/use-theme.ts';

interface AppProps {
  readonly session: Session;
  /** Messages with which the page starts. */
  readonly messages: PageMessages;
}

interface PageMessages {
  readonly language: Language;
  readonly catalog: Partial<Catalog>;
}

const newQueryClient = (): QueryClient =>
  // The client retries what may be retried, so a query that failed has failed.
  // Without a network it fails immediately: a query that waits for one shows nothing.
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 60_000, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });

/** Root of the console: the providers that every page needs. */
export function App({ session, messages }: AppProps) {
  const [queryClient] = useState(newQueryClient);
  const [shown, setShown] = useState(messages);
  // Every page follows the system, also one that is shown while there is no session.
  useThemeChoice();
  const setLanguage = useCallback((language: Language) => {
    storeLanguage(language);
    document.documentElement.lang = language;
    void loadCatalog(language).then((catalog) => setShown({ language, catalog }));
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <TranslationProvider {...shown} setLanguage={setLanguage}>
        <SessionProvider session={session}>
          <SignedIn>
            <OpenRunsProvider>
              <Routes />
            </OpenRunsProvider>
          </SignedIn>
        </SessionProvider>
      </TranslationProvider>
    </QueryClientProvider>
  );
}
