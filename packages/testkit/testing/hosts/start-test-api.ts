import { randomBytes } from 'node:crypto';
import { type ApiHostOverrides, startApiHost } from '@sluice/api-host';
import type { RunningHost } from '@sluice/host-runtime';
import { createLogger, type Logger } from '@sluice/observability';
import { expectDocumentedMetadata, type TestDatabase } from '@sluice/testkit';

/** Settings of all hosts of a test. */
export const HOST_SETTINGS = {
  LISTEN_HOST: '127.0.0.1',
  ISSUER_TEMPLATE: 'https://{tenant}.issuer.test',
  DEFAULT_TENANT: 'acme',
  DRAIN_DELAY: '0',
} as const;

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
  readonly environment: Record<string, string>;
}

/** Starts an API host on a free port with a master key of its own. */
export async function startTestApi(
  { apiUrl }: TestDatabase,
  settings: Readonly<Record<string, string>>,
  overrides: ApiHostOverrides,
): Promise<TestApi> {
  const environment = {
    ...HOST_SETTINGS,
    API_PORT: '0',
    DATABASE_URL: apiUrl,
    SLUICE_MASTER_KEY: randomBytes(32).toString('base64'),
    ...settings,
  };
  const host = await startApiHost({ environment, overrides: { passwordCosts: PASSWORD_COSTS, ...overrides } });
  return { host, environment };
}

/** Drops the database of stopped hosts. Rejects if their audit records have metadata that the docs lack. */
export const dropTestDatabase = (testDatabase: TestDatabase): Promise<void> =>
  expectDocumentedMetadata(testDatabase.superuserUrl).finally(() => testDatabase.dispose());
