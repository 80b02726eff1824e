import { Redis } from 'ioredis';
import { TIMEOUTS } from './timing.ts';
import { messageOf } from './unavailable.ts';

interface ConnectOptions {
  /** May contain user, password and database number; `rediss://` for TLS. */
  readonly url: string;
  /** Shown in `CLIENT LIST`. */
  readonly name: string;
  readonly onTrouble: (message: string) => void;
}

/**
 * Connects to Redis and reconnects forever. While disconnected, commands fail immediately, and no command outlives its connection:
 * a late reply could grant a slot to a request that has already failed.
 */
export function connect({ url, name, onTrouble }: ConnectOptions): Redis {
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
    if (message !== reported) onTrouble(message);
    reported = message;
  });
  client.on('ready', () => {
    reported = undefined;
  });
  return client;
}
