import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { readResult } from '../../testing/read-result.ts';
import { selfSigned } from '../../testing/self-signed.ts';
import type { TrinoProfile } from './protocol/profile.ts';
import { TrinoEngine } from './trino-engine.ts';

const PROFILE: TrinoProfile = {
  baseUrl: 'http://127.0.0.1:1',
  catalogs: ['shop'],
  defaultCatalog: 'shop',
  credentials: { kind: 'none' },
  limits: { retryForMs: 200, answerTimeoutMs: 1_000 },
};

async function read(profile: Partial<TrinoProfile>): Promise<unknown> {
  await using engine = new TrinoEngine({ ...PROFILE, ...profile });
  return await readResult(engine, 'SELECT 1', { format: { name: 'json' } });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

const unavailableWith = (sentence: string): object => ({
  code: 'engine_unavailable',
  message: expect.stringContaining(sentence),
});

describe('an address that is not Trino’s is reported in a message without a host', () => {
  it('of no server', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    server.close();
    await expect(read({ baseUrl: `http://127.0.0.1:${port}` })).rejects.toMatchObject(
      unavailableWith('refuses the connection'),
    );
  });

  it('that has no host', async () => {
    await expect(read({ baseUrl: 'http://trino.invalid:8080' })).rejects.toMatchObject(
      unavailableWith('cannot be reached'),
    );
  });

  it('of another HTTP server', async () => {
    const server = createHttpServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    const baseUrl = `http://127.0.0.1:${await listen(server)}`;
    await expect(read({ baseUrl })).rejects.toMatchObject(unavailableWith('is not Trino'));
    server.closeAllConnections();
    server.close();
  });

  it('where another protocol than HTTP is spoken', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    const baseUrl = `http://127.0.0.1:${await listen(server)}`;
    await expect(read({ baseUrl })).rejects.toMatchObject(unavailableWith('does not speak HTTP'));
    server.close();
  });

  it('of a server that does not respond', async () => {
    const server = createTcpServer();
    const baseUrl = `http://127.0.0.1:${await listen(server)}`;
    await expect(read({ baseUrl })).rejects.toMatchObject(unavailableWith('does not respond'));
    server.close();
  });

  it('that speaks plain HTTP although https was configured', async () => {
    const server = createHttpServer((_, response) => response.end());
    const baseUrl = `https://127.0.0.1:${await listen(server)}`;
    await expect(read({ baseUrl })).rejects.toMatchObject(unavailableWith('cannot agree on TLS'));
    server.closeAllConnections();
    server.close();
  });
});

describe('an invalid profile is rejected immediately', () => {
  it.each(['trino', 'ftp://trino', 'http://trino/path', 'https://user:secret@trino', 'http://trino?x=1', ''])(
    '%j',
    (baseUrl) => {
      expect(() => new TrinoEngine({ ...PROFILE, baseUrl })).toThrow('The address of Trino');
    },
  );

  it('with a secret that would be sent unprotected', () => {
    const credentials = { kind: 'jwt', token: 'x' } as const;
    expect(() => new TrinoEngine({ ...PROFILE, baseUrl: 'http://trino.example', credentials })).toThrow(
      'over https:// only',
    );
  });
});

describe('over TLS', () => {
  const server = selfSigned('trino');
  const client = selfSigned('sluice-service');

  async function withServer(
    options: ServerOptions,
    use: (baseUrl: string, seen: string[]) => Promise<void>,
  ): Promise<void> {
    const seen: string[] = [];
    const listener = createHttpsServer(
      { key: server.key, cert: server.certificate, ...options },
      (request, response) => {
        seen.push(
          String(
            (request.socket as { getPeerCertificate?: () => { subject?: { CN?: string } } }).getPeerCertificate?.()
              .subject?.CN,
          ),
        );
        const body = JSON.stringify({ nodeVersion: { version: '300' } });
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      },
    );
    try {
      await use(`https://127.0.0.1:${await listen(listener)}`, seen);
    } finally {
      listener.closeAllConnections();
      listener.close();
    }
  }

  it('an unknown authority is rejected', () =>
    withServer({}, async (baseUrl, seen) => {
      await expect(read({ baseUrl })).rejects.toMatchObject(unavailableWith('certificate of Trino is not trusted'));
      expect(seen).toEqual([]);
    }));

  it('the configured authority is trusted', () =>
    withServer({}, async (baseUrl, seen) => {
      await expect(read({ baseUrl, authority: server.certificate })).rejects.toMatchObject(unavailableWith('too old'));
      expect(seen).toHaveLength(1);
    }));

  it('a client certificate is sent', () =>
    withServer({ requestCert: true, ca: client.certificate, rejectUnauthorized: true }, async (baseUrl, seen) => {
      const credentials = { kind: 'certificate', ...client } as const;
      await expect(read({ baseUrl, authority: server.certificate, credentials })).rejects.toMatchObject(
        unavailableWith('too old'),
      );
      expect(seen).toEqual(['sluice-service']);
      await expect(read({ baseUrl, authority: server.certificate })).rejects.toMatchObject({
        code: 'engine_unavailable',
      });
    }));
});
