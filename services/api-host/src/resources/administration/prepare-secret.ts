import { createOpaqueToken, type Passwords, secretSelectorOf } from '@sluice/auth';
import type { NewClientSecret } from '@sluice/store/administration';

/** Secret of a service account, which is shown once, and the digest that is stored. */
export interface PreparedSecret {
  readonly secret: string;
  readonly stored: NewClientSecret;
}

/** Creates a secret. Called before a transaction: hashing is slow, and the tenant is locked in it. */
export async function prepareSecret(
  passwords: Pick<Passwords, 'hash'>,
  { label = null, expires = null }: Partial<Pick<NewClientSecret, 'label' | 'expires'>> = {},
): Promise<PreparedSecret> {
  const secret = createOpaqueToken();
  const hash = await passwords.hash(secret);
  return { secret, stored: { hash, selector: secretSelectorOf(secret), label, expires } };
}
