import { type ApiHostOverrides, startApiHost } from '@sluice/api-host';
import type { RunningHost } from '@sluice/host-runtime';
import { createLogger, type Logger } from '@sluice/observability';
import { expectDocumentedMetadata, type TestDatabase } from '@sluice/testkit';
import { apiEnvironment, type Settings } from './host-environment.ts';

/** Low cost of a hash, because a test may log in a hundred times. */
export const PASSWORD_COSTS = { memoryKib: 64, passes: 1 };

export interface TestLog {
  readonly log: Logger;
  /** Every line that was logged. */
  readonly lines: string[];
}

export function createTestLog(): TestLog {
  const lines: string[] = [];
  const log = createLogger({ service: 'test', level: 'debug', destination: { write: (line) => lines.push(line) } });
  return { log, lines };
}

export interface TestApi {
  readonly host: RunningHost;
  /** Environment of the host, to start another one. */
  readonly environment: Settings;
}

/** Starts an API host. Its password hashes are cheap, unless `overrides` has other costs. */
export async function startTestApi(
  { apiUrl }: Pick<TestDatabase, 'apiUrl'>,
  settings: Settings,
  overrides: ApiHostOverrides,
): Promise<TestApi> {
  const environment = apiEnvironment(apiUrl, settings);
  const host = await startApiHost({ environment, overrides: { passwordCosts: PASSWORD_COSTS, ...overrides } });
  return { host, environment };
}

/** Drops the database of stopped hosts. Rejects if their audit records have metadata that the docs lack. */
export const dropTestDatabase = (testDatabase: TestDatabase): Promise<void> =>
  expectDocumentedMetadata(testDatabase.superuserUrl).finally(() => testDatabase.dispose());
