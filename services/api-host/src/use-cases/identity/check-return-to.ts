import { ProblemError } from '@sluice/contract';

/** Browsers read a backslash as a slash and drop control characters, so such a path may turn into an address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const DECEPTIVE = /[\u0000-\u0020\u007f\\]/;

const ABSOLUTE = /^https?:\/\/[^/]/;

/** As long as the parameter itself may be: the sign-in page takes the result as its own `return_to`. */
const RESULT_CHARACTERS_MAX = 2048;

const refuse = (): ProblemError =>
  new ProblemError('invalid_request', 'return_to must be a path of this host or an address of an allowed origin.', {
    details: [{ path: 'return_to', message: 'is not a path of this host, nor an address of an allowed origin' }],
  });

export interface ReturnToRules {
  /** `https://host` as the client sees this host. */
  readonly baseUrl: string;
  readonly isAllowedOrigin: (origin: string) => boolean;
  /** Addresses of other origins, each as a whole. */
  readonly allowedAddresses?: readonly string[];
}

/** Resolves an address as a browser does (URL standard). Throws `invalid_request`. */
function resolve(address: string, baseUrl: string): URL {
  if (!URL.canParse(address, baseUrl)) throw refuse();
  return new URL(address, baseUrl);
}

/**
 * Checks where a login may lead: to a path of this host, or to an http(s) address without credentials, of an allowed origin or allowed
 * itself. Returns the normalised address, which is what the client is sent. Throws `invalid_request`.
 *
 * The result is resolved once more, because normalising can make another address of a path: `/..//evil.example` becomes
 * `//evil.example`, which names a host.
 */
export function checkReturnTo(returnTo: string, rules: ReturnToRules): string {
  const { baseUrl, isAllowedOrigin, allowedAddresses = [] } = rules;
  if (DECEPTIVE.test(returnTo) || !returnTo.isWellFormed()) throw refuse();
  const isPath = returnTo.startsWith('/');
  if (!isPath && !ABSOLUTE.test(returnTo)) throw refuse();
  const url = resolve(returnTo, baseUrl);
  if (url.username !== '' || url.password !== '') throw refuse();
  const result = isPath ? `${url.pathname}${url.search}${url.hash}` : url.href;
  if (result.length > RESULT_CHARACTERS_MAX || resolve(result, baseUrl).href !== url.href) throw refuse();
  const isAllowed = isPath
    ? url.origin === new URL(baseUrl).origin
    : isAllowedOrigin(url.origin) || allowedAddresses.some((each) => new URL(each).href === url.href);
  if (!isAllowed) throw refuse();
  return result;
}
