export type { ExpiringValues } from './expiring-values.ts';
export { createInProcessState } from './in-process/create-in-process-state.ts';
export type { Claim, ClaimLimits, Places, QueueAnswer, TakeAnswer } from './places.ts';
export { openRedisState, type RedisStateOptions } from './redis/open-redis-state.ts';
export type { SharedState } from './shared-state.ts';
