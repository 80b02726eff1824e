import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy extends AsyncDisposable {
  /** The given URL, through the proxy. */
  readonly url: string;
  /** Stops reading and writing without closing, like a stopped server. */
  hang(): void;
  /**
   * Drops all replies from the commit of the transaction that sends this text on. Statements still arrive and are executed, so the
   * client never learns of the commit.
   */
  muteAtCommitOf(text: string): void;
  /**
   * Freezes the next connection that sends this text, once that has arrived: nothing passes it any more, and it stays open, like that of a
   * host that was cut off. All others are served.
   */
  freezeAfter(text: string): void;
  /** Closes every connection and refuses new ones. */
  cut(): void;
  /** Serves new connections again. */
  restore(): void;
}

/** Sync ends and commits statements outside of a transaction block (PostgreSQL protocol, "Message Formats"). */
const SYNC = Buffer.from('S\0\0\0\x04', 'latin1');

/** Detects messages that commit: COMMIT within a transaction block, Sync outside of one. */
function createCommitDetector(): (data: Buffer) => boolean {
  let isInBlock = false;
  return (data) => {
    if (data.includes('begin;')) isInBlock = true;
    const commits = data.includes(isInBlock ? 'commit' : SYNC);
    if (commits || data.includes('rollback')) isInBlock = false;
    return commits;
  };
}

/** Creates a proxy between a host and its database, with which a test cuts off only that host. */
export async function createDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let state: 'serving' | 'hanging' | 'mute' | 'cut' = 'serving';
  let mutedText: string | undefined;
  let frozenText: string | undefined;
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((incoming) => {
    track(incoming);
    if (state === 'cut') return void incoming.destroy();
    const outgoing = track(connect(Number(target.port), target.hostname));
    const commits = createCommitDetector();
    let isMuted = false;
    let isFrozen = false;
    incoming.on('data', (data) => {
      if (isFrozen) return;
      if (mutedText !== undefined && data.includes(mutedText)) isMuted = true;
      if (commits(data) && isMuted) state = 'mute';
      if (state === 'serving' || state === 'mute') outgoing.write(data);
      if (frozenText === undefined || !data.includes(frozenText)) return;
      frozenText = undefined;
      isFrozen = true;
    });
    outgoing.on('data', (data) => state === 'serving' && !isFrozen && incoming.write(data));
    incoming.on('close', () => isFrozen || outgoing.destroy());
    outgoing.on('close', () => incoming.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    hang() {
      state = 'hanging';
    },
    freezeAfter(text) {
      frozenText = text;
    },
    muteAtCommitOf(text) {
      mutedText = text;
    },
    cut() {
      state = 'cut';
      drop();
    },
    restore() {
      state = 'serving';
      mutedText = undefined;
      drop();
    },
    async [Symbol.asyncDispose]() {
      drop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
