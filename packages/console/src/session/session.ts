import { type Client, createClient, type Middleware, ResponseError } from '@sluice/client';
import { readSessionStatus } from './read-session-status.ts';
import { nextSessionState, type SessionEvent, type SessionState } from './session-state.ts';

/** The session of this page. Its tokens are in the memory of the client only, which renews them by the session cookie. */
export interface Session {
  readonly addresses: ConsoleAddresses;
  readonly client: Client;
  /** Current state; the same object until it changes. */
  state(): SessionState;
  /** Returns the function that stops listening. */
  subscribe(listener: () => void): () => void;
  /** Reads the current user, and with it whether there is a session. Never rejects. */
  check(): Promise<void>;
  /** Notices that the session has ended elsewhere, or that there is one again. Costs little, and is not a use of the session. Never rejects. */
  watch(): Promise<void>;
  /** Leaves the page for the login, which leads back to it. */
  signIn(): void;
  /** Ends the session on both hosts and at the identity provider. Leaves the page. */
  signOut(): void;
}

const isWithoutSession = (error: unknown): boolean =>
  error instanceof ResponseError && (error.status === 401 || error.code === 'invalid_grant');

/** Opens the session of a page. Nothing is sent before `check`. */
export function openSession(addresses: ConsoleAddresses): Session {
  const { tenant } = addresses;
  const listeners = new Set<() => void>();
  const channel = openSessionChannel(tenant);
  let state: SessionState = { status: 'starting' };

  const apply = (event: SessionEvent): void => {
    const next = nextSessionState(state, event);
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  };

  /** The cookie is exchanged for tokens when they expire or a host rejects them; 204 then means that the session is over. */
  const watchSession: Middleware = async ({ operation }, next) => {
    const response = await next();
    if (operation === 'sessionTokens' && response.status === 204) apply({ kind: 'no-session' });
    return response;
  };
  const newClient = (): Client =>
    createClient({ ...addresses, auth: { session: 'cookie' }, middleware: [watchSession], retries: 2 });
  const client = newClient();

  const check = async (): Promise<void> => {
    try {
      const before = 'user' in state ? state.user : undefined;
      // After an end, the tokens of the old client would still be those of the old session.
      const user = await (state.status === 'ended' ? newClient() : client).api.getMe();
      // Tabs, drafts and cached data on this page belong to another account.
      if (before !== undefined && before.id !== user.id) location.reload();
      if (before === undefined) restoreFragment();
      const isNew = state.status !== 'active';
      apply({ kind: 'user-read', user });
      if (isNew) channel.send({ kind: 'signed-in', tenant, accountId: user.id });
    } catch (error) {
      apply(isWithoutSession(error) ? { kind: 'no-session' } : { kind: 'failed', error });
    }
  };

  let isWatching = false;
  let isLeaving = false;
  // A page that the browser had kept is shown again.
  window.addEventListener('pageshow', () => {
    isLeaving = false;
  });
  const watch = async (): Promise<void> => {
    const before = state;
    if (isWatching || (before.status !== 'active' && before.status !== 'ended')) return;
    isWatching = true;
    const isOpen = await readSessionStatus(tenant);
    isWatching = false;
    if (isOpen === undefined || isLeaving || state !== before) return;
    if (before.status === 'ended' && isOpen) await check();
    if (before.status === 'active' && !isOpen) apply({ kind: 'no-session' });
  };

  channel.listen((message) => {
    if (message.kind === 'signed-out') {
      clearTab();
      apply({ kind: 'signed-out-elsewhere' });
    } else if (state.status === 'ended' || state.status === 'signed-out') void check();
    else if (state.status === 'active' && state.user.id !== message.accountId) location.reload();
  });

  return {
    addresses,
    client,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    check,
    watch,
    signIn: () => leaveForLogin(tenant),
    signOut() {
      isLeaving = true;
      clearTab(); // drafts are in localStorage, by user
      channel.send({ kind: 'signed-out', tenant });
      rememberConsole(tenant);
      location.assign(`/auth/logout/${encodeURIComponent(tenant)}`);
    },
  };
}

/** Message to the other tabs of the browser. */
type SessionMessage =
  | { readonly kind: 'signed-in'; readonly tenant: string; readonly accountId: string }
  | { readonly kind: 'signed-out'; readonly tenant: string };

