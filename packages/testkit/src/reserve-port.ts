import { randomInt } from 'node:crypto';
import { createServer, type ListenOptions } from 'node:net';

/**
 * Ports that the system gives to no connection and to no listener on port 0, because they are below its range (Linux: 32768, macOS: 49152).
 * So only a test that reserves one of them gets it. The servers of components have fixed ports from 26000.
 */
const RESERVABLE = { first: 20_000, count: 6_000 };
const ATTEMPTS_MAX = 1_000;

/** Listens, and returns whether that was possible. Does not keep the process alive. */
const listens = (options: ListenOptions, until: 'closed at once' | 'end of the process'): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().unref();
    server.once('error', () => resolve(false));
    server.listen(options, () => {
      if (until === 'closed at once') server.close(() => resolve(true));
      else resolve(true);
    });
  });

/**
 * Reserves a free TCP port of the loopback for a program that is started later, or for an address where none listens. A socket in the
 * abstract namespace of Linux, named after the port, keeps other test processes from reserving it until this process ends.
 */
export async function reservePort({ first, count } = RESERVABLE): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = first + randomInt(count);
    const lock = { path: `\0sluice-test-port-${port}` };
    const isReserved = process.platform !== 'linux' || (await listens(lock, 'end of the process'));
    if (isReserved && (await listens({ port, host: '127.0.0.1' }, 'closed at once'))) return port;
  }
  throw new Error(`All ports from ${first} to ${first + count - 1} are in use.`);
}
