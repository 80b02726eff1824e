import { hashOpaqueToken, type RequestOrigin } from '@sluice/auth';
import { describeUserAgent } from '@sluice/contract';
import type { NewSession } from '@sluice/store/identity';

interface LoginDeviceInput {
  readonly origin: Pick<RequestOrigin, 'userAgent'>;
  /** Device cookie that the browser sent. */
  readonly deviceCookie?: string | undefined;
  /** Program that the user let log in. */
  readonly oauthClient?: string;
}

const UNKNOWN_PROGRAM = 'unknown';

/** Every browser begins its header so (RFC 9110 section 10.1.5 asks programs to name themselves first). */
const isBrowser = (userAgent: string): boolean => userAgent.startsWith('Mozilla/');

/**
 * Returns the device of a login: a browser, which its cookie identifies, or a program, which its name does. Programs keep no cookies, so
 * each of their logins would look new.
 */
export function loginDevice({
  origin,
  deviceCookie,
  oauthClient,
}: LoginDeviceInput): NonNullable<NewSession['device']> {
  const { userAgent = '' } = origin;
  const { name, system } = describeUserAgent(userAgent);
  const program = oauthClient ?? (isBrowser(userAgent) ? undefined : (name ?? UNKNOWN_PROGRAM));
  const shown = oauthClient ?? name ?? '';
  return {
    cookieHash: deviceCookie === undefined ? undefined : hashOpaqueToken(deviceCookie),
    program,
    name: system === null ? shown : `${shown} (${system})`.trimStart(),
  };
}
