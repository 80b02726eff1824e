import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeServerIdentity, type ServerIdentity } from './self-signed-certificate.ts';
import { ensureServerIdentity } from './server-identity.ts';

const DAY_MS = 86_400_000;
/** Certificates have whole seconds. */
const NOW_MS = Math.floor(Date.now() / 1000) * 1000;

/** Returns whether a client that trusts `trusted` completes a handshake with a server of `identity`, under this name. */
async function isAccepted(identity: ServerIdentity, trusted: string, servername: string): Promise<boolean> {
  const server = createServer({ key: identity.key, cert: identity.certificate }, (socket) => socket.end());
  server.on('tlsClientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const options = servername === '127.0.0.1' ? {} : { servername };
  const socket = connect({ host: '127.0.0.1', port, ca: trusted, ...options });
  try {
    await once(socket, 'secureConnect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
    server.close();
  }
}

describe('makeServerIdentity', () => {
  const identity = makeServerIdentity(Date.now());
  const read = new X509Certificate(identity.certificate);

  it('makes a certificate of this computer that no other certificate can be signed with', () => {
    expect(read.subject).toBe('CN=Sluice on this computer');
    expect(read.issuer).toBe(read.subject);
    expect(read.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect([read.ca, read.keyUsage]).toEqual([false, ['1.3.6.1.5.5.7.3.1']]);
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  });

  it('is accepted by a client that trusts it, for the names of this computer alone', async () => {
    expect(await isAccepted(identity, identity.certificate, 'localhost')).toBe(true);
    expect(await isAccepted(identity, identity.certificate, '127.0.0.1')).toBe(true);
    expect(await isAccepted(identity, identity.certificate, 'sluice.example')).toBe(false);
    expect(await isAccepted(identity, makeServerIdentity(Date.now()).certificate, 'localhost')).toBe(false);
  });

  it('is valid from the day before for 800 days, also beyond 2049', () => {
    for (const nowMs of [NOW_MS, Date.parse('2049-06-01T00:00:00Z')]) {
      const { validFrom, validTo } = new X509Certificate(makeServerIdentity(nowMs).certificate);
      expect(Date.parse(validFrom)).toBe(nowMs - DAY_MS);
      expect(Date.parse(validTo)).toBe(nowMs + 800 * DAY_MS);
    }
  });

  it('has another key and another serial number each time', () => {
    const made = Array.from({ length: 50 }, () => new X509Certificate(makeServerIdentity(NOW_MS).certificate));
    expect(new Set(made.map(({ serialNumber }) => serialNumber)).size).toBe(50);
    expect(new Set(made.map(({ fingerprint256 }) => fingerprint256)).size).toBe(50);
    for (const { serialNumber } of made) expect(serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
  });
});

describe('ensureServerIdentity', () => {
  let folder: string;
  const home = { path: (name: string) => join(folder, name) };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-tls-'));
  });
  afterAll(async () => await rm(folder, { recursive: true, force: true }));

  it('makes key and certificate once, the key readable by its owner only', async () => {
    const first = await ensureServerIdentity(home, NOW_MS);
    expect((await stat(home.path('tls.key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(first.certificatePath, 'utf8')).toBe(first.certificate);
    expect(await ensureServerIdentity(home, NOW_MS + 300 * DAY_MS)).toEqual(first);
  });

  it('makes new ones when half of the time is over, and before their time', async () => {
    const first = await ensureServerIdentity(home, NOW_MS);
    const renewed = await ensureServerIdentity(home, NOW_MS + 401 * DAY_MS);
    expect(renewed.certificate).not.toBe(first.certificate);
    expect((await ensureServerIdentity(home, NOW_MS)).certificate).not.toBe(renewed.certificate);
  });

  it.each([
    ['another key', 'tls.key', makeServerIdentity(NOW_MS).key],
    ['another certificate', 'tls.pem', makeServerIdentity(NOW_MS).certificate],
    ['an empty key', 'tls.key', ''],
    ['a text', 'tls.pem', 'no certificate'],
  ])('makes new ones for a home with %s', async (_name, file, content) => {
    await ensureServerIdentity(home, NOW_MS);
    await writeFile(home.path(file), content);
    const { key, certificate } = await ensureServerIdentity(home, NOW_MS);
    expect(await isAccepted({ key, certificate }, certificate, 'localhost')).toBe(true);
    expect(await readFile(home.path('tls.key'), 'utf8')).toBe(key);
  });

  it('makes the missing one of the two again', async () => {
    const { key, certificatePath } = await ensureServerIdentity(home, NOW_MS);
    await rm(certificatePath);
    expect((await ensureServerIdentity(home, NOW_MS)).key).not.toBe(key);
  });
});
