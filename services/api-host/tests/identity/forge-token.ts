import { createHmac, randomUUID } from 'node:crypto';
import { createKeyRing, parseMasterKey } from '@sluice/auth';
import { createSigningKeyStore } from '@sluice/store/identity';
import type { TestHost } from '@sluice/testkit/hosts';
import { type CryptoKey, decodeJwt, decodeProtectedHeader } from 'jose';

const DAY_MS = 86_400_000;

/** The host's own keys, opened with its master key. */
export const openKeyRing = (test: TestHost) =>
  createKeyRing({
    store: createSigningKeyStore(test.database),
    masterKeys: { current: parseMasterKey(test.environment['SLUICE_MASTER_KEY'] ?? '') },
    schedule: { signMs: 30 * DAY_MS, leadMs: DAY_MS, tokenMs: 3_900_000 },
  });

interface Forgery {
  /** Overrides claims of the valid token; undefined removes one. */
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  /** Instead of the host's own. */
  readonly key?: CryptoKey | Uint8Array;
}

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * The valid token with changes, signed by the host's own key. Signed manually, because a library refuses to
 * write some of these.
 */
export async function forge(test: TestHost, good: string, { claims = {}, header = {}, key }: Forgery): Promise<string> {
  const payload = base64url({ ...decodeJwt(good), jti: randomUUID(), ...claims });
  const signed = Buffer.from(`${base64url({ ...decodeProtectedHeader(good), ...header })}.${payload}`);
  const signature =
    key instanceof Uint8Array
      ? createHmac('sha256', key).update(signed).digest()
      : Buffer.from(
          await crypto.subtle.sign(
            { name: 'ECDSA', hash: 'SHA-256' },
            key ?? (await openKeyRing(test)).signer().key,
            signed,
          ),
        );
  return `${signed}.${signature.toString('base64url')}`;
}

/** A token without a signature, its `alg` as given. */
export const unsigned = (good: string, alg: string): string =>
  `${base64url({ ...decodeProtectedHeader(good), alg })}.${base64url(decodeJwt(good))}.`;
