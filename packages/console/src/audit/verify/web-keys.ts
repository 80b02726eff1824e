import { keyIdOf, type TrustedKeys } from '@sluice/audit/verify-in-browser';
import { UnsupportedBrowserError } from './unsupported-browser-error.ts';

const ALGORITHM = 'Ed25519';
const encoder = new TextEncoder();

async function importKey(bytes: Uint8Array): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('raw', bytes as BufferSource, ALGORITHM, false, ['verify']);
  } catch (cause) {
    // Outside of https and of this machine, `crypto.subtle` is undefined.
    throw new UnsupportedBrowserError('This browser cannot verify Ed25519 signatures here.', { cause });
  }
}

/**
 * Imports public keys of 32 bytes each.
 * @throws UnsupportedBrowserError
 */
export async function webTrustedKeys(publicKeys: readonly Uint8Array[]): Promise<TrustedKeys> {
  const keys = await Promise.all(
    publicKeys.map(async (bytes) => {
      const key = await importKey(bytes);
      const verify = (payload: string, signature: Uint8Array): Promise<boolean> =>
        crypto.subtle.verify(ALGORITHM, key, signature as BufferSource, encoder.encode(payload));
      return [keyIdOf(bytes), { verify }] as const;
    }),
  );
  return new Map(keys);
}
