import type { Redis } from 'ioredis';

export interface FreedChannelOptions {
  /** A connection for this alone: one that listens can do nothing else. */
  readonly client: Redis;
  readonly channel: string;
  readonly onFreed: (tenantId: string) => void;
  readonly onTrouble: (message: string) => void;
}

/**
 * Hears of freed places of other hosts. Where a user of Redis may not listen (channels are their own right in its access lists), who
 * waits still asks now and then.
 */
export function listenForFreed({ client, channel, onFreed, onTrouble }: FreedChannelOptions): void {
  client.on('message', (_channel: string, tenantId: string) => onFreed(tenantId));
  client.on('ready', () => {
    client.subscribe(channel).catch((error: unknown) => {
      onTrouble(`freed places are not heard of: ${error instanceof Error ? error.message : String(error)}`);
    });
  });
}
