import type { SharedState } from '../shared-state.ts';
import { connect } from './connect.ts';
import { createScripts } from './create-scripts.ts';
import { Heartbeat } from './heartbeat.ts';
import { HeldRequests } from './held-requests.ts';
import { listenForReleasedSlots } from './listen-for-released.ts';
import { RedisOneTimeValues } from './redis-one-time-values.ts';
import { RedisSlots } from './redis-slots.ts';
import { RedisValues } from './redis-values.ts';
import { createSlotKeys } from './slot-keys.ts';
import { TIMING } from './timing.ts';

interface RedisStateOptions {
  /** May contain user, password and database number; `rediss://` for TLS. */
  readonly url: string;
  /** Prefix of every key and channel. The hosts of one deployment share it; deployments must differ. */
  readonly prefix: string;
  /** Shown in `CLIENT LIST`. */
  readonly name: string;
  /** Receives sentences for the log, without secrets. Each change is reported once. */
  readonly onTrouble: (message: string) => void;
}

/**
 * Opens the state in Redis 6.2 or later. Returns immediately, even while Redis is unavailable, and reconnects by itself. Slots are
 * granted once hosts have sent heartbeats for `TIMING.graceMs`: after a loss of all data, the hosts restore in that time what they
 * hold.
 */
export function openRedisState({ url, prefix, name, onTrouble }: RedisStateOptions): SharedState {
  const client = connect({ url, name, onTrouble });
  const listener = connect({ url, name: `${name}-listener`, onTrouble });
  const keys = createSlotKeys(prefix);
  const held = new HeldRequests();
  const run = createScripts(client);
  const slots = new RedisSlots({ run, keys, held });
  const heartbeat = new Heartbeat({ run, keys, held });
  listenForReleasedSlots({
    client: listener,
    channel: keys.released,
    onReleased: (tenantId) => slots.notifyReleased(tenantId),
    onTrouble,
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
