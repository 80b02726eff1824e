import { generateKeyPairSync, pbkdf2Sync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAuthority, makeCertificate } from './certificates.mjs';

/** Accounts of Sluice, one for each tenant. Each may impersonate the users of its tenant. */
const ACCOUNT = 'sluice-acme';
const OTHER_ACCOUNT = 'sluice-globex';
/** Second account of acme, which has no password at first. */
const SECOND_ACCOUNT = 'sluice-acme-b';
const PASSWORD = 'sluice-at-trino';
const ITERATIONS = 1000;
/** Interval at which Trino reads its password file again. */
const REFRESH = '1s';

/**
 * Creates in `folder` the files of a Trino with authentication: its certificate for `localhost` (`server.pem`), signed by `ca.crt`,
 * client certificates of the account by that authority and by another one (`client`, `untrusted`), the key of JWTs (`jwt.key`, whose
 * public key Trino gets), and the passwords of two accounts.
 */
export function makeSecurity(folder) {
  makeAuthority(folder, 'ca');
  makeAuthority(folder, 'other-ca');
  makeCertificate(folder, { name: 'server', subject: 'localhost', hosts: ['localhost'] });
  makeCertificate(folder, { name: 'client', subject: ACCOUNT });
  makeCertificate(folder, { name: 'untrusted', subject: ACCOUNT, authority: 'other-ca' });
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  writeFileSync(join(folder, 'server.pem'), `${read('server.key')}${read('server.crt')}`);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'jwt.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(folder, 'jwt.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  const lines = [ACCOUNT, OTHER_ACCOUNT].map((account) => passwordLine(account, PASSWORD));
  writeFileSync(join(folder, 'passwords'), lines.join(''));
}

/** Returns the line of an account in `passwords`, which Trino reads again a second after a change. */
export function passwordLine(account, password) {
  const salt = randomBytes(16);
  const hash = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha1'); // the only digest that Trino supports
  return `${account}:${ITERATIONS}:${salt.toString('hex')}:${hash.toString('hex')}\n`;
}

/** Returns the settings and further configuration files with which Trino uses the files of `makeSecurity`. */
export function securityOf({ folder, port }) {
  // As docs/operations.md recommends: users are `tenant/name`, and everything without a rule is denied.
  const rules = {
    impersonation: [
      { original_user: ACCOUNT, new_user: 'acme/.*' },
      { original_user: SECOND_ACCOUNT, new_user: 'acme/.*' },
      { original_user: OTHER_ACCOUNT, new_user: 'globex/.*' },
    ],
    catalogs: [
      { user: 'acme/.*', catalog: 'tpch', allow: 'read-only' },
      { user: 'globex/.*', catalog: 'tpcds', allow: 'read-only' },
      { user: '(acme|globex)/.*', catalog: 'system', allow: 'none' },
      { user: '[^/]*', allow: 'read-only' },
    ],
    // A user without the rights of its colleagues to one table.
    tables: [
      { user: 'acme/denied-.*', catalog: 'tpch', schema: 'tiny', table: 'nation', privileges: [] },
      { privileges: ['SELECT', 'INSERT', 'DELETE', 'UPDATE', 'OWNERSHIP'] },
    ],
    queries: [{ allow: ['execute', 'view', 'kill'] }],
  };
  return {
    properties: {
      'http-server.https.enabled': true,
      'http-server.https.port': port,
      'http-server.https.keystore.path': join(folder, 'server.pem'),
      'http-server.https.truststore.path': join(folder, 'ca.crt'),
      // The plain HTTP port stays open for the readiness check of `start`.
      'http-server.authentication.allow-insecure-over-http': true,
      'http-server.authentication.type': 'CERTIFICATE,JWT,PASSWORD',
      'http-server.authentication.certificate.user-mapping.pattern': 'CN=([^,]+).*',
      'http-server.authentication.jwt.key-file': join(folder, 'jwt.pub'),
      'internal-communication.shared-secret': randomBytes(32).toString('base64'),
    },
    files: {
      'password-authenticator.properties': `password-authenticator.name=file\nfile.password-file=${join(folder, 'passwords')}\nfile.refresh-period=${REFRESH}\n`,
      'access-control.properties': `access-control.name=file\nsecurity.config-file=${join(folder, 'rules.json')}\n`,
      '../security/rules.json': JSON.stringify(rules),
    },
  };
}