/** Connection to the other tabs of this origin. */
interface SessionChannel {
  send(message: SessionMessage): void;
  /** Returns the function that stops listening. */
  listen(receive: (message: SessionMessage) => void): () => void;
}

const NAME = 'sluice-session';

/** Opens the channel between tabs. Messages of other tenants on the same address are dropped. */
function openSessionChannel(tenant: string): SessionChannel {
  const channel = new BroadcastChannel(NAME);
  return {
    send: (message) => channel.postMessage(message),
    listen(receive) {
      const onMessage = ({ data }: MessageEvent<SessionMessage>): void => {
        if (data.tenant === tenant) receive(data);
      };
      channel.addEventListener('message', onMessage);
      return () => channel.removeEventListener('message', onMessage);
    },
  };
}

/** Tenant and base URLs, which the API host writes into the head of the page (services/api-host/src/pages/console-page.ts). */
interface ConsoleAddresses {
  readonly tenant: string;
  readonly apiUrl: string;
  readonly streamUrl: string;
}

/**
 * Reads the addresses from the `<meta>` elements of the page.
 * @throws Error when the page was not rendered by the API host
 */
export function readAddresses(page: Document): ConsoleAddresses {
  const read = (name: string): string => {
    const content = page.querySelector(`meta[name="sluice-${name}"]`)?.getAttribute('content') ?? '';
    if (content === '') throw new Error(`The page has no <meta name="sluice-${name}">. Open it at the API host.`);
    return content;
  };
  return { tenant: read('tenant'), apiUrl: read('api-url'), streamUrl: read('stream-url') };
}

/** The host takes addresses of at most 2,048 characters, so the fragment, which may hold a statement, stays in the tab. */
const FRAGMENT_KEY = 'sluice.fragment';
const ATTEMPT_KEY = 'sluice.login-attempt';
/** A login that returns without a session within this time is not tried again by itself. */
const LOOP_MS = 15_000;

const pathOf = ({ pathname, search }: Location): string => `${pathname}${search}`;

/** Returns the address of the login that leads back to a path of the console. */
export const loginAddress = (tenant: string, returnTo: string): string =>
  `/auth/login/${encodeURIComponent(tenant)}?${new URLSearchParams({ return_to: returnTo })}`;

/** Time for which the login after a logout leads back to the console. */
const RETURN_SECONDS = 600;

/** Makes the login after a logout lead back to the console. The logout itself can name no address: see the host's console-return-path. */
function rememberConsole(tenant: string): void {
  const path = `/auth/login/${encodeURIComponent(tenant)}`;
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox and Safari have no cookie store
  document.cookie = `sluice_console_return=/console/; Max-Age=${RETURN_SECONDS}; Path=${path}; SameSite=Lax`;
}

/** Forgets what this tab has stored. */
function clearTab(): void {
  withTabStorage((storage) => storage.clear());
}

/** Uses the storage of this tab. Returns undefined if the browser denies it or it is full: a login works without it. */
function withTabStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

/** Leaves the page for the login, and remembers its fragment for the way back. */
function leaveForLogin(tenant: string): void {
  const path = pathOf(location);
  withTabStorage((storage) => storage.setItem(ATTEMPT_KEY, String(Date.now())));
  if (location.hash !== '')
    withTabStorage((storage) => storage.setItem(FRAGMENT_KEY, JSON.stringify([path, location.hash])));
  location.assign(loginAddress(tenant, path));
}

/** Checks whether this tab has just come from a login, which a second one would repeat without end. */
export function hasJustTriedLogin(): boolean {
  // Without the storage, no attempt is noted, so none is made without a press of the button.
  const attempt = withTabStorage((storage) => Number(storage.getItem(ATTEMPT_KEY) ?? 0)) ?? Date.now();
  return Date.now() - attempt < LOOP_MS;
}

/** Restores the fragment that this tab had before the login. */
function restoreFragment(): void {
  const fragment = withTabStorage((storage) => {
    storage.removeItem(ATTEMPT_KEY);
    const stored = storage.getItem(FRAGMENT_KEY);
    storage.removeItem(FRAGMENT_KEY);
    const [path, hash] = JSON.parse(stored ?? '[]') as unknown[];
    return path === pathOf(location) && typeof hash === 'string' ? hash : undefined;
  });
  if (fragment !== undefined && location.hash === '') history.replaceState(history.state, '', fragment);
}
