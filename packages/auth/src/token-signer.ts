import { randomUUID } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { type KeyRing, TOKEN_ALGORITHM } from './key-ring.ts';
import type { TokenTargets } from './oauth/token-targets.ts';
import type { Clock } from './ports.ts';
import { issuerOf, TOKEN_TYPES, type TokenNames, type TokenUse } from './token-claims.ts';

interface TokenSubject {
  readonly tenantName: string;
  readonly account: {
    readonly kind: 'user' | 'client';
    readonly id: string;
    readonly name: string;
    readonly roles: readonly string[];
  };
  readonly sessionId: string;
  /** Hosts for which an access token is. Default: both. */
  readonly targets?: TokenTargets;
}

/** Login of a user that an ID token reports to a program (OpenID Connect Core section 2). */
export interface ProgramIdentity extends Omit<TokenSubject, 'targets'> {
  readonly oauthClient: string;
  /** Value that the program sent, and compares. */
  readonly nonce: string | undefined;
  /** Time of the login of the user. */
  readonly authenticated: Date;
}

export interface TokenSigner {
  /** Returns the id of the key that signs now, for the session's row. */
  keyId(): string;
  /** Returns the lifetime of a token, which never exceeds the session's. */
  lifetimeSeconds(sessionExpires: Date): number;
  sign(use: TokenUse, subject: TokenSubject, lifetimeSeconds: number): Promise<string>;
  /**
   * Signs an ID token for a program. Its audience is the program and its type is that of any JWT, so no host accepts it as a credential.
   */
  signIdentity(identity: ProgramIdentity, lifetimeSeconds: number): Promise<string>;
}

interface TokenSignerOptions extends TokenNames {
  readonly keys: Pick<KeyRing, 'signer'>;
  readonly lifetimeSeconds: number;
  readonly now?: Clock;
}

interface SignOptions {
  readonly type: string;
  readonly audience: string | string[];
  readonly lifetimeSeconds: number;
}

/** A client has no e-mail address; `sub` identifies it. `docs/api-guide.md` lists every claim, and a test compares tokens with it. */
const emailClaim = ({ kind, name }: TokenSubject['account']) => (kind === 'user' ? { email: name } : {});

/**
 * An ID token has one audience. An access token names the API host too, if the deployment has a name for it (RFC 9068 section 2.2), unless a
 * program asked for one of the hosts (RFC 8707 section 2).
 */
function audienceOf(
  use: TokenUse,
  { targets }: TokenSubject,
  { audience, apiAudience }: TokenNames,
): string | string[] {
  if (use === 'id' || apiAudience === undefined) return audience;
  const names = { stream: audience, api: apiAudience };
  return (targets ?? (['stream', 'api'] as const)).map((target) => names[target]);
}

export function createTokenSigner(options: TokenSignerOptions): TokenSigner {
  const { keys, now = Date.now } = options;

  const signClaims = (
    { tenantName, account }: Pick<TokenSubject, 'tenantName' | 'account'>,
    claims: JWTPayload,
    { type, audience, lifetimeSeconds }: SignOptions,
  ): Promise<string> => {
    const { kid, key } = keys.signer();
    const issuedAt = Math.floor(now() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: type })
      .setIssuer(issuerOf(options, tenantName))
      .setAudience(audience)
      .setSubject(account.id)
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(key);
  };

  return {
    keyId: () => keys.signer().kid,
    lifetimeSeconds: (sessionExpires) =>
      Math.max(1, Math.min(options.lifetimeSeconds, Math.floor((sessionExpires.getTime() - now()) / 1000))),
    sign(use, subject, lifetimeSeconds) {
      const { tenantName, account, sessionId } = subject;
      const claims = {
        tenant: tenantName,
        ...emailClaim(account),
        roles: [...account.roles],
        sid: sessionId,
        token_use: use,
      };
      const audience = audienceOf(use, subject, options);
      return signClaims(subject, claims, { type: TOKEN_TYPES[use], audience, lifetimeSeconds });
    },
    signIdentity(identity, lifetimeSeconds) {
      const { account, oauthClient, nonce, authenticated, sessionId } = identity;
      const claims = {
        ...emailClaim(account),
        azp: oauthClient,
        auth_time: Math.floor(authenticated.getTime() / 1000),
        ...(nonce === undefined ? {} : { nonce }),
        sid: sessionId,
      };
      return signClaims(identity, claims, { type: 'JWT', audience: oauthClient, lifetimeSeconds });
    },
  };
}
