export { createRedisFixture, type RedisFixture, untilOpen } from './redis-fixture.ts';
export { describeSharedState } from './shared-state-contract.ts';
export { startRedis, type TestRedis, type TestRedisOptions } from './start-redis.ts';
export type { StateFixture } from './state-fixture.ts';
