import type { Reader } from '@sluice/http';

/** Set by the console for ten minutes before it opens the logout (packages/console/src/session/session.ts). */
const COOKIE = 'sluice_console_return';

/** Paths of the console without a query and without `.` or `..`, which lead out of it. Anything else in the cookie is ignored. */
const CONSOLE_PATH = /^\/console(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*\/?$/;

/**
 * Returns the page of the console to which a login without `return_to` leads. A logout ends on such a login, through the identity
 * provider, which redirects to one registered address only.
 */
export function consoleReturnPath(cookies: Reader): string | undefined {
  const path = cookies.get(COOKIE);
  return path !== undefined && CONSOLE_PATH.test(path) ? path : undefined;
}
