import type { Redis } from 'ioredis';

export interface ReleasedChannelOptions {
  /** A connection for this alone: one that listens can do nothing else. */
  readonly client: Redis;
  readonly channel: string;
  readonly onReleased: (tenantId: string) => void;
  readonly onTrouble: (message: string) => void;
}

/**
 * Listens for slots that other hosts released. A user of Redis may lack the right to listen (access lists have one for channels);
 * then a waiting host still asks now and then.
 */
export function listenForReleased({ client, channel, onReleased, onTrouble }: ReleasedChannelOptions): void {
  client.on('message', (_channel: string, tenantId: string) => onReleased(tenantId));
  client.on('ready', () => {
    client.subscribe(channel).catch((error: unknown) => {
      onTrouble(`released slots are not heard of: ${error instanceof Error ? error.message : String(error)}`);
    });
  });
}
