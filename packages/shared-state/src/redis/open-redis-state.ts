import { Redis } from 'ioredis';
import type { ExpiringValues } from '../expiring-values.ts';
import type { OneTimeValue, OneTimeValues } from '../one-time-values.ts';
import type { SharedState } from '../shared-state.ts';
import { createScripts, type RunScript } from './create-scripts.ts';
import { Heartbeat } from './heartbeat.ts';
import { HeldRequests } from './held-requests.ts';
import { RedisSlots } from './redis-slots.ts';
import { createSlotKeys } from './slot-keys.ts';
import { TIMEOUTS, TIMING } from './timing.ts';
import { messageOf, unavailable } from './unavailable.ts';

const MESSAGE = 'Tickets cannot be stored or read at the moment. Send this request again in a few seconds.';

interface RedisOneTimeValuesParts {
  readonly client: Redis;
  readonly run: RunScript;
  readonly prefix: string;
}

/** One-time values in Redis, shared by all hosts. The braces are the hash tag of Redis Cluster. */
class RedisOneTimeValues implements OneTimeValues {
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

/** Expiring values in Redis, shared by all hosts. */
class RedisValues implements ExpiringValues {
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

interface ReleasedChannelOptions {
  /** A dedicated connection: a subscribed one accepts no other commands. */
  readonly client: Redis;
  readonly channel: string;
  readonly onReleased: (tenantId: string) => void;
  readonly onWarning: (message: string) => void;
}

/**
 * Listens for slots that other hosts released. The Redis user may lack permission for the channel (ACL); then a waiting host still
 * polls.
 */
function listenForReleasedSlots({ client, channel, onReleased, onWarning }: ReleasedChannelOptions): void {
  client.on('message', (_channel: string, tenantId: string) => onReleased(tenantId));
  client.on('ready', () => {
    client.subscribe(channel).catch((error: unknown) => {
      onWarning(`cannot subscribe to released slots: ${error instanceof Error ? error.message : String(error)}`);
    });
  });
}

interface ConnectOptions {
  /** May contain user, password and database number; `rediss://` for TLS. */
  readonly url: string;
  /** Shown in `CLIENT LIST`. */
  readonly name: string;
  readonly onWarning: (message: string) => void;
}

/**
 * Connects to Redis and reconnects forever. While disconnected, commands fail immediately, and no command outlives its connection:
 * a late reply could grant a slot to a request that has already failed.
 */
function connect({ url, name, onWarning }: ConnectOptions): Redis {
  const client = new Redis(url, {
    connectionName: name,
    // RESP3 is not needed, and some proxies reject the HELLO command that requests it.
    protocol: 2,
    disableClientInfo: true,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: TIMEOUTS.connectMs,
    commandTimeout: TIMEOUTS.commandMs,
    socketTimeout: TIMEOUTS.silentSocketMs,
    retryStrategy: () => TIMEOUTS.reconnectMs,
    maxLoadingRetryTime: TIMEOUTS.reconnectMs,
    // After a failover the old primary replies READONLY until the client reconnects.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  // Without a listener a lost connection would end the process. A repeated message is reported once.
  let reported: string | undefined;
  client.on('error', (error: unknown) => {
    const message = messageOf(error);
    if (message !== reported) onWarning(message);
    reported = message;
  });
  client.on('ready', () => {
    reported = undefined;
  });
  return client;
}

interface RedisStateOptions {
  /** May contain user, password and database number; `rediss://` for TLS. */
  readonly url: string;
  /** Prefix of every key and channel. The hosts of one deployment share it; deployments must differ. */
  readonly prefix: string;
  /** Shown in `CLIENT LIST`. */
  readonly name: string;
  /** Receives sentences for the log, without secrets. Each change is reported once. */
  readonly onWarning: (message: string) => void;
}

/**
 * Opens the state in Redis 6.2 or later. Returns immediately, even while Redis is unavailable, and reconnects by itself. Slots are
 * granted once hosts have sent heartbeats for `TIMING.graceMs`: after a loss of all data, the hosts restore in that time what they
 * hold.
 */
export function openRedisState({ url, prefix, name, onWarning }: RedisStateOptions): SharedState {
  const client = connect({ url, name, onWarning });
  const listener = connect({ url, name: `${name}-listener`, onWarning });
  const keys = createSlotKeys(prefix);
  const held = new HeldRequests();
  const run = createScripts(client);
  const slots = new RedisSlots({ run, keys, held });
  const heartbeat = new Heartbeat({ run, keys, held });
  listenForReleasedSlots({
    client: listener,
    channel: keys.released,
    onReleased: (tenantId) => slots.notifyReleased(tenantId),
    onWarning,
  });
  const sendHeartbeat = (): void => {
    heartbeat.send().catch(() => undefined); // the connection reports the cause
    // The listener sends no other command, so only a ping detects a dead connection.
    listener.ping().catch(() => undefined);
  };
  client.on('ready', sendHeartbeat);
  const heartbeats = setInterval(sendHeartbeat, TIMING.heartbeatMs);
  heartbeats.unref();
  const close = async (): Promise<void> => {
    clearInterval(heartbeats);
    // The ping follows the releases of a closing host, so they arrive before the connection ends. It fails while Redis is unavailable.
    await client.ping().catch(() => undefined);
    client.disconnect();
    listener.disconnect();
  };
  let closed: Promise<void> | undefined;
  return {
    slots,
    values: new RedisValues(client, prefix),
    oneTimeValues: new RedisOneTimeValues({ client, run, prefix }),
    async check() {
      const untrustedForMs = await heartbeat.send();
      if (untrustedForMs !== 0) throw new Error('Redis is back and waits until all hosts have reported their slots.');
    },
    [Symbol.asyncDispose]() {
      closed ??= close();
      return closed;
    },
  };
}
