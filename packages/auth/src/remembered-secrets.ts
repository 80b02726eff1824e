import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from './ports.ts';

const ENTRIES_MAX = 10_000;

/**
 * Which secrets were right a moment ago, so that a client that sends Basic with every request does not cost a hash each time.
 * Entries are keyed by an HMAC under a key of this process, over the stored hashes too: a changed password is forgotten at once.
 */
export interface RememberedSecrets {
  keyOf(parts: readonly string[]): string;
  has(key: string): boolean;
  add(key: string): void;
}

export function createRememberedSecrets({ rememberMs, now }: { rememberMs: number; now: Clock }): RememberedSecrets {
  const hmacKey = randomBytes(32);
  const untilByKey = new Map<string, number>();

  const forgetOld = (): void => {
    // A Map keeps the order of insertion, so the oldest come first.
    for (const [key, until] of untilByKey) {
      if (until > now() && untilByKey.size <= ENTRIES_MAX) return;
      untilByKey.delete(key);
    }
  };

  return {
    keyOf: (parts) => createHmac('sha256', hmacKey).update(JSON.stringify(parts)).digest('base64url'),
    has: (key) => (untilByKey.get(key) ?? 0) > now(),
    add(key) {
      untilByKey.delete(key);
      untilByKey.set(key, now() + rememberMs);
      forgetOld();
    },
  };
}
