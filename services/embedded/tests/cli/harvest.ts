import { until } from '@sluice/testkit';
import type { CliHosts } from './cli-hosts.ts';
import { runInProcess } from './run-in-process.ts';

/** Harvests the engine, so that its tables are in the catalog. */
export async function harvest(cli: CliHosts): Promise<void> {
  const env = await cli.environmentOf(['admin']);
  await runInProcess(['api', 'POST', '/admin/harvest'], env);
  const isHarvested = async (): Promise<true | undefined> =>
    /"table_count":[1-9]/.test((await runInProcess(['catalog', 'list', '--json'], env)).stdout) || undefined;
  await until(isHarvested, { what: 'the catalog' });
}
