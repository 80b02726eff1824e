import { connect, type Socket } from 'node:net';

interface SlowReaderRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Bytes per second read from the socket; 0 reads nothing. Default: unlimited. */
  readonly bytesPerSecond?: number;
}

/** An HTTP/1.1 client on a plain socket that controls its reading pace, like a modem or a closed laptop. */
export interface SlowReader extends Disposable {
  /** Everything read so far, including status line and chunk sizes. */
  received(): Buffer;
  /** Changes the pace from now on; 0 stops. */
  readAt(bytesPerSecond: number): void;
  /** Resolves when the first `count` bytes were read; rejects if the connection ends before. */
  untilBytes(count: number): Promise<void>;
  /** Resolves when the connection has ended. `closed`: by the server, even in the middle of a body. */
  readonly ended: Promise<'closed' | 'reset'>;
  /** Drops the connection: the server sees a reset. */
  abort(): void;
}

/** More bytes than the kernels of both sides take for a reader on the same machine that waits: 37 MB on Linux 6.18. */
export const KERNEL_BUFFERS = 48_000_000;

const TICK_MS = 50;

export function openSlowReader(request: SlowReaderRequest): SlowReader {
  const socket = connectTo(request);
  const chunks: Buffer[] = [];
  let bytesRead = 0;
  let bytesPerSecond = request.bytesPerSecond ?? Number.POSITIVE_INFINITY;
  // The pace is kept by the clock, because ticks are late on a busy machine.
  let budget = 0;
  let lastRead = performance.now();
  const waiting = new Set<() => void>();

  const readChunks = () => {
    const now = performance.now();
    const isLimited = bytesPerSecond !== Number.POSITIVE_INFINITY;
    budget = isLimited ? budget + (bytesPerSecond * (now - lastRead)) / 1000 : bytesPerSecond;
    lastRead = now;
    while (budget >= 1) {
      // `read(n)` returns null if fewer than n bytes are buffered, except at the end of the stream.
      const count = Math.min(Math.floor(budget), socket.readableLength);
      const chunk: Buffer | null = count === 0 ? null : socket.read(count);
      if (chunk === null) break;
      chunks.push(chunk);
      bytesRead += chunk.length;
      budget -= chunk.length;
    }
    if (socket.readableLength === 0 && bytesPerSecond > 0) {
      budget = 0;
      socket.read(0);
    }
    for (const check of waiting) check();
  };
  const timer = setInterval(readChunks, TICK_MS);
  socket.on('readable', () => {
    if (bytesPerSecond === Number.POSITIVE_INFINITY) readChunks();
  });
  const ended = new Promise<'closed' | 'reset'>((resolve) => {
    socket.once('end', () => resolve('closed'));
    socket.once('error', () => resolve('reset'));
    socket.once('close', () => resolve('closed'));
  }).finally(() => {
    readChunks();
    clearInterval(timer);
    socket.destroy();
  });

  return {
    received: () => Buffer.concat(chunks),
    readAt: (pace) => {
      readChunks();
      bytesPerSecond = pace;
      budget = 0;
    },
    untilBytes: (count) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (bytesRead < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
        void ended.then(() => reject(new Error(`The connection ended after ${bytesRead} bytes.`)));
      }),
    ended,
    abort: () => socket.resetAndDestroy(),
    [Symbol.dispose]: () => socket.destroy(),
  };
}

const connectTo = (request: SlowReaderRequest): Socket => {
  const url = new URL(request.url);
  const body = request.body ?? '';
  const headers = { host: url.host, 'content-length': String(Buffer.byteLength(body)), ...request.headers };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  const head = [`${request.method ?? 'POST'} ${url.pathname}${url.search} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  socket.write(head + body);
  return socket;
};
