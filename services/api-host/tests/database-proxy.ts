import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy extends AsyncDisposable {
  /** The given URL, through the proxy. */
  readonly url: string;
  /** Takes and gives nothing any more, and says nothing: what a stopped server looks like. */
  hang(): void;
  /** Closes every connection and refuses new ones. */
  cut(): void;
  /** Serves again, new connections only. */
  mend(): void;
}

/** Stands between a host and its database, so that a test can take the database away from that host alone. */
export async function createDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let state: 'serving' | 'hanging' | 'cut' = 'serving';
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((incoming) => {
    track(incoming);
    if (state === 'cut') return void incoming.destroy();
    const outgoing = track(connect(Number(target.port), target.hostname));
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (data) => state === 'serving' && to.write(data));
      from.on('close', () => to.destroy());
    };
    pass(incoming, outgoing);
    pass(outgoing, incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    hang() {
      state = 'hanging';
    },
    cut() {
      state = 'cut';
      drop();
    },
    mend() {
      state = 'serving';
      drop();
    },
    async [Symbol.asyncDispose]() {
      drop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
