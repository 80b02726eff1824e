import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from './ports.ts';

const ENTRIES_MAX = 10_000;

/**
 * Which secrets were right a moment ago, so that a client that sends Basic with every request does not cost a hash each time.
 * Entries are keyed by an HMAC under a key of this process, over the stored hashes too: a changed password is forgotten at once.
 */
export interface RememberedSecrets {
  keyOf(parts: readonly string[]): string;
  /** The stored hash that it matched. */
  find(key: string): string | undefined;
  add(key: string, secretHash: string): void;
}

export function createRememberedSecrets({ rememberMs, now }: { rememberMs: number; now: Clock }): RememberedSecrets {
  const hmacKey = randomBytes(32);
  const rememberedByKey = new Map<string, { readonly until: number; readonly secretHash: string }>();

  const forgetOld = (): void => {
    // A Map keeps the order of insertion, so the oldest come first.
    for (const [key, { until }] of rememberedByKey) {
      if (until > now() && rememberedByKey.size <= ENTRIES_MAX) return;
      rememberedByKey.delete(key);
    }
  };

  return {
    keyOf: (parts) => createHmac('sha256', hmacKey).update(JSON.stringify(parts)).digest('base64url'),
    find(key) {
      const remembered = rememberedByKey.get(key);
      return remembered !== undefined && remembered.until > now() ? remembered.secretHash : undefined;
    },
    add(key, secretHash) {
      rememberedByKey.delete(key);
      rememberedByKey.set(key, { until: now() + rememberMs, secretHash });
      forgetOld();
    },
  };
}
