import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A stable address in front of hosts that are replaced. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Sends new connections to these hosts in turn. Open connections stay where they are. */
  pointTo(...urls: readonly string[]): void;
}

/** Forwards TCP connections, as a Service of Kubernetes does. */
export async function startBalancer(): Promise<Balancer> {
  let targets: readonly URL[] = [];
  let turn = 0;
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((incoming) => {
    track(incoming);
    turn += 1;
    const target = targets[turn % targets.length];
    if (target === undefined) return void incoming.destroy();
    const outgoing = track(connect(Number(target.port), target.hostname));
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on('close', () => outgoing.destroy());
    outgoing.on('close', () => incoming.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pointTo(...urls) {
      targets = urls.map((url) => new URL(url));
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
