import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Authenticates values that are stored where others can write. A changed value, or a value of another owner, is not opened. */
export interface ValueSeal {
  /** `binding` names the owner of the value. `open` requires the same one. */
  seal(value: string, binding: readonly string[]): string;
  /** Returns undefined for anything that `seal` did not create with this binding. */
  open(sealed: string, binding: readonly string[]): string | undefined;
}

const MAC_CHARACTERS = 43;

/** Creates a seal of HMAC-SHA-256 with a key that is derived from the master key (HKDF, RFC 5869). */
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
