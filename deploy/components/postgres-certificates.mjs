import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { makeAuthority, makeCertificate } from './certificates.mjs';

/**
 * Creates two authorities in `folder`, `ca.crt` and `other-ca.crt`, and a certificate of the first for the name `localhost`. The
 * certificate is not valid for 127.0.0.1, so that tests can show that a client verifies names. Returns the settings for PostgreSQL.
 */
export function makeCertificates({ folder, account }) {
  makeAuthority(folder, 'ca');
  makeAuthority(folder, 'other-ca');
  makeCertificate(folder, { name: 'server', subject: 'localhost', hosts: ['localhost'] });
  if (account.uid !== undefined) chownSync(join(folder, 'server.key'), account.uid, account.gid);
  return ['ssl=on', `ssl_cert_file=${join(folder, 'server.crt')}`, `ssl_key_file=${join(folder, 'server.key')}`];
}
