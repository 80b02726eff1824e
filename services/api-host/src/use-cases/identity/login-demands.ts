import { type AuthorizationRequest, ProblemError } from '@sluice/contract';
import type { BrowserSession } from './find-browser-session.ts';

/** Demands of a program on the login of the user (OpenID Connect Core section 3.1.2.1). */
export interface LoginDemands {
  /** No page may be shown: the program gets an error instead. */
  readonly isSilent: boolean;
  /** The user has to consent, whatever is remembered. */
  readonly asksConsent: boolean;
  /** The user has to log in again. */
  readonly asksLogin: boolean;
  /** Age of a login after which the user has to log in again. */
  readonly ageMaxMs: number | undefined;
  /** Time of this host when it led the user to another login. */
  readonly loginAfterMs: number | undefined;
}

/** The parameter `login_after` is not signed: all that a user gains by changing it is this age of a login, and `auth_time` states it. */
const LOGIN_AFTER_AGE_MAX_MS = 600_000;

const PROMPTS: ReadonlySet<string> = new Set(['none', 'login', 'consent', 'select_account']);
const SECONDS = /^\d{1,10}$/;
const MILLISECONDS = /^\d{1,16}$/;

const invalid = (reason: string): ProblemError => new ProblemError('invalid_request', reason);

/** Reads `prompt` and `max_age`. Throws `invalid_request`; `none` with another value is an error. */
export function parseLoginDemands({ prompt = '', max_age, login_after }: AuthorizationRequest): LoginDemands {
  const prompts = new Set(prompt.split(' ').filter((each) => each !== ''));
  for (const each of prompts) if (!PROMPTS.has(each)) throw invalid(`prompt must be of ${[...PROMPTS].join(', ')}.`);
  if (prompts.has('none') && prompts.size > 1) throw invalid('prompt must not have none with another value.');
  if (max_age !== undefined && !SECONDS.test(max_age)) throw invalid('max_age must be a number of seconds.');
  if (login_after !== undefined && !MILLISECONDS.test(login_after)) throw invalid('login_after must not be sent.');
  return {
    isSilent: prompts.has('none'),
    // The consent page names the account and leads to another one.
    asksConsent: prompts.has('consent') || prompts.has('select_account'),
    asksLogin: prompts.has('login') || Number(max_age ?? 1) === 0,
    ageMaxMs: max_age === undefined ? undefined : Number(max_age) * 1000,
    loginAfterMs: login_after === undefined ? undefined : Number(login_after),
  };
}

/** Checks whether the user of a session has to log in again. */
export function mustLogInAgain(
  { asksLogin, ageMaxMs, loginAfterMs }: LoginDemands,
  { authenticatedAtMs }: Pick<BrowserSession, 'authenticatedAtMs'>,
  nowMs: number,
): boolean {
  const hasLoggedInAgain =
    loginAfterMs !== undefined && loginAfterMs > nowMs - LOGIN_AFTER_AGE_MAX_MS && authenticatedAtMs >= loginAfterMs;
  if (hasLoggedInAgain) return false;
  return asksLogin || (ageMaxMs !== undefined && nowMs - authenticatedAtMs > ageMaxMs);
}
