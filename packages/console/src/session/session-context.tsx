import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { Session } from './session.ts';
import type { CurrentUser, SessionState } from './session-state.ts';

const SessionContext = createContext<Session | undefined>(undefined);

/** Makes the session of the page available to everything below. */
export function SessionProvider({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Returns the session of the page. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession needs a SessionProvider.');
  return session;
}

/** Returns the state of the session, and renders again when it changes. */
export function useSessionState(): SessionState {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.state);
}

/**
 * Returns the signed-in user, also while the session has ended and the page waits for the next login.
 * @throws Error outside of `SignedIn`, which renders nothing else before a user is known
 */
export function useCurrentUser(): CurrentUser {
  const state = useSessionState();
  if (!('user' in state)) throw new Error('useCurrentUser is called before the user is known.');
  return state.user;
}
