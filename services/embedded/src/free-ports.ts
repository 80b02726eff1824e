import { createServer } from 'node:net';
import { StartFailure, startFailure, systemCode } from './start-failure.ts';

interface WantedPort {
  /** Name of the setting for this port. */
  readonly setting: string;
  readonly port: number;
}

/** Fails early, before the slow work, when a port is in use. The ports are opened later, so that may still fail. */
export async function ensureFreePorts(host: string, wanted: readonly WantedPort[]): Promise<void> {
  for (const [index, { setting, port }] of wanted.entries()) {
    const twin = wanted.slice(0, index).find((other) => other.port === port);
    if (twin !== undefined)
      throw new StartFailure(`${twin.setting} and ${setting} are both ${port}. Set different ports.`);
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
