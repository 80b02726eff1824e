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
export function rememberConsole(tenant: string): void {
  const path = `/auth/login/${encodeURIComponent(tenant)}`;
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox and Safari have no cookie store
  document.cookie = `sluice_console_return=/console/; Max-Age=${RETURN_SECONDS}; Path=${path}; SameSite=Lax`;
}

/** Leaves the page for the login, and remembers its fragment for the way back. */
export function leaveForLogin(tenant: string): void {
  sessionStorage.setItem(ATTEMPT_KEY, String(Date.now()));
  if (location.hash !== '') sessionStorage.setItem(FRAGMENT_KEY, JSON.stringify([pathOf(location), location.hash]));
  location.assign(loginAddress(tenant, pathOf(location)));
}

/** Checks whether this tab has just come from a login, which a second one would repeat without end. */
export function hasJustTriedLogin(): boolean {
  const attempt = Number(sessionStorage.getItem(ATTEMPT_KEY) ?? 0);
  return Date.now() - attempt < LOOP_MS;
}

/** Restores the fragment that this tab had before the login. */
export function restoreFragment(): void {
  sessionStorage.removeItem(ATTEMPT_KEY);
  const stored = sessionStorage.getItem(FRAGMENT_KEY);
  sessionStorage.removeItem(FRAGMENT_KEY);
  if (stored === null || location.hash !== '') return;
  const [path, fragment] = JSON.parse(stored) as [string, string];
  if (path === pathOf(location)) history.replaceState(history.state, '', fragment);
}
