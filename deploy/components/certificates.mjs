/** Certificates for test servers, created with openssl. Each key is deleted with its server. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAYS = '2';

function openssl(folder, args) {
  const { status, stderr, error } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl failed: ${error?.message ?? stderr}`);
}

/** Creates a self-signed authority: NAME.crt and NAME.key in the folder. */
export function makeAuthority(folder, name) {
  const subject = ['-subj', `/CN=${name}`, '-days', DAYS, '-keyout', `${name}.key`, '-out', `${name}.crt`];
  openssl(folder, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject]);
}

/** Creates NAME.crt and NAME.key, signed by an authority in the same folder. The host names are for clients that verify them. */
export function makeCertificate(folder, { name, subject, hosts = [], authority = 'ca' }) {
  const request = ['-subj', `/CN=${subject}`, '-keyout', `${name}.key`, '-out', `${name}.csr`];
  openssl(folder, ['req', '-newkey', 'rsa:2048', '-nodes', ...request]);
  const names = hosts.map((host) => `DNS:${host}`).join(',');
  writeFileSync(join(folder, `${name}.ext`), names === '' ? '' : `subjectAltName=${names}\n`);
  const signer = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`, '-CAcreateserial'];
  const signed = ['-days', DAYS, '-extfile', `${name}.ext`, '-out', `${name}.crt`];
  openssl(folder, ['x509', '-req', '-in', `${name}.csr`, ...signer, ...signed]);
}
