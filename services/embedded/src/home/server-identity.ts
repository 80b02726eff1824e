import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { systemCode } from '../start-failure.ts';
import type { Home } from './home.ts';
import { ensureSecretFile } from './home-secrets.ts';
import { CERTIFICATE_LIFETIME_MS, makeServerIdentity, type ServerIdentity } from './self-signed-certificate.ts';

export interface StoredIdentity extends ServerIdentity {
  /** File with the certificate, which clients have to trust. */
  readonly certificatePath: string;
}

/** Time that a certificate must have left at a start, so that it outlives the run. */
const LEFT_MS = CERTIFICATE_LIFETIME_MS / 2;

const textOf = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
};

/** Checks that a key and a certificate belong together and are valid for long enough. */
function isUsable({ key, certificate }: ServerIdentity, nowMs: number): boolean {
  try {
    const read = new X509Certificate(certificate);
    const endsMs = Date.parse(read.validTo);
    const beganMs = Date.parse(read.validFrom);
    return beganMs <= nowMs && endsMs - nowMs >= LEFT_MS && read.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/**
 * Reads key and certificate for TLS from the home, or makes new ones: at the first start, when half of their time is over, and when they do
 * not belong together. The key is readable by its owner only.
 */
export async function ensureServerIdentity(home: Pick<Home, 'path'>, nowMs = Date.now()): Promise<StoredIdentity> {
  const [keyPath, certificatePath] = [home.path('tls.key'), home.path('tls.pem')];
  const [key, certificate] = [await textOf(keyPath), await textOf(certificatePath)];
  if (key !== undefined && certificate !== undefined && isUsable({ key, certificate }, nowMs))
    return { key, certificate, certificatePath };
  const made = makeServerIdentity(nowMs);
  for (const path of [keyPath, certificatePath]) await rm(path, { force: true });
  await ensureSecretFile(keyPath, () => made.key.trim());
  await ensureSecretFile(certificatePath, () => made.certificate.trim());
  return { ...made, certificatePath };
}
