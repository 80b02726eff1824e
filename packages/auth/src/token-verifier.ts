import { ProblemError } from '@sluice/contract';
import { type CryptoKey, errors, type JWTVerifyOptions, jwtVerify } from 'jose';
import { TOKEN_ALGORITHM } from './key-ring.ts';
import type { KeySource } from './key-source.ts';
import type { Clock } from './ports.ts';
import {
  CLOCK_TOLERANCE_SECONDS,
  issuerOf,
  TOKEN_LIFETIME_SECONDS_MAX,
  TOKEN_TYPES,
  type TokenNames,
  type TokenUse,
} from './token-claims.ts';

/** What a token proves: that we signed it, for this tenant, account and session. Rights are not among it. */
export interface VerifiedToken {
  readonly tenantName: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly keyId: string;
}

export interface TokenVerifier {
  /** Throws `unauthorized`, or `service_unavailable` when the keys cannot be had. */
  verify(token: string, use: TokenUse): Promise<VerifiedToken>;
}

export interface TokenVerifierOptions extends TokenNames {
  readonly keys: KeySource;
  readonly now?: Clock;
}

const TOKEN_CHARACTERS_MAX = 8192;
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** Thumbprints are 43 characters (RFC 7638); a kid is a name to look up and nothing else. */
const KID = /^[\w-]{1,64}$/;

// jose requires none of these unless told: without `exp` a token would be good for ever.
const REQUIRED_CLAIMS = ['iss', 'aud', 'sub', 'exp', 'nbf', 'iat', 'jti', 'sid', 'tenant', 'token_use'];

const refuse = (reason: string, cause?: unknown): ProblemError =>
  new ProblemError('unauthorized', `The token is not valid: ${reason}. Log in again.`, { cause });

const reasonOf = (thrown: unknown): string => {
  if (thrown instanceof errors.JWTExpired) return 'it has expired';
  if (thrown instanceof errors.JWTClaimValidationFailed) return `its ${thrown.claim} is not what is needed here`;
  return 'it was not signed by us';
};

const text = (value: unknown): string => {
  if (typeof value !== 'string' || value === '') throw refuse('a claim is missing');
  return value;
};

export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { keys, audience, now = Date.now } = options;

  const keyOf = async (kid: unknown): Promise<CryptoKey> => {
    // A token without a kid would be tried on whichever key there is.
    if (typeof kid !== 'string' || !KID.test(kid)) throw refuse('it does not name a key of ours');
    const key = await keys.find(kid);
    if (key === undefined) throw refuse('it does not name a key of ours');
    return key;
  };

  const verifySignature = async (token: string, use: TokenUse) => {
    const rules: JWTVerifyOptions = {
      algorithms: [TOKEN_ALGORITHM],
      typ: TOKEN_TYPES[use],
      audience,
      requiredClaims: REQUIRED_CLAIMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      // Besides the age this refuses an `iat` in the future, which jose otherwise lets pass.
      maxTokenAge: TOKEN_LIFETIME_SECONDS_MAX,
      currentDate: new Date(now()),
    };
    try {
      return await jwtVerify(token, (header) => keyOf(header.kid), rules);
    } catch (thrown) {
      if (thrown instanceof ProblemError) throw thrown;
      throw refuse(reasonOf(thrown), thrown);
    }
  };

  return {
    async verify(token, use) {
      if (token.length > TOKEN_CHARACTERS_MAX || !COMPACT_JWS.test(token)) throw refuse('it is no token of ours');
      const { payload, protectedHeader } = await verifySignature(token, use);
      const tenantName = text(payload['tenant']);
      if (payload['token_use'] !== use) throw refuse('it is of another use');
      if (payload.iss !== issuerOf(options, tenantName)) throw refuse('its issuer is another');
      return {
        tenantName,
        accountId: text(payload.sub),
        sessionId: text(payload['sid']),
        keyId: text(protectedHeader.kid),
      };
    },
  };
}
