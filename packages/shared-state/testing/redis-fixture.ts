import { until } from '@sluice/testkit';
import { openRedisState, type SharedState } from '../src/index.ts';
import { startRedis, type TestRedis } from './start-redis.ts';
import type { StateFixture } from './state-fixture.ts';

export interface RedisFixture extends StateFixture {
  readonly redis: TestRedis;
  /** Opens one more host, by another address of the same Redis. */
  openThrough(url: string): Promise<SharedState>;
  /** All messages that the hosts would log. */
  readonly warnings: string[];
}

export const untilOpen = (state: SharedState): Promise<true> =>
  until(
    () =>
      state.check().then(
        (): true => true,
        () => undefined,
      ),
    { what: 'the shared state' },
  );

export async function createRedisFixture(): Promise<RedisFixture> {
  const redis = await startRedis();
  const opened: SharedState[] = [];
  const warnings: string[] = [];
  const openThrough = async (url: string): Promise<SharedState> => {
    const name = `host-${opened.length}`;
    const state = openRedisState({ url, prefix: 'test:', name, onWarning: (message) => void warnings.push(message) });
    opened.push(state);
    await untilOpen(state);
    return state;
  };
  return {
    redis,
    warnings,
    openThrough,
    open: () => openThrough(redis.url),
    async [Symbol.asyncDispose]() {
      for (const state of opened) await state[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
    },
  };
}
