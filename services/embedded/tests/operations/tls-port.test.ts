import { once } from 'node:events';
import { type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/observability';
import { type StreamHost, startStreamHost } from '@sluice/stream-host';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf } from '@sluice/testkit/requests';
import { makeServerIdentity } from '../../src/home/self-signed-certificate.ts';

const { key, certificate } = makeServerIdentity(Date.now());
let hosts: TestHosts;
beforeAll(async () => {
  hosts = await startHosts({ ALLOW_LOOPBACK_ORIGINS: 'true' });
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const unavailable: string[] = [];
/** Starts another stream host that listens with TLS too. */
const startSecure = (port = 0): Promise<StreamHost> =>
  startStreamHost({
    environment: { ...hosts.environment, STREAM_PORT: '0' },
    overrides: {
      log: createLogger({ service: 'test', level: 'silent' }),
      secure: { port, key, certificate, onUnavailable: (sentence) => unavailable.push(sentence) },
    },
  });

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const get = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? request : requestPlain;
    const sent = send(url, { ca: certificate, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject).end();
  });

describe('a second port with TLS', () => {
  it('serves the paths of the host, under https addresses, without HSTS for localhost', async () => {
    await using host = await startSecure();
    const url = `https://localhost:${host.securePort}`;
    const { status, body } = await get(`${url}/.well-known/oauth-protected-resource`);
    expect([status, JSON.parse(body).resource]).toEqual([200, url]);
    const me = await get(`${url}/me`, { ...basicOf(hosts.ann) });
    expect([me.status, JSON.parse(me.body).user]).toEqual([200, hosts.ann.email]);
    expect(me.headers['strict-transport-security']).toBeUndefined();
    const byAddress = await get(`https://127.0.0.1:${host.securePort}/health`);
    expect(byAddress.status).toBe(200);
    expect((await get(`${host.url}/health`)).status).toBe(200);
  });

  it('is left out with one sentence if it is in use', async () => {
    const taken = createServer();
    await once(taken.listen(0, '127.0.0.1'), 'listening');
    const { port } = taken.address() as AddressInfo;
    await using host = await startSecure(port);
    expect(host.securePort).toBeUndefined();
    expect(unavailable.splice(0)).toEqual([
      `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or choose another port.`,
    ]);
    expect((await get(`${host.url}/health`)).status).toBe(200);
    taken.close();
  });

  it('answers nothing without TLS, and goes on', async () => {
    await using host = await startSecure();
    await expect(get(`http://127.0.0.1:${host.securePort}/health`)).rejects.toThrow();
    expect((await get(`https://localhost:${host.securePort}/health`)).status).toBe(200);
  });

  it('ends with the host, also below a client that has not begun TLS', async () => {
    const host = await startSecure();
    const { securePort = 0 } = host;
    const silent = connect(securePort, '127.0.0.1');
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    const closed = once(silent, 'close');
    await host[Symbol.asyncDispose]();
    await closed;
    await expect(get(`https://localhost:${securePort}/health`)).rejects.toThrow(/ECONNREFUSED/);
  });
});
