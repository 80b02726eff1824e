import type { Redis } from 'ioredis';
import type { ExpiringValues } from '../expiring-values.ts';
import { unavailable } from './unavailable.ts';

/** Expiring values in Redis, shared by all hosts. */
export class RedisValues implements ExpiringValues {
  readonly #client: Redis;
  readonly #prefix: string;

  constructor(client: Redis, prefix: string) {
    this.#client = client;
    this.#prefix = `${prefix}value:`;
  }

  async put(key: string, value: string, ttlMs: number): Promise<void> {
    try {
      await this.#client.set(this.#prefix + key, value, 'PX', ttlMs);
    } catch (thrown) {
      throw unavailable(thrown);
    }
  }

  async get(key: string): Promise<string | undefined> {
    try {
      return (await this.#client.get(this.#prefix + key)) ?? undefined;
    } catch (thrown) {
      throw unavailable(thrown);
    }
  }
}
