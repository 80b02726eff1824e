import { type ChildHost, startChildHost } from '../hosts/child-host.ts';
import { startTestHost, type TestHost } from '../hosts/start-test-host.ts';
import { seedTables } from './bulk-tables.ts';
import { type LoggedIn, logInAs } from './catalog-seed.ts';

/** A child process as the only API host of a database, so that it alone works on imports. */
export interface ImportHost extends AsyncDisposable {
  readonly test: Pick<TestHost, 'rows'>;
  readonly steward: LoggedIn;
  readonly child: ChildHost;
  /** Kills the child without a chance to clean up, and starts another. */
  restart(): Promise<void>;
}

/** Starts an API host on a database with the tables `demo.vega.t0`, `demo.vega.t1`, ... of the steward's tenant. */
export async function startImportHost(
  tables: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ImportHost> {
  const test = await startTestHost();
  const steward = await logInAs(test, ['steward'], test.acme);
  await seedTables(test, test.acme, tables);
  await test.host[Symbol.asyncDispose]();
  let child = await startChildHost(test, settings);
  return {
    test,
    steward,
    get child() {
      return child;
    },
    async restart() {
      await child.kill();
      child = await startChildHost(test, settings);
    },
    async [Symbol.asyncDispose]() {
      await child.kill();
      await test[Symbol.asyncDispose]();
    },
  };
}
