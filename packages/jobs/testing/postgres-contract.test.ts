import { expect, it } from '@jest/globals';
import { createDatabaseProxy, createTestDatabase, runScript } from '@sluice/testkit';
import { openPostgresJobs } from '../src/index.ts';
import { describeJobs } from './job-queue-contract.ts';

describeJobs('jobs in PostgreSQL', async () => {
  const database = await createTestDatabase();
  const proxies: AsyncDisposable[] = [];
  return {
    open: (options) => openPostgresJobs({ url: database.apiUrl, ...options }),
    openDisconnectable: async (options) => {
      const proxy = await createDatabaseProxy(database.apiUrl);
      proxies.push(proxy);
      return {
        queue: openPostgresJobs({ url: proxy.url, ...options }),
        disconnect: () => proxy.cut(),
        reconnect: () => proxy.restore(),
      };
    },
    async [Symbol.asyncDispose]() {
      for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
      await database.dispose();
    },
  };
});

/** Runs in a separate process, because Jest hides the warnings of Node.js. */
const UNREACHABLE = `
import { openPostgresJobs } from '${new URL('../src/index.ts', import.meta.url)}';
const queue = openPostgresJobs({
  url: 'postgres://nobody@127.0.0.1:9/nothing',
  handlers: {},
  concurrency: 1,
  onWarning: (message) => console.log(message),
});
// More attempts, one a second, than Node allows listeners of one kind.
setTimeout(() => queue[Symbol.asyncDispose](), 7_000);
`;

it('leaves no listeners behind after failed attempts to reach PostgreSQL', async () => {
  const { stdout, stderr } = await runScript(UNREACHABLE);
  expect({ stdout, stderr }).toEqual({ stdout: 'The job queue is unavailable.\n', stderr: '' });
});
