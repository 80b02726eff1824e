import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { MasterKeys } from './key-encryption.ts';

/** Authenticates values that are stored where others can write. A changed value, or a value of another owner, is not opened. */
export interface ValueSeal {
  /** `binding` names the owner of the value. `open` requires the same one. */
  seal(value: string, binding: readonly string[]): string;
  /** Returns undefined for anything that `seal` did not create with this binding. */
  open(sealed: string, binding: readonly string[]): string | undefined;
}

const MAC_CHARACTERS = 43;

const deriveSealKey = (masterKey: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'sluice shared value key', 32));

/** Creates a seal of HMAC-SHA-256 with a key that is derived from the current master key (HKDF, RFC 5869). It opens values of both keys. */
export function createValueSeal({ current, previous }: MasterKeys): ValueSeal {
  const key = deriveSealKey(current);
  const keys = previous === undefined ? [key] : [key, deriveSealKey(previous)];
  const macOf = (by: Buffer, value: string, binding: readonly string[]): string =>
    createHmac('sha256', by)
      .update(JSON.stringify([...binding, value]))
      .digest('base64url');
  return {
    seal: (value, binding) => macOf(key, value, binding) + value,
    open(sealed, binding) {
      const value = sealed.slice(MAC_CHARACTERS);
      const found = Buffer.from(sealed.slice(0, MAC_CHARACTERS));
      const isSealed = keys.some((each) => {
        const expected = Buffer.from(macOf(each, value, binding));
        return found.length === expected.length && timingSafeEqual(found, expected);
      });
      return isSealed ? value : undefined;
    },
  };
}
