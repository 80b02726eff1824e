import { createRedisFixture } from './redis-fixture.ts';
import { describeSharedState } from './shared-state-contract.ts';

// Run by `npm run test:redis`, which installs Redis; `npm test` needs no server.
describeSharedState('Redis', createRedisFixture);
