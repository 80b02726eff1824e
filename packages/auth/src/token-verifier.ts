import { ProblemError } from '@sluice/contract';
import { type CryptoKey, errors, type JWTVerifyOptions, jwtVerify } from 'jose';
import { TOKEN_ALGORITHM } from './key-ring.ts';
import type { KeySource } from './key-source.ts';
import type { Clock } from './ports.ts';
import { RememberedTokens } from './remembered-tokens.ts';
import {
  CLOCK_TOLERANCE_SECONDS,
  issuerOf,
  TOKEN_LIFETIME_SECONDS_MAX,
  TOKEN_TYPES,
  type TokenNames,
  type TokenUse,
  type VerifiedToken,
} from './token-claims.ts';

export interface TokenVerifier {
  /** Throws `unauthorized`, or `service_unavailable` if the keys cannot be read. */
  verify(token: string, use: TokenUse): Promise<VerifiedToken>;
}

/** Names that a token must have. Access tokens need `apiAudience` if it is set, as on the API host. */
interface TokenVerifierOptions extends TokenNames {
  /** Audiences of access tokens, one of which is enough. Default: that of this host. */
  readonly accessAudiences?: readonly string[];
  readonly keys: KeySource;
  readonly now?: Clock;
}

const TOKEN_CHARACTERS_MAX = 8192;
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** Thumbprints have 43 characters (RFC 7638). A `kid` is only a name to look up, never an address. */
const KID = /^[\w-]{1,64}$/;

// jose requires none of these by default: a token without `exp` would never expire.
const REQUIRED_CLAIMS = ['iss', 'aud', 'sub', 'exp', 'nbf', 'iat', 'jti', 'sid', 'tenant', 'token_use'];

const refuse = (reason: string, cause?: unknown): ProblemError =>
  new ProblemError('unauthorized', `The token is not valid: ${reason}. Log in again.`, { cause });

const reasonOf = (thrown: unknown): string => {
  if (thrown instanceof errors.JWTExpired) return 'it has expired';
  if (thrown instanceof errors.JWTClaimValidationFailed) return `its claim ${thrown.claim} is not accepted here`;
  return 'its signature is invalid';
};

const text = (value: unknown): string => {
  if (typeof value !== 'string' || value === '') throw refuse('a claim is missing');
  return value;
};

export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { keys, audience, apiAudience = audience, accessAudiences = [apiAudience], now = Date.now } = options;
  const remembered = new RememberedTokens(now);

  const keyOf = async (kid: unknown): Promise<CryptoKey> => {
    // jose would try a token without a `kid` with any key.
    if (typeof kid !== 'string' || !KID.test(kid)) throw refuse('it names an unknown key');
    const key = await keys.find(kid);
    if (key === undefined) throw refuse('it names an unknown key');
    return key;
  };

  const verifySignature = async (token: string, use: TokenUse) => {
    const rules: JWTVerifyOptions = {
      algorithms: [TOKEN_ALGORITHM],
      typ: TOKEN_TYPES[use],
      audience: use === 'access' ? [...accessAudiences] : audience,
      requiredClaims: REQUIRED_CLAIMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      // Also rejects an `iat` in the future, which jose accepts by default.
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

  const verifyClaims = async (token: string, use: TokenUse) => {
    const { payload, protectedHeader } = await verifySignature(token, use);
    const tenantName = text(payload['tenant']);
    if (payload['token_use'] !== use) throw refuse('its token_use is not accepted here');
    if (payload.iss !== issuerOf(options, tenantName)) throw refuse('it has another issuer');
    const verified: VerifiedToken = {
      tenantName,
      accountId: text(payload.sub),
      sessionId: text(payload['sid']),
      keyId: text(protectedHeader.kid),
    };
    return { verified, endMs: ((payload.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1_000 };
  };

  return {
    async verify(token, use) {
      if (token.length > TOKEN_CHARACTERS_MAX || !COMPACT_JWS.test(token))
        throw refuse('it is not a token of this service');
      const rememberKey = remembered.keyOf(use, token);
      const known = remembered.get(rememberKey);
      // A key that is no longer in the set, or was replaced there, verifies nothing.
      if (known !== undefined && (await keyOf(known.verified.keyId)) === known.key) return known.verified;
      const { verified, endMs } = await verifyClaims(token, use);
      remembered.add(rememberKey, { verified, endMs, key: await keyOf(verified.keyId) });
      return verified;
    },
  };
}
