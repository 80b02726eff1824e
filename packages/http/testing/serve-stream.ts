import { setTimeout as wait } from 'node:timers/promises';
import { type RouteRequest, stream } from '../src/index.ts';
import { operation, type Started, startApp } from './start-app.ts';

export const file = operation({ id: 'file', path: '/file', streams: true });
export const GET = 'GET /file HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

interface Life {
  pulled: number;
  released: boolean;
  reason: unknown;
}

export type Body = (signal: AbortSignal, life: Life) => AsyncGenerator<Uint8Array>;

/** Serves one stream at /file and tells how it fared. */
export async function serveStream(
  body: Body,
  options: {
    readonly stallMs?: number;
    readonly flushHeaders?: boolean;
    readonly onWritten?: (chunk: Uint8Array) => void;
  } = {},
): Promise<{ started: Started; life: Life; released: Promise<void> }> {
  const life: Life = { pulled: 0, released: false, reason: undefined };
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function* watched(signal: AbortSignal) {
    try {
      for await (const chunk of body(signal, life)) {
        life.pulled++;
        yield chunk;
      }
    } finally {
      await wait(5);
      life.released = true;
      life.reason = signal.reason;
      release();
    }
  }
  const handle = async ({ signal }: RouteRequest) =>
    stream({
      status: 200,
      mediaType: 'text/csv',
      headers: { 'content-disposition': 'attachment; filename=a.csv', 'x-query-id': 'q-1' },
      flushHeaders: options.flushHeaders ?? false,
      body: watched(signal),
      ...(options.onWritten === undefined ? {} : { onWritten: options.onWritten }),
    });
  const { stallMs = 60_000 } = options;
  const started = await startApp({ routes: [{ operation: file, handle }], stallMs });
  return { started, life, released };
}

export const endless: Body = async function* () {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (;;) yield chunk;
};

export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
