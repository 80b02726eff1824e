import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy before an HTTP server that derives its own addresses from the Host header; it sees every request line. */
export interface RequestCounter extends AsyncDisposable {
  readonly url: string;
  /** Returns how many requests so far had a line that matches, as in `GET /v1/spooled/download/...`. */
  count(line: RegExp): number;
}

const REQUEST_LINE = /^(?:GET|POST|HEAD|DELETE|PUT) \S+(?= HTTP\/1\.1\r?$)/gm;

export async function startRequestCounter(targetUrl: string): Promise<RequestCounter> {
  const { hostname, port } = new URL(targetUrl);
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.on('data', (data) => lines.push(...(data.toString('latin1').match(REQUEST_LINE) ?? [])));
    client.pipe(target).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (line) => lines.filter((seen) => line.test(seen)).length,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
