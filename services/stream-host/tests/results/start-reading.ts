import { basicOf } from '../client/requests.ts';
import { startHosts } from '../hosts/start-hosts.ts';
import type { TestedEngine } from '../hosts/tested-engine.ts';
import { PythonReader } from './foreign-readers.ts';
import type { Reading } from './read-formats.ts';

/** Hosts of their own, and an analyst who reads results there with foreign readers. On the engine under test, unless one is named. */
export async function startReading(engine?: TestedEngine): Promise<Reading & AsyncDisposable> {
  const hosts = await startHosts({}, engine);
  const python = new PythonReader();
  return {
    url: hosts.url,
    credential: basicOf(hosts.ann),
    python,
    async [Symbol.asyncDispose]() {
      python[Symbol.dispose]();
      await hosts[Symbol.asyncDispose]();
    },
  };
}
