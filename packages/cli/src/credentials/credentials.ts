/** An access token and when it ends by the clock of this computer, in epoch milliseconds. */
export interface AccessToken {
  readonly value: string;
  readonly obtainedAt: number;
  readonly expiresAt: number;
}

/** A token is replaced after this share of its lifetime, as the client does. */
const LIFETIME_SHARE = 0.8;

/** Returns whether a token is not about to end. */
export const isFresh = ({ obtainedAt, expiresAt }: AccessToken): boolean =>
  Date.now() < obtainedAt + (expiresAt - obtainedAt) * LIFETIME_SHARE;

/** Session of a user. The refresh token is exchanged at each use. */
export interface SessionCredentials {
  readonly kind: 'session';
  readonly refreshToken: string;
  /** Client to which a login in the browser or of a device has given the session. Only it can renew and end the session. */
  readonly clientId?: string | undefined;
  readonly access: AccessToken;
}

/**
 * Client id and secret of a service account. Its access tokens have no refresh token, so the secret is kept: without it, the login
 * would end with the token, an hour later.
 */
export interface ClientCredentials {
  readonly kind: 'client';
  readonly clientId: string;
  readonly clientSecret: string;
  readonly access: AccessToken;
}

/** Stored login of one profile. It never contains a password. */
export type Credentials = SessionCredentials | ClientCredentials;

const hasStrings = (value: object, names: readonly string[]): boolean =>
  names.every((name) => typeof Reflect.get(value, name) === 'string');

function isAccessToken(value: unknown): value is AccessToken {
  if (typeof value !== 'object' || value === null || !hasStrings(value, ['value'])) return false;
  return ['obtainedAt', 'expiresAt'].every((name) => Number.isFinite(Reflect.get(value, name)));
}

function isCredentials(value: unknown): value is Credentials {
  if (typeof value !== 'object' || value === null || !isAccessToken(Reflect.get(value, 'access'))) return false;
  const kind: unknown = Reflect.get(value, 'kind');
  if (kind === 'session')
    return (
      hasStrings(value, ['refreshToken']) && ['string', 'undefined'].includes(typeof Reflect.get(value, 'clientId'))
    );
  return kind === 'client' && hasStrings(value, ['clientId', 'clientSecret']);
}

/** Parses stored credentials; undefined if the text is damaged. */
export function parseCredentials(text: string): Credentials | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isCredentials(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
