import { createDatabaseProxy, createTestDatabase } from '@sluice/testkit';
import { openPostgresJobs } from '../src/index.ts';
import { describeJobs } from './job-queue-contract.ts';

describeJobs('jobs in PostgreSQL', async () => {
  const database = await createTestDatabase();
  const proxies: AsyncDisposable[] = [];
  return {
    open: (options) => openPostgresJobs({ url: database.apiUrl, ...options }),
    openDoomed: async (options) => {
      const proxy = await createDatabaseProxy(database.apiUrl);
      proxies.push(proxy);
      return {
        queue: openPostgresJobs({ url: proxy.url, ...options }),
        doom: () => proxy.cut(),
        mend: () => proxy.mend(),
      };
    },
    async [Symbol.asyncDispose]() {
      for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
      await database.dispose();
    },
  };
});
