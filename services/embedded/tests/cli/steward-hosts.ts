import { join } from 'node:path';
import { type CuttingProxy, startCuttingProxy, until } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { runInProcess } from './run-in-process.ts';

type Env = Readonly<Record<string, string>>;

/** Both hosts with a catalog, and a steward who describes it. */
export interface StewardHosts extends AsyncDisposable {
  readonly cli: CliHosts;
  readonly steward: Env;
  /** Proxy before the API host. */
  readonly proxy: CuttingProxy;
  /** The steward's environment with the proxy as API host. */
  readonly throughProxy: Env;
  /** Path of a file in the home folder. */
  readonly path: (name: string) => string;
}

async function harvest(cli: CliHosts): Promise<void> {
  const env = await cli.environmentOf(['admin']);
  await runInProcess(['api', 'POST', '/admin/harvest'], env);
  const isHarvested = async (): Promise<true | undefined> =>
    (await runInProcess(['catalog', 'show', 'shop.main.numbers'], env)).exitCode === 0 || undefined;
  await until(isHarvested, { what: 'the catalog' });
}

/** Starts both hosts, and waits until the tested tables are in the catalog. */
export async function startStewardHosts(): Promise<StewardHosts> {
  const cli = await startCliHosts();
  const proxy = await startCuttingProxy(cli.hosts.api.url);
  await harvest(cli);
  const steward = await cli.environmentOf(['steward']);
  return {
    cli,
    steward,
    proxy,
    throughProxy: { ...steward, SLUICE_API_URL: proxy.url },
    path: (name) => join(cli.home, name),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await cli[Symbol.asyncDispose]();
    },
  };
}
