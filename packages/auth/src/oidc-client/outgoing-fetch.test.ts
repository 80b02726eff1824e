import { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOutgoingFetch, type LookUpAll, type OutgoingFetch } from './outgoing-fetch.ts';
import { findProblemError } from './provider-problem.ts';

let server: Server;
let port: number;
let connectionCount = 0;
let respond: (response: ServerResponse) => void;
let outgoing: OutgoingFetch | undefined;

beforeAll(async () => {
  server = createServer((_request, response) => respond(response)).listen(0, 'localhost');
  server.on('connection', () => {
    connectionCount += 1;
  });
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  respond = (response) => response.end('{}');
});
afterEach(async () => await outgoing?.[Symbol.asyncDispose]());

/** Answers like the name server of an attacker: with one address of the internet and one of this machine. */
const lookUpAll: LookUpAll = (host, options, callback) => {
  if (host !== 'idp.example.com') lookup(host, options, callback);
  else
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '1.1.1.1', family: 4 },
    ]);
};

const get = (url: string, privateHosts: readonly string[]): Promise<Response> => {
  outgoing = createOutgoingFetch({ privateHosts, lookUpAll });
  return outgoing.fetch(url, { method: 'GET', headers: {} });
};

const refusalOf = async (url: string, privateHosts: readonly string[] = []): Promise<string> => {
  const thrown: unknown = await get(url, privateHosts).then(
    () => undefined,
    (error: unknown) => error,
  );
  return findProblemError(thrown)?.message ?? String(thrown);
};

describe('createOutgoingFetch', () => {
  it('connects to a name with a private address only if the host is listed', async () => {
    connectionCount = 0;
    expect(await refusalOf(`https://idp.example.com:${port}/`)).toContain('SSO_PRIVATE_HOSTS');
    expect(await refusalOf(`https://localhost:${port}/`)).toContain('SSO_PRIVATE_HOSTS');
    expect(await refusalOf(`https://127.0.0.1:${port}/`, ['localhost:*'])).toContain('SSO_PRIVATE_HOSTS');
    expect(await refusalOf(`https://localhost:${port}/`, ['localhost'])).toContain('SSO_PRIVATE_HOSTS');
    expect(await refusalOf(`https://idp.example.com:${port}/`, ['idp.example.com'])).toContain('SSO_PRIVATE_HOSTS');
    expect(connectionCount).toBe(0);
    expect((await get(`http://localhost:${port}/`, ['localhost:*'])).status).toBe(200);
    expect(connectionCount).toBe(1);
  });

  it('rejects http except to a listed loopback host', async () => {
    expect(await refusalOf(`http://localhost:${port}/`)).toContain('is not https');
    expect(await refusalOf('http://idp.example.com/', ['idp.example.com'])).toContain('is not https');
    expect(await refusalOf('ftp://localhost/', ['localhost:*'])).toContain('is not https');
  });

  it('does not follow redirects', async () => {
    respond = (response) => response.writeHead(302, { location: `http://localhost:${port}/` }).end();
    connectionCount = 0;
    expect((await get(`http://localhost:${port}/`, ['localhost:*'])).status).toBe(302);
    expect(connectionCount).toBe(1);
  });

  it('reads at most 1 MiB and rejects compressed responses', async () => {
    respond = (response) => response.end(Buffer.alloc(2 ** 21));
    await expect(
      get(`http://localhost:${port}/`, ['localhost:*']).then((response) => response.text()),
    ).rejects.toThrow();
    respond = (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2 ** 24)));
    await expect(get(`http://localhost:${port}/`, ['localhost:*'])).rejects.toThrow('compressed');
  });
});
