import type { Redis } from 'ioredis';

interface ReleasedChannelOptions {
  /** A dedicated connection: a subscribed one accepts no other commands. */
  readonly client: Redis;
  readonly channel: string;
  readonly onReleased: (tenantId: string) => void;
  readonly onTrouble: (message: string) => void;
}

/**
 * Listens for slots that other hosts released. The Redis user may lack permission for the channel (ACL); then a waiting host still
 * polls.
 */
export function listenForReleasedSlots({ client, channel, onReleased, onTrouble }: ReleasedChannelOptions): void {
  client.on('message', (_channel: string, tenantId: string) => onReleased(tenantId));
  client.on('ready', () => {
    client.subscribe(channel).catch((error: unknown) => {
      onTrouble(`cannot subscribe to released slots: ${error instanceof Error ? error.message : String(error)}`);
    });
  });
}
