import type { ApiOperationTypes } from '@sluice/client';

/** The signed-in account: `GET /me`. */
export type CurrentUser = ApiOperationTypes['getMe']['result'];

/** Reason that a session of this page has ended. */
export type SessionEnd = 'expired' | 'signed-out';

/**
 * State of the session of this page. `ended` keeps the user, so that a different user who signs in is noticed. A page whose session has
 * expired stays visible under the dialog; after a sign-out it does not.
 */
export type SessionState =
  | { readonly status: 'starting' }
  | { readonly status: 'signed-out' }
  | { readonly status: 'unreachable'; readonly error: unknown }
  | { readonly status: 'active'; readonly user: CurrentUser }
  | { readonly status: 'ended'; readonly user: CurrentUser; readonly end: SessionEnd };

/** Event that may change the state. */
export type SessionEvent =
  | { readonly kind: 'user-read'; readonly user: CurrentUser }
  | { readonly kind: 'no-session' }
  | { readonly kind: 'signed-out-elsewhere' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Returns the state after an event. A failure changes nothing for a page that works already: each request reports its own. */
export function nextSessionState(state: SessionState, event: SessionEvent): SessionState {
  const user = 'user' in state ? state.user : undefined;
  switch (event.kind) {
    case 'user-read':
      return { status: 'active', user: event.user };
    case 'no-session':
      return endedOf(state, user, 'expired');
    case 'signed-out-elsewhere':
      return endedOf(state, user, 'signed-out');
    case 'failed':
      return user === undefined ? { status: 'unreachable', error: event.error } : state;
  }
}

function endedOf(state: SessionState, user: CurrentUser | undefined, end: SessionEnd): SessionState {
  // A sign-out is a wish to hide what is shown, also on a page whose session had expired before.
  if (state.status === 'ended' && (state.end === 'signed-out' || end === 'expired')) return state;
  return user === undefined ? { status: 'signed-out' } : { status: 'ended', user, end };
}
