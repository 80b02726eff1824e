import type { SharedState } from '../shared-state.ts';
import { connect } from './connect.ts';
import { Heartbeat } from './heartbeat.ts';
import { HeldRequests } from './held-requests.ts';
import { RedisSlots } from './redis-slots.ts';
import { RedisValues } from './redis-values.ts';
import { listenForReleased } from './released-channel.ts';
import { createScripts } from './scripted-client.ts';
import { createSlotKeys } from './slot-keys.ts';
import { TIMING } from './timing.ts';

export interface RedisStateOptions {
  /** With user, password and number of the database where there are some; `rediss://` for TLS. */
  readonly url: string;
  /** Before every key and channel; the same on all hosts of one deployment, and another for each deployment. */
  readonly prefix: string;
  /** Shown in `CLIENT LIST`. */
  readonly name: string;
  /** Sentences for the log, without secrets; each change is told once. */
  readonly onTrouble: (message: string) => void;
}

/**
 * The state in Redis 6.2 or later. Opens at once, whether Redis answers or not, and comes back by itself whenever it does. QuerySlots are
 * given once a host has been heard for `TIMING.graceMs`: when all of Redis was lost, the hosts had that long to say what they hold.
 */
export function openRedisState({ url, prefix, name, onTrouble }: RedisStateOptions): SharedState {
  const client = connect({ url, name, onTrouble });
  const listener = connect({ url, name: `${name}-listener`, onTrouble });
  const keys = createSlotKeys(prefix);
  const held = new HeldRequests();
  const run = createScripts(client);
  const slots = new RedisSlots({ run, keys, held });
  const heartbeat = new Heartbeat({ run, keys, held });
  listenForReleased({
    client: listener,
    channel: keys.released,
    onReleased: (tenantId) => slots.released(tenantId),
    onTrouble,
  });
  const sendHeartbeat = (): void => {
    heartbeat.send().catch(() => undefined); // the connection has said why
    // Nothing else is ever asked on this one, so nothing else would notice that it is dead.
    listener.ping().catch(() => undefined);
  };
  client.on('ready', sendHeartbeat);
  const heartbeats = setInterval(sendHeartbeat, TIMING.heartbeatMs);
  heartbeats.unref();
  const close = async (): Promise<void> => {
    clearInterval(heartbeats);
    // What was given back while closing arrives before the connection ends; a Redis that is away is not waited for.
    await client.ping().catch(() => undefined);
    client.disconnect();
    listener.disconnect();
  };
  let closed: Promise<void> | undefined;
  return {
    slots,
    values: new RedisValues(client, prefix),
    async check() {
      const untrustedForMs = await heartbeat.send();
      if (untrustedForMs !== 0) throw new Error('Redis is back, and waits for all hosts to say what they hold');
    },
    [Symbol.asyncDispose]() {
      closed ??= close();
      return closed;
    },
  };
}
