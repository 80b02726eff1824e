import { type CuttingProxy, reservePort, startCuttingProxy } from '@sluice/testkit';
import { startHosts, TESTED_ENGINE, type TestedEngine, type TestHosts } from '@sluice/testkit/hosts';

/** Both hosts with the console, and a proxy that can damage what the stream host sends. */
export interface ConsoleHosts extends AsyncDisposable {
  readonly hosts: TestHosts;
  /** Proxy between the pages and the stream host. */
  readonly stream: CuttingProxy;
  /** Address of the console. */
  readonly url: string;
}

/**
 * Starts both hosts for the tests of one file. The pages reach the stream host through the proxy; tests reach it at `hosts.url`.
 * @param settings - further settings of both hosts
 * @param engine - engine of both hosts
 */
export async function startConsoleHosts(
  settings: Readonly<Record<string, string>> = {},
  engine: TestedEngine = TESTED_ENGINE,
): Promise<ConsoleHosts> {
  const streamPort = await reservePort();
  const stream = await startCuttingProxy(`http://127.0.0.1:${streamPort}`);
  const shared = { ALLOW_LOOPBACK_ORIGINS: 'true', ...settings };
  const hosts = await startHosts(
    { ...shared, STREAM_PORT: String(streamPort) },
    { engine, isHarvested: true, apiSettings: { ...shared, STREAM_PUBLIC_URL: stream.url } },
  );
  return {
    hosts,
    stream,
    url: `${hosts.api.url}/console/`,
    async [Symbol.asyncDispose]() {
      await stream[Symbol.asyncDispose]();
      await hosts[Symbol.asyncDispose]();
    },
  };
}
