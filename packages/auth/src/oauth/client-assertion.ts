import { ASSERTION_ALGORITHMS, type ClientKeySet, ProblemError } from '@sluice/contract';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import { CLOCK_TOLERANCE_SECONDS } from '../token-claims.ts';

/** Value of `client_assertion_type` (RFC 7523 section 2.2). */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const ASSERTION_CHARACTERS_MAX = 8192;
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** Time for which an assertion may be valid. It is short because each is used once. */
const LIFETIME_SECONDS_MAX = 300;
const ID_CHARACTERS_MAX = 256;

/** Values of `typ` in lower case. A token that the client signs for another purpose, such as a DPoP proof, has another type (RFC 8725 section 3.11). */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'client-authentication+jwt']);

const REQUIRED_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'jti'];

/** Unverified content of an assertion, to look up the keys of its client. */
export interface AssertionHint {
  readonly clientId: string;
  /** `kid` of its header. */
  readonly keyId: string | undefined;
}

interface AssertionRules {
  readonly clientId: string;
  /** Issuer and token endpoint of the tenant, which `aud` may name. */
  readonly audiences: readonly string[];
  readonly keys: ClientKeySet;
  readonly nowMs: number;
}

/** Assertion whose signature and claims are right. It must not have been used before. */
export interface VerifiedAssertion {
  readonly id: string;
  /** Time after which it is rejected anyway. */
  readonly expiresMs: number;
}

const refuse = (reason: string, cause?: unknown): ProblemError =>
  new ProblemError('invalid_client', `The client assertion is not valid: ${reason}.`, { cause });

/** Problem of an unknown client, and of one that has no key with this signature: a caller cannot tell them apart. */
export const unknownAssertionKey = (cause?: unknown): ProblemError =>
  refuse('it is not signed with a key of this client', cause);

const problemOf = (thrown: unknown): ProblemError => {
  if (thrown instanceof errors.JWTExpired) return refuse('it has expired', thrown);
  if (thrown instanceof errors.JWTClaimValidationFailed)
    return refuse(`its claim ${thrown.claim} is not accepted`, thrown);
  if (thrown instanceof errors.JWKSMultipleMatchingKeys) return refuse('its header names no key (kid)', thrown);
  if (thrown instanceof errors.JOSEAlgNotAllowed)
    return refuse(`its algorithm is none of ${ASSERTION_ALGORITHMS.join(', ')}`, thrown);
  return unknownAssertionKey(thrown);
};

/** Reads which client an assertion is from. Nothing of it is verified. Throws `invalid_client`. */
export function readAssertionHint(assertion: string): AssertionHint {
  if (assertion.length > ASSERTION_CHARACTERS_MAX || !COMPACT_JWS.test(assertion))
    throw refuse('it is not a signed JWT');
  try {
    const { sub } = decodeJwt(assertion);
    const { kid } = decodeProtectedHeader(assertion);
    if (typeof sub !== 'string' || sub === '') throw refuse('it has no sub');
    return { clientId: sub, keyId: typeof kid === 'string' ? kid : undefined };
  } catch (thrown) {
    throw thrown instanceof ProblemError ? thrown : refuse('it is not a signed JWT', thrown);
  }
}

/**
 * Verifies the assertion of a client (RFC 7523 section 3, OpenID Connect Core section 9). `iss` and `sub` are the client; `aud` is one of the
 * audiences and nothing else, so that it works at no other server; `exp` is at most five minutes ahead; `jti` is present. Throws
 * `invalid_client`.
 */
export async function verifyClientAssertion(
  assertion: string,
  { clientId, audiences, keys, nowMs }: AssertionRules,
): Promise<VerifiedAssertion> {
  const options = {
    algorithms: [...ASSERTION_ALGORITHMS],
    issuer: clientId,
    subject: clientId,
    audience: [...audiences],
    requiredClaims: REQUIRED_CLAIMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: new Date(nowMs),
  };
  const { payload, protectedHeader } = await jwtVerify(
    assertion,
    createLocalJWKSet(keys as object as JSONWebKeySet),
    options,
  ).catch((thrown: unknown) => {
    throw problemOf(thrown);
  });
  const { aud, exp = 0, iat, jti } = payload;
  const nowSeconds = nowMs / 1000;
  if (!TYPES.has(protectedHeader.typ?.toLowerCase())) throw refuse('its header has another typ than JWT');
  if (Array.isArray(aud) && aud.length !== 1) throw refuse('its claim aud names more than this server');
  if (exp > nowSeconds + LIFETIME_SECONDS_MAX) throw refuse('its claim exp is more than 5 minutes ahead');
  if (iat !== undefined && iat > nowSeconds + CLOCK_TOLERANCE_SECONDS) throw refuse('its claim iat is in the future');
  if (typeof jti !== 'string' || jti === '' || jti.length > ID_CHARACTERS_MAX)
    throw refuse(`its claim jti must be a string of 1 to ${ID_CHARACTERS_MAX} characters`);
  return { id: jti, expiresMs: (exp + CLOCK_TOLERANCE_SECONDS) * 1000 };
}

/** Problem of an assertion that was used before (RFC 7523 section 3, point 7). */
export const repeatedAssertion = (): ProblemError => refuse('it was used before. Sign another one with a new jti');
