import { Redis } from 'ioredis';
import { TIMEOUTS } from './timing.ts';
import { sentenceOf } from './unavailable.ts';

export interface ConnectOptions {
  /** With user, password and number of the database where there are some; `rediss://` for TLS. */
  readonly url: string;
  /** Shown in `CLIENT LIST`. */
  readonly name: string;
  readonly onTrouble: (message: string) => void;
}

/**
 * A connection that nobody waits for long: without one commands fail at once, and no command outlives its connection, for an answer
 * nobody waits for any more would be a place that nobody holds. It reconnects by itself for ever.
 */
export function connect({ url, name, onTrouble }: ConnectOptions): Redis {
  const client = new Redis(url, {
    connectionName: name,
    // Nothing here needs the newer protocol, and what asks for it is one more thing that proxies refuse.
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
    // After a failover the old primary answers READONLY for as long as it is asked.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  // Without a listener a lost connection would end the process. What repeats itself is said once.
  let said: string | undefined;
  client.on('error', (error: unknown) => {
    const message = sentenceOf(error);
    if (message !== said) onTrouble(message);
    said = message;
  });
  client.on('ready', () => {
    said = undefined;
  });
  return client;
}
