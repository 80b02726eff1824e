import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Authenticates values that stand where others may write: they are read back as they were, and for whom they were, or not at all. */
export interface ValueSeal {
  /** `binding` is what the value belongs to; whoever opens it must name the same. */
  seal(value: string, binding: readonly string[]): string;
  /** Undefined for what `seal` did not make with this binding. */
  open(sealed: string, binding: readonly string[]): string | undefined;
}

const MAC_CHARACTERS = 43;

/** HMAC-SHA-256 under a key that is derived from the master key (HKDF, RFC 5869). */
export function createValueSeal(masterKey: Uint8Array): ValueSeal {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'sluice shared value key', 32));
  const macOf = (value: string, binding: readonly string[]): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([...binding, value]))
      .digest('base64url');
  return {
    seal: (value, binding) => macOf(value, binding) + value,
    open(sealed, binding) {
      const value = sealed.slice(MAC_CHARACTERS);
      const found = Buffer.from(sealed.slice(0, MAC_CHARACTERS));
      const expected = Buffer.from(macOf(value, binding));
      return found.length === expected.length && timingSafeEqual(found, expected) ? value : undefined;
    },
  };
}
