import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { openSocket, parseResponse, rawExchange } from '../testing/raw-exchange.ts';
import { operation, type Started, startApp } from '../testing/start-app.ts';
import { type RouteRequest, route, stream } from './index.ts';

const MEBIBYTE = 2 ** 20;
const file = operation({ id: 'file', path: '/file', streams: true });
const GET = 'GET /file HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

interface Life {
  pulled: number;
  released: boolean;
  reason: unknown;
}

type Body = (signal: AbortSignal, life: Life) => AsyncGenerator<Uint8Array>;

/** Serves one stream at /file and tells how it fared. */
async function serveStream(
  body: Body,
  options: { readonly stallMs?: number; readonly flushHeaders?: boolean } = {},
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
    });
  const { stallMs = 60_000 } = options;
  const started = await startApp({ routes: [{ operation: file, handle }], stallMs });
  return { started, life, released };
}

const endless: Body = async function* () {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (;;) yield chunk;
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

describe('a stream', () => {
  it('arrives whole, and lets go of what it held', async () => {
    const { started, life } = await serveStream(async function* () {
      yield Buffer.from('a,b\n');
      yield Buffer.from('1,2\n');
    });
    await using _ = started;
    const response = await fetch(started.address('/file'));
    expect(await response.text()).toBe('a,b\n1,2\n');
    expect(response.headers.get('x-query-id')).toBe('q-1');
    await started.app.running.whenNone(1000);
    expect(life.released).toBe(true);
    expect(life.reason).toBeUndefined();
  });

  it('may be empty', async () => {
    const { started } = await serveStream(async function* () {});
    await using _ = started;
    const { status, body, headers } = await rawExchange(started.server.port, GET);
    expect([status, body, headers['content-length']]).toEqual([200, '', '0']);
  });

  it('that fails before its first byte is an ordinary problem, without the headers of the file', async () => {
    // biome-ignore lint/correctness/useYield: it is to fail before it can
    const { started, life } = await serveStream(async function* () {
      throw new ProblemError('table_not_found', 'There is no table t.', { location: { line: 1, column: 15 } });
    });
    await using _ = started;
    const response = await fetch(started.address('/file'));
    expect(response.status).toBe(400);
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-query-id')).toBe('q-1');
    expect(await response.json()).toMatchObject({ error: 'table_not_found', location: { line: 1, column: 15 } });
    expect(life.released).toBe(true);
  });

  it('may tell a problem before its first byte in a form of its own', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield* [];
      throw new ProblemError('engine_unavailable', 'The engine does not answer.', { retryAfterSeconds: 7 });
    };
    const handle = async () =>
      stream({
        status: 200,
        mediaType: 'application/json',
        body: failing(),
        problemBody: (problem) => ({ data: [], error: problem.message, code: problem.streamCode }),
      });
    await using started = await startApp({ routes: [{ operation: file, handle }] });
    const response = await fetch(started.address('/file'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7']);
    const error = 'The engine does not answer.';
    expect(await response.json()).toEqual({ data: [], error, code: 'ENGINE_UNAVAILABLE' });
  });

  it('that fails after its first byte is cut, so that it cannot look whole', async () => {
    const { started } = await serveStream(async function* () {
      yield Buffer.from('a,b\n');
      throw new Error('lost');
    });
    await using _ = started;
    const { status, body } = await rawExchange(started.server.port, GET);
    expect(status).toBe(200);
    expect(body).not.toContain('\r\n0\r\n');
    await expect(fetch(started.address('/file')).then((response) => response.text())).rejects.toThrow();
    expect(started.logLines().some((line) => line['problem'] === 'internal')).toBe(true);
  });

  it('that fails after its headers were flushed is cut as well', async () => {
    const failing: Body = async function* () {
      yield* [];
      await wait(20);
      throw new Error('lost');
    };
    const { started } = await serveStream(failing, { flushHeaders: true });
    await using _ = started;
    const { status, body } = await rawExchange(started.server.port, GET);
    expect([status, body]).toEqual([200, '']);
  });

  it('sends its headers with the first chunk, or at once when told to', async () => {
    const held: Body = async function* (signal) {
      yield* [];
      await untilAborted(signal);
    };
    const { started, released } = await serveStream(held, { flushHeaders: true });
    await using _ = started;
    const socket = await openSocket(started.server.port);
    socket.write(GET);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(parseResponse(head.toString()).status).toBe(200);
    socket.destroy();
    await released;
  });

  it('is not pulled faster than its client reads', async () => {
    const { started, life, released } = await serveStream(endless);
    await using _ = started;
    const socket = await openSocket(started.server.port);
    socket.write(GET);
    socket.pause();
    let before = -1;
    while (life.pulled !== before) {
      before = life.pulled;
      await wait(100);
    }
    // What the buffers of both sockets hold, and no more.
    expect(life.pulled * 64 * 1024).toBeLessThan(16 * MEBIBYTE);
    socket.destroy();
    await released;
  });

  it('is aborted and released when its client leaves, also while it waits for its source', async () => {
    const { started, life, released } = await serveStream(async function* (signal) {
      yield Buffer.from('first');
      await untilAborted(signal);
    });
    await using _ = started;
    const socket = await openSocket(started.server.port);
    socket.write(GET);
    await once(socket, 'data');
    socket.destroy();
    await released;
    expect(life.reason).toMatchObject({ code: 'query_cancelled', message: 'The client closed the connection.' });
  });

  it('is aborted and cut when its client takes no byte for the stall time', async () => {
    const { started, life, released } = await serveStream(endless, { stallMs: 200 });
    await using _ = started;
    const socket = await openSocket(started.server.port);
    socket.write(GET);
    socket.pause();
    await released;
    expect(life.reason).toMatchObject({ code: 'query_cancelled', message: 'The client took no data for too long.' });
    socket.destroy();
  });

  it('is not cut while it has nothing to say, and still is when it has and nobody listens', async () => {
    const quietThenLoud: Body = async function* (signal, life) {
      yield Buffer.from('first');
      await wait(500);
      yield* endless(signal, life);
    };
    const { started, life, released } = await serveStream(quietThenLoud, { stallMs: 150 });
    await using _ = started;
    const socket = await openSocket(started.server.port);
    socket.write(GET);
    socket.pause();
    await released;
    expect(life.pulled).toBeGreaterThan(1);
    expect(life.reason).toMatchObject({ code: 'query_cancelled' });
    socket.destroy();
  });

  it('reaches a slow reader whole, however long one chunk takes', async () => {
    const size = 12 * MEBIBYTE;
    const oneChunk: Body = async function* () {
      yield Buffer.alloc(size, 'x');
    };
    const { started } = await serveStream(oneChunk, { stallMs: 300 });
    await using _ = started;
    const socket = await openSocket(started.server.port);
    let received = 0;
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 8);
    });
    const startedAt = performance.now();
    socket.write(GET);
    await once(socket, 'close');
    expect(received).toBeGreaterThan(size);
    expect(performance.now() - startedAt).toBeGreaterThan(600);
  });

  it('is not run for HEAD, but released', async () => {
    const { started, life } = await serveStream(endless);
    await using _ = started;
    const response = await fetch(started.address('/file'), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toContain('a.csv');
    await started.app.running.whenNone(1000);
    expect(life.pulled).toBe(0);
  });

  it('is refused under HTTP/1.0, where a cut could not be seen', async () => {
    const { started } = await serveStream(endless);
    await using _ = started;
    const response = await rawExchange(started.server.port, 'GET /file HTTP/1.0\r\nHost: x\r\n\r\n');
    expect(response.status).toBe(505);
    expect(JSON.parse(response.body)).toMatchObject({ error: 'http_version_not_supported' });
  });

  it('that fails does not disturb another', async () => {
    const rows = operation({ id: 'rows', path: '/rows' });
    const broken = operation({ id: 'broken', path: '/broken' });
    const body = async function* (fails: string) {
      for (let index = 0; index < 50; index++) {
        await wait(2);
        if (fails === 'fails' && index === 20) throw new Error('lost');
        yield Buffer.from('x');
      }
    };
    await using started = await startApp({
      routes: [
        route(rows, async () => stream({ status: 200, mediaType: 'text/plain', body: body('') })),
        route(broken, async () => stream({ status: 200, mediaType: 'text/plain', body: body('fails') })),
      ],
    });
    const whole = Array.from({ length: 20 }, () => fetch(started.address('/rows')).then((response) => response.text()));
    const cut = Array.from({ length: 20 }, () => fetch(started.address('/broken')).then((response) => response.text()));
    const results = await Promise.allSettled([...whole, ...cut]);
    expect(results.map(({ status }) => status)).toEqual([
      ...Array(20).fill('fulfilled'),
      ...Array(20).fill('rejected'),
    ]);
  });
});
