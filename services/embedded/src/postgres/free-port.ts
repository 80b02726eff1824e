import { createServer } from 'node:net';

/** A TCP port of the loopback that nobody listens on at this moment; the caller must still be ready to lose the race for it. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('The system gave no port.'));
        else resolve(address.port);
      });
    });
  });
}
