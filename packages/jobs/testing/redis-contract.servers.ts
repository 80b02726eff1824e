import { startRedis } from '@sluice/shared-state/testing';
import { createDatabaseProxy } from '@sluice/testkit';
import { openRedisJobs } from '../src/index.ts';
import { describeJobs } from './job-queue-contract.ts';

// Run by `npm run test:redis`, which installs Redis; `npm test` needs no server.
describeJobs('jobs in Redis', async () => {
  const redis = await startRedis({ args: ['--maxmemory-policy', 'noeviction'] });
  const proxies: AsyncDisposable[] = [];
  const prefix = 'test:';
  return {
    open: (options) => openRedisJobs({ url: redis.url, prefix, ...options }),
    openDisconnectable: async (options) => {
      // The proxy forwards bytes, so it works for Redis too.
      const proxy = await createDatabaseProxy(redis.url);
      proxies.push(proxy);
      return {
        queue: openRedisJobs({ url: proxy.url, prefix, ...options }),
        disconnect: () => proxy.cut(),
        reconnect: () => proxy.restore(),
      };
    },
    async [Symbol.asyncDispose]() {
      for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
    },
  };
});
