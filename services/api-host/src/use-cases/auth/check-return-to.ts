import { ProblemError } from '@sluice/contract';

/** Backslashes and control characters are read as slashes or dropped by browsers, so a path may turn into an address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const DECEPTIVE = /[\u0000-\u0020\u007f\\]/;

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

/**
 * Where a login may lead: a path that begins with one slash, or an http(s) address without credentials, of
 * an allowed origin or allowed itself.
 * Answers it as the URL standard writes it, so that what was checked is what is sent. Throws `invalid_request`.
 */
export function checkReturnTo(returnTo: string, rules: ReturnToRules): string {
  const { baseUrl, isAllowedOrigin, allowedAddresses = [] } = rules;
  if (DECEPTIVE.test(returnTo) || !returnTo.isWellFormed()) throw refuse();
  if (/^\/(?!\/)/.test(returnTo)) {
    const url = new URL(returnTo, baseUrl);
    if (url.origin !== new URL(baseUrl).origin) throw refuse();
    return `${url.pathname}${url.search}${url.hash}`;
  }
  if (!/^https?:\/\/[^/]/.test(returnTo) || !URL.canParse(returnTo)) throw refuse();
  const url = new URL(returnTo);
  if (url.username !== '' || url.password !== '') throw refuse();
  const isAllowed = isAllowedOrigin(url.origin) || allowedAddresses.some((each) => new URL(each).href === url.href);
  if (!isAllowed) throw refuse();
  return url.href;
}
