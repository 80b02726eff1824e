import { ProblemError } from '@sluice/contract';
import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { CLOCK_TOLERANCE_SECONDS } from '../token-claims.ts';

/** Sessions that an identity provider has ended. At least one of `providerSid` and `subject` is defined. */
export interface LogoutToken {
  readonly issuer: string;
  readonly providerSid: string | undefined;
  readonly subject: string | undefined;
  /** `jti`. The caller accepts each one once. */
  readonly tokenId: string;
}

interface LogoutTokenExpectations {
  readonly issuer: string;
  readonly clientId: string;
  readonly algorithms: readonly string[];
  /** Document at the `jwks_uri` of the provider. */
  readonly keySet: unknown;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** A token is sent when the session ends. An old one is a copy. */
const AGE_MAX = '10 minutes';
/** Explicit types of other tokens of the provider. Section 2.4 recommends `logout+jwt`, and does not require it. */
const TYPES: ReadonlySet<string> = new Set(['logout+jwt', 'application/logout+jwt', 'jwt']);
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression rejects control characters
const IDENTIFIER = /^[^\u0000-\u001f\u007f]{1,255}$/;

const reject = (fault: string, cause?: unknown): ProblemError =>
  new ProblemError('invalid_request', `The logout token ${fault}.`, { cause });

/** Returns a claim; undefined if it is absent. Throws `invalid_request` for one that cannot be an identifier. */
function identifier(claims: JWTPayload, name: 'sid' | 'sub' | 'jti'): string | undefined {
  const value: unknown = claims[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && IDENTIFIER.test(value) && value.isWellFormed()) return value;
  throw reject(`has no valid ${name}`);
}

function requireEvent({ events }: JWTPayload): void {
  const event: unknown = typeof events === 'object' && events !== null ? Reflect.get(events, EVENT) : undefined;
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw reject(`has no event ${EVENT} in its claim events`);
}

const FAULTS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'has expired, or is more than ten minutes old',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'is not one of this provider for this client, or lacks a claim',
  ERR_JOSE_ALG_NOT_ALLOWED: 'is signed with an algorithm that the provider does not list',
};

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.6), except that its `jti` is new. Throws `invalid_request` with
 * what is wrong.
 */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, algorithms, keySet }: LogoutTokenExpectations,
): Promise<LogoutToken> {
  let claims: JWTPayload;
  try {
    const keys = createLocalJWKSet(keySet as Parameters<typeof createLocalJWKSet>[0]);
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: [...algorithms],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: AGE_MAX,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
    });
    if (!TYPES.has((protectedHeader.typ ?? 'jwt').toLowerCase())) throw reject('has the type of another token');
    claims = payload;
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) {
      throw reject(FAULTS[thrown.code] ?? 'is not signed with a key of the provider', thrown);
    }
    throw thrown;
  }
  // An ID token has a nonce, and must not be accepted here (section 2.4).
  if ('nonce' in claims) throw reject('has a nonce, as an ID token has');
  requireEvent(claims);
  const [providerSid, subject] = [identifier(claims, 'sid'), identifier(claims, 'sub')];
  if (providerSid === undefined && subject === undefined) throw reject('has neither sid nor sub');
  return { issuer, providerSid, subject, tokenId: identifier(claims, 'jti') ?? '' };
}
