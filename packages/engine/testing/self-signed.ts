import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** PEM strings. */
export interface SelfSigned {
  readonly certificate: string;
  readonly key: string;
}

/** Creates a self-signed certificate for 127.0.0.1, like the authority of a private network. */
export function selfSigned(subject: string): SelfSigned {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-trino-tls-'));
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
  try {
    execFileSync('openssl', [...args, '-subj', `/CN=${subject}`, '-addext', 'subjectAltName=IP:127.0.0.1'], {
      stdio: 'ignore',
    });
    return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
