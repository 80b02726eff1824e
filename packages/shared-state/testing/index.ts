export { startRedis, type TestRedis } from './start-redis.ts';
