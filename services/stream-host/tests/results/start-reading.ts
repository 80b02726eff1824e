import { startHosts, type TestedEngine } from '@sluice/testkit/hosts';
import { basicOf } from '@sluice/testkit/requests';
import type { Reading } from './read-formats.ts';
import { PythonParser } from './third-party-parsers.ts';

/** Starts hosts and a third-party parser for an analyst. The default engine is the tested one. */
export async function startReading(engine?: TestedEngine): Promise<Reading & AsyncDisposable> {
  const hosts = await startHosts({}, { engine });
  const python = new PythonParser();
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
