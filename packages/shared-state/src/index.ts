export type { ExpiringValues } from './expiring-values.ts';
export { fairOrder, type HeldSlots, type Requester } from './fair-order.ts';
export { createInProcessState } from './in-process/create-in-process-state.ts';
export type { OneTimeValue, OneTimeValues } from './one-time-values.ts';
export type { AcquireResult, EnqueueResult, QuerySlots, SlotLimits, SlotRequest } from './query-slots.ts';
export { checkRedisLogin } from './redis/check-redis-login.ts';
export { openRedisState } from './redis/open-redis-state.ts';
export type { SharedState } from './shared-state.ts';
