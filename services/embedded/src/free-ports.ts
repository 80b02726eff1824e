import { createServer } from 'node:net';
import { StartFailure, startFailure, systemCode } from './start-failure.ts';

export interface WantedPort {
  /** The setting that chooses it. */
  readonly setting: string;
  readonly port: number;
}

/** Refuses before the slow work what would fail after it. The ports are taken later, so that may still fail. */
export async function ensureFreePorts(host: string, wanted: readonly WantedPort[]): Promise<void> {
  for (const [index, { setting, port }] of wanted.entries()) {
    const twin = wanted.slice(0, index).find((other) => other.port === port);
    if (twin !== undefined)
      throw new StartFailure(`${twin.setting} and ${setting} are both ${port}: give each its own.`);
  }
  for (const port of wanted) await ensureFreePort(host, port);
}

const ensureFreePort = async (host: string, { setting, port }: WantedPort): Promise<void> => {
  try {
    await openAndClose(host, port);
  } catch (thrown) {
    if (systemCode(thrown) === 'EADDRINUSE') {
      throw new StartFailure(
        `Port ${port} is in use by another program. Stop that program, or choose another port with ${setting}.`,
        thrown,
      );
    }
    throw startFailure(`Port ${port} (${setting}) cannot be opened`, thrown);
  }
};

const openAndClose = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
