import type { SharedState } from '../shared-state.ts';
import { connect } from './connect.ts';
import { listenForFreed } from './freed-channel.ts';
import { Heart } from './heart.ts';
import { HeldClaims } from './held-claims.ts';
import { createPlaceKeys } from './place-keys.ts';
import { RedisPlaces } from './redis-places.ts';
import { RedisValues } from './redis-values.ts';
import { createScripts } from './scripted-client.ts';
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
 * The state in Redis 6.2 or later. Opens at once, whether Redis answers or not, and comes back by itself whenever it does. Places are
 * given once a host has been heard for `TIMING.graceMs`: when all of Redis was lost, the hosts had that long to say what they hold.
 */
export function openRedisState({ url, prefix, name, onTrouble }: RedisStateOptions): SharedState {
  const client = connect({ url, name, onTrouble });
  const listener = connect({ url, name: `${name}-listener`, onTrouble });
  const keys = createPlaceKeys(prefix);
  const held = new HeldClaims();
  const run = createScripts(client);
  const places = new RedisPlaces({ run, keys, held });
  const heart = new Heart({ run, keys, held });
  listenForFreed({ client: listener, channel: keys.freed, onFreed: (tenantId) => places.freed(tenantId), onTrouble });
  const beat = (): void => {
    heart.beat().catch(() => undefined); // the connection has said why
    // Nothing else is ever asked on this one, so nothing else would notice that it is dead.
    listener.ping().catch(() => undefined);
  };
  client.on('ready', beat);
  const beats = setInterval(beat, TIMING.beatMs);
  beats.unref();
  const close = async (): Promise<void> => {
    clearInterval(beats);
    // What was given back while closing arrives before the connection ends; a Redis that is away is not waited for.
    await client.ping().catch(() => undefined);
    client.disconnect();
    listener.disconnect();
  };
  let closed: Promise<void> | undefined;
  return {
    places,
    values: new RedisValues(client, prefix),
    async check() {
      const untrustedForMs = await heart.beat();
      if (untrustedForMs !== 0) throw new Error('Redis is back, and waits for all hosts to say what they hold');
    },
    [Symbol.asyncDispose]() {
      closed ??= close();
      return closed;
    },
  };
}
