import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from './ports.ts';

const ENTRIES_MAX = 10_000;

/**
 * Cache of secrets that were verified a few seconds ago, so that a client that sends Basic with every request is neither hashed each
 * time nor throttled. The cache key is an HMAC with a random key of this process. A secret whose stored hash has changed is not found.
 */
export interface RememberedSecrets {
  keyOf(parts: readonly string[]): string;
  has(key: string): boolean;
  /** Returns the stored hash that the secret matched, if it is one of these. */
  find(key: string, secretHashes: readonly string[]): string | undefined;
  add(key: string, secretHash: string): void;
}

export function createRememberedSecrets({ rememberMs, now }: { rememberMs: number; now: Clock }): RememberedSecrets {
  const hmacKey = randomBytes(32);
  const rememberedByKey = new Map<string, { readonly until: number; readonly secretHash: string }>();

  const forgetOld = (): void => {
    // A Map keeps the order of insertion, so the oldest entries come first.
    for (const [key, { until }] of rememberedByKey) {
      if (until > now() && rememberedByKey.size <= ENTRIES_MAX) return;
      rememberedByKey.delete(key);
    }
  };

  const hashOf = (key: string): string | undefined => {
    const remembered = rememberedByKey.get(key);
    return remembered !== undefined && remembered.until > now() ? remembered.secretHash : undefined;
  };

  return {
    keyOf: (parts) => createHmac('sha256', hmacKey).update(JSON.stringify(parts)).digest('base64url'),
    has: (key) => hashOf(key) !== undefined,
    find(key, secretHashes) {
      const secretHash = hashOf(key);
      return secretHash !== undefined && secretHashes.includes(secretHash) ? secretHash : undefined;
    },
    add(key, secretHash) {
      rememberedByKey.delete(key);
      rememberedByKey.set(key, { until: now() + rememberMs, secretHash });
      forgetOld();
    },
  };
}
