import { ProblemError } from '@sluice/contract';

/** Browsers read a backslash as a slash and drop control characters, so such a path may become an address of another host. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression rejects control characters
const DECEPTIVE = /[\u0000-\u0020\u007f\\]/;

const ABSOLUTE = /^https?:\/\/[^/]/;

/** A login that ended there would end its own session. */
const LOGOUT_PATH = /^\/auth\/logout(?:\/|$)/i;

/** Limit of the parameter itself: the sign-in page receives the result as its own `return_to`. */
const RESULT_CHARACTERS_MAX = 2048;

const invalidReturnTo = (): ProblemError =>
  new ProblemError('invalid_request', 'return_to must be a path of this host or an address of an allowed origin.', {
    details: [{ path: 'return_to', message: 'is not a path of this host, nor an address of an allowed origin' }],
  });

interface ReturnToRules {
  /** `https://host` as the client sees this host. */
  readonly baseUrl: string;
  readonly isAllowedOrigin: (origin: string) => boolean;
  /** Complete addresses of other origins. */
  readonly allowedAddresses?: readonly string[];
}

/** Resolves an address as a browser does (URL standard). Throws `invalid_request`. */
function resolve(address: string, baseUrl: string): URL {
  if (!URL.canParse(address, baseUrl)) throw invalidReturnTo();
  return new URL(address, baseUrl);
}

/** Checks whether a path is the logout, however its characters are encoded. */
function isLogout({ pathname }: URL): boolean {
  try {
    return LOGOUT_PATH.test(decodeURIComponent(pathname));
  } catch {
    return false;
  }
}

/**
 * Checks the address to which a login redirects: a path of this host, or an http(s) address without credentials that is allowed or
 * has an allowed origin, but not the logout of this host. Returns the normalised address, which is sent to the client. Throws `invalid_request`.
 *
 * The result is resolved a second time, because normalising can turn a path into an address of another host: `/..//evil.example`
 * becomes `//evil.example`.
 */
export function checkReturnTo(returnTo: string, rules: ReturnToRules): string {
  const { baseUrl, isAllowedOrigin, allowedAddresses = [] } = rules;
  if (DECEPTIVE.test(returnTo) || !returnTo.isWellFormed()) throw invalidReturnTo();
  const isPath = returnTo.startsWith('/');
  if (!isPath && !ABSOLUTE.test(returnTo)) throw invalidReturnTo();
  const url = resolve(returnTo, baseUrl);
  if (url.username !== '' || url.password !== '') throw invalidReturnTo();
  const result = isPath ? `${url.pathname}${url.search}${url.hash}` : url.href;
  if (result.length > RESULT_CHARACTERS_MAX || resolve(result, baseUrl).href !== url.href) throw invalidReturnTo();
  const isOwn = url.origin === new URL(baseUrl).origin;
  if (isOwn && isLogout(url)) throw invalidReturnTo();
  const isAllowed = isPath
    ? isOwn
    : isAllowedOrigin(url.origin) || allowedAddresses.some((each) => new URL(each).href === url.href);
  if (!isAllowed) throw invalidReturnTo();
  return result;
}
