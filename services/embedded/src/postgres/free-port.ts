import { createServer } from 'node:net';

/** Finds a free TCP port of the loopback. Another program may take it before the caller does. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('The system returned no port.'));
        else resolve(address.port);
      });
    });
  });
}
