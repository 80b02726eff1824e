import { until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, post } from '@sluice/testkit/requests';
import type { Source } from './read-transfers.ts';
import { PythonClients } from './third-party-clients.ts';

/** Few are kept warm, because every stop of workers or of a host kills those too. */
export const WORKERS = { WORKERS_MAX: '8', WORKERS_WARM: '2', QUEUE_TIMEOUT: '60s' };

interface StoppableHosts extends AsyncDisposable {
  readonly hosts: TestHosts;
  readonly source: Source;
}

/** Starts hosts whose results are read by third-party clients. */
export async function startStoppableHosts(): Promise<StoppableHosts> {
  const hosts = await startHosts(WORKERS);
  const source = { url: hosts.url, credential: basicOf(hosts.ann), python: new PythonClients() };
  // The first queries open connections and workers. A busy machine may reject one of them, which is not tested here.
  const isServed = async () => {
    const { status } = await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, source.credential);
    return status === 200 ? true : undefined;
  };
  await until(isServed, { what: 'a first response' });
  return {
    hosts,
    source,
    async [Symbol.asyncDispose]() {
      source.python[Symbol.dispose]();
      await hosts[Symbol.asyncDispose]();
    },
  };
}
