import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { type KeyRing, TOKEN_ALGORITHM } from './key-ring.ts';
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
}

export interface TokenSigner {
  /** Returns the id of the key that signs now, for the session's row. */
  keyId(): string;
  /** Returns the lifetime of a token, which never exceeds the session's. */
  lifetimeSeconds(sessionExpires: Date): number;
  sign(use: TokenUse, subject: TokenSubject, lifetimeSeconds: number): Promise<string>;
}

interface TokenSignerOptions extends TokenNames {
  readonly keys: Pick<KeyRing, 'signer'>;
  readonly lifetimeSeconds: number;
  readonly now?: Clock;
}

/** A client has no e-mail address; `sub` identifies it. `docs/api-guide.md` lists every claim, and a test compares tokens with it. */
const emailClaim = ({ kind, name }: TokenSubject['account']) => (kind === 'user' ? { email: name } : {});

/** An ID token has one audience. An access token names the API host too, if the deployment has a name for it (RFC 9068 section 2.2). */
const audienceOf = (use: TokenUse, { audience, apiAudience }: TokenNames): string | string[] =>
  use === 'id' || apiAudience === undefined ? audience : [audience, apiAudience];

export function createTokenSigner(options: TokenSignerOptions): TokenSigner {
  const { keys, now = Date.now } = options;
  return {
    keyId: () => keys.signer().kid,
    lifetimeSeconds: (sessionExpires) =>
      Math.max(1, Math.min(options.lifetimeSeconds, Math.floor((sessionExpires.getTime() - now()) / 1000))),
    async sign(use, { tenantName, account, sessionId }, lifetimeSeconds) {
      const { kid, key } = keys.signer();
      const issuedAt = Math.floor(now() / 1000);
      return new SignJWT({
        tenant: tenantName,
        ...emailClaim(account),
        roles: [...account.roles],
        sid: sessionId,
        token_use: use,
      })
        .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: TOKEN_TYPES[use] })
        .setIssuer(issuerOf(options, tenantName))
        .setAudience(audienceOf(use, options))
        .setSubject(account.id)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setNotBefore(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(key);
    },
  };
}
