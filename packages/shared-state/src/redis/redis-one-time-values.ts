import type { Redis } from 'ioredis';
import type { OneTimeValue, OneTimeValues } from '../one-time-values.ts';
import type { RunScript } from './create-scripts.ts';
import { unavailable } from './unavailable.ts';

const MESSAGE = 'Tickets cannot be stored or read at the moment. Send this request again in a few seconds.';

interface RedisOneTimeValuesParts {
  readonly client: Redis;
  readonly run: RunScript;
  readonly prefix: string;
}

/** One-time values in Redis, shared by all hosts. The braces are the hash tag of Redis Cluster. */
export class RedisOneTimeValues implements OneTimeValues {
  readonly #client: Redis;
  readonly #run: RunScript;
  readonly #root: string;

  constructor({ client, run, prefix }: RedisOneTimeValuesParts) {
    this.#client = client;
    this.#run = run;
    this.#root = `${prefix}{once}`;
  }

  async put({ key, group, value }: OneTimeValue, limits: Parameters<OneTimeValues['put']>[1]): Promise<boolean> {
    const args = [limits.ttlMs, limits.groupMax, key, value];
    return (await this.#orUnavailable(this.#run('putOnce', this.#keysOf({ key, group }), args))) === 1;
  }

  async read(key: string): Promise<string | undefined> {
    return (await this.#orUnavailable(this.#client.get(this.#keyOf(key)))) ?? undefined;
  }

  async take({ key, group }: Pick<OneTimeValue, 'key' | 'group'>): Promise<string | undefined> {
    const value = await this.#orUnavailable(this.#run('takeOnce', this.#keysOf({ key, group }), [key]));
    return typeof value === 'string' ? value : undefined;
  }

  #keyOf(key: string): string {
    return `${this.#root}:value:${key}`;
  }

  #keysOf({ key, group }: Pick<OneTimeValue, 'key' | 'group'>): readonly string[] {
    return [`${this.#root}:group:${group}`, this.#keyOf(key)];
  }

  async #orUnavailable<T>(reply: Promise<T>): Promise<T> {
    try {
      return await reply;
    } catch (thrown) {
      throw unavailable(thrown, MESSAGE);
    }
  }
}
