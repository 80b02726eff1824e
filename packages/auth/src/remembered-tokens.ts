import { createHash } from 'node:crypto';
import type { CryptoKey } from 'jose';
import type { Clock } from './ports.ts';
import type { TokenUse, VerifiedToken } from './token-claims.ts';

/** Time after which a token is verified again. */
const REMEMBER_MS = 5_000;
const ENTRIES_MAX = 10_000;

interface RememberedToken {
  readonly verified: VerifiedToken;
  readonly key: CryptoKey;
  readonly untilMs: number;
}

/**
 * Tokens whose signature was verified a few seconds ago, by a hash of the whole token and its use. The signature takes most of the
 * time of a verification, and a client sends the same token with every request. Sessions and revoked keys are not part of it: they
 * are looked up for each request.
 */
export class RememberedTokens {
  readonly #now: Clock;
  /** A Map keeps the order of insertion, so the oldest entries come first. */
  readonly #entries = new Map<string, RememberedToken>();

  constructor(now: Clock) {
    this.#now = now;
  }

  keyOf(use: TokenUse, token: string): string {
    return createHash('sha256').update(`${use} ${token}`).digest('base64url');
  }

  get(key: string): RememberedToken | undefined {
    const found = this.#entries.get(key);
    return found !== undefined && found.untilMs > this.#now() ? found : undefined;
  }

  /** Remembers a token for 5 s, but not beyond `endMs`, when it expires. */
  add(key: string, { endMs, ...token }: Omit<RememberedToken, 'untilMs'> & { readonly endMs: number }): void {
    this.#entries.delete(key);
    this.#entries.set(key, { ...token, untilMs: Math.min(this.#now() + REMEMBER_MS, endMs) });
    for (const [oldest, { untilMs }] of this.#entries) {
      if (untilMs > this.#now() && this.#entries.size <= ENTRIES_MAX) return;
      this.#entries.delete(oldest);
    }
  }
}
