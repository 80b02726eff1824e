import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { selfSigned } from '@sluice/engine/testing';

/** Proxy with a certificate for 127.0.0.1, because JDBC, the command line and Python send no password without TLS. */
export interface TlsProxy extends AsyncDisposable {
  readonly url: string;
  /** Path of its certificate, which clients trust. */
  readonly authority: string;
}

function forward(target: string, incoming: IncomingMessage, response: ServerResponse): void {
  const headers = { ...incoming.headers, 'x-forwarded-proto': 'https' };
  const outgoing = request(new URL(incoming.url ?? '/', target), { method: incoming.method ?? 'GET', headers });
  outgoing.on('response', (received) => {
    response.writeHead(received.statusCode ?? 502, received.headers);
    received.pipe(response);
    received.on('error', () => response.destroy());
  });
  outgoing.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

/**
 * Starts a proxy in front of servers, which get the requests in turn. It keeps the host name of the request, so addresses in answers lead to
 * the proxy. A server that is down is 502.
 */
export async function startTlsProxy(targets: readonly [string, ...string[]], folder: string): Promise<TlsProxy> {
  const { certificate, key } = selfSigned('127.0.0.1');
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, certificate);
  let turn = 0;
  const server = createServer({ cert: certificate, key }, (incoming, response) => {
    turn += 1;
    forward(targets[turn % targets.length] ?? targets[0], incoming, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authority,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
