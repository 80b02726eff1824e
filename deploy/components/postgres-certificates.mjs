import { spawnSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAYS = '2';

function openssl(folder, args) {
  const { status, stderr, error } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl failed: ${error?.message ?? stderr}`);
}

function makeAuthority(folder, name) {
  const subject = ['-subj', `/CN=${name}`, '-days', DAYS, '-keyout', `${name}.key`, '-out', `${name}.crt`];
  openssl(folder, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject]);
}

/**
 * Two authorities in `folder`, `ca.crt` and `other-ca.crt`, and a certificate of the first for the name `localhost`: not for
 * 127.0.0.1, so that a client that checks names can be seen to. Returns the settings with which PostgreSQL uses it.
 */
export function makeCertificates({ folder, account }) {
  makeAuthority(folder, 'ca');
  makeAuthority(folder, 'other-ca');
  const request = ['-subj', '/CN=localhost', '-keyout', 'server.key', '-out', 'server.csr'];
  openssl(folder, ['req', '-newkey', 'rsa:2048', '-nodes', ...request]);
  writeFileSync(join(folder, 'server.ext'), 'subjectAltName=DNS:localhost\n');
  const signer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'server.ext'];
  openssl(folder, ['x509', '-req', '-in', 'server.csr', '-days', DAYS, '-out', 'server.crt', ...signer]);
  if (account.uid !== undefined) chownSync(join(folder, 'server.key'), account.uid, account.gid);
  return ['ssl=on', `ssl_cert_file=${join(folder, 'server.crt')}`, `ssl_key_file=${join(folder, 'server.key')}`];
}
