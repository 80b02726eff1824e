/** The Service of a host inside the cluster. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Starts a Service at an address: its connections reach the endpoints in turn, as with kube-proxy. The caller changes the set. */
export async function startService(address, port, endpoints) {
  let count = 0;
  const sockets = new Set();
  const server = createServer((socket) => {
    const list = [...endpoints];
    if (list.length === 0) return socket.destroy();
    count += 1;
    const [host, hostPort] = list[count % list.length].split(':');
    const upstream = connect({ host, port: Number(hostPort) });
    join(socket, upstream);
    join(upstream, socket);
  });

  function join(socket, other) {
    sockets.add(socket);
    socket.pipe(other);
    socket.once('error', () => other.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }

  server.listen(port, address);
  await once(server, 'listening');
  return {
    address,
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
