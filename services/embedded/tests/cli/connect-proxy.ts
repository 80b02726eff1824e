import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** Behaviour of a proxy: it forwards requests, closes their connections, is silent, or wants a user name and password. */
type ProxyMode = 'forward' | 'close' | 'hang' | 'ann:p@ss';

/** HTTP proxy on the way from a program to a host. */
export interface ConnectProxy extends AsyncDisposable {
  readonly url: string;
  /** Requests that arrived: the method, and the host and port. */
  readonly seen: readonly string[];
}

/** Starts a proxy that forwards requests of the absolute form, and tunnels by CONNECT. */
export async function startConnectProxy(mode: ProxyMode): Promise<ConnectProxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const isAllowed = (authorization: string | undefined): boolean =>
    !mode.includes(':') || authorization === `Basic ${Buffer.from(mode).toString('base64')}`;

  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '');
    seen.push(`${incoming.method} ${url.host}`);
    const { 'proxy-authorization': authorization, ...headers } = incoming.headers;
    if (mode === 'close') incoming.socket.destroy();
    if (mode === 'close' || mode === 'hang') return;
    if (!isAllowed(authorization)) return void response.writeHead(407).end();
    const outgoing = request(url, { method: incoming.method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      response.flushHeaders();
      received.pipe(response);
      received.on('error', () => response.destroy());
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  });
  server.on('connect', (incoming, client: Socket) => {
    const [host = '', port] = (incoming.url ?? '').split(':');
    seen.push(`CONNECT ${incoming.url}`);
    if (mode === 'close') client.destroy();
    if (mode === 'close' || mode === 'hang') return;
    if (!isAllowed(incoming.headers['proxy-authorization']))
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    const upstream = connect(Number(port), host, () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    client.pipe(upstream).pipe(client);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
