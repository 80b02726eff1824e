import { Redis } from 'ioredis';
import { TIMEOUTS } from './timing.ts';
import { messageOf } from './unavailable.ts';

/** Replies to AUTH, or to the first command of a client without a password, that only a change of the settings can cure. */
const REJECTED = /^(?:WRONGPASS|NOAUTH)\b|AUTH .*called without any password|AUTH, but no password is set/;

/**
 * Throws if Redis rejects the user or the password of the URL. Resolves in every other case, also while Redis is unavailable, from
 * which a host recovers by itself.
 */
export async function checkRedisLogin(url: string): Promise<void> {
  const client = new Redis(url, {
    protocol: 2,
    disableClientInfo: true,
    lazyConnect: true,
    connectTimeout: TIMEOUTS.connectMs,
    commandTimeout: TIMEOUTS.commandMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  const reasons: string[] = [];
  const note = (thrown: unknown): void => void reasons.push(messageOf(thrown));
  client.on('error', note);
  try {
    await client.connect();
    await client.ping();
  } catch (thrown) {
    note(thrown);
  } finally {
    client.disconnect();
  }
  if (!reasons.some((reason) => REJECTED.test(reason))) return;
  throw new Error('Redis rejects the user or the password of REDIS_URL. Correct the setting and start the host again.');
}
