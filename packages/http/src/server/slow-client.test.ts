import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { openSocket, parseResponse } from '../../testing/raw-exchange.ts';
import { type Body, endless, file, GET, serveStream, untilAborted } from '../../testing/serve-stream.ts';
import { startApp } from '../../testing/start-app.ts';
import { json, type RouteRequest } from '../index.ts';

const MEBIBYTE = 2 ** 20;

const deferred = () => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};
const timersNow = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('an answer', () => {
  it('starts no timer when its client left before it was ready', async () => {
    const { promise: reached, resolve: reach } = deferred();
    const handle = async ({ signal }: RouteRequest) => {
      reach();
      await untilAborted(signal).catch(() => undefined);
      return json(200, { late: true });
    };
    await using started = await startApp({ routes: [{ operation: file, handle }] });
    const socket = await openSocket(started.server.port);
    socket.write(GET);
    await reached;
    const before = timersNow();
    socket.destroy();
    await started.app.running.whenIdle(1000);
    expect(timersNow()).toBeLessThanOrEqual(before);
  });
});

describe('a stream', () => {
  it('sends its headers with the first chunk, or immediately if requested', async () => {
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

  it('is pulled at the speed of its client', async () => {
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

  it('is aborted and released when its client disconnects, also while it waits for its source', async () => {
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

  it('is aborted and cut when its client reads nothing for the stall time', async () => {
    const { started, life, released } = await serveStream(endless, { stallMs: 200 });
    await using _ = started;
    const socket = await openSocket(started.server.port);
    socket.write(GET);
    socket.pause();
    await released;
    expect(life.reason).toMatchObject({ code: 'query_cancelled', message: 'The client stopped reading for too long.' });
    socket.destroy();
  });

  it('is cut after the stall time although the kernel accepted a part of the last write', async () => {
    const stallMs = 1_000;
    let lastMs = 0;
    const counted: Body = async function* (signal, life) {
      for await (const chunk of endless(signal, life)) {
        lastMs = performance.now();
        yield chunk;
      }
    };
    const { started, released } = await serveStream(counted, { stallMs });
    await using _ = started;
    const socket = await openSocket(started.server.port);
    socket.write(GET);
    socket.pause();
    await released;
    expect(performance.now() - lastMs).toBeGreaterThanOrEqual(stallMs);
    socket.destroy();
  });

  it('is not cut while it has no data, and is cut when it has data and its client does not read', async () => {
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

  it('reaches a slow reader completely, however long one chunk takes', async () => {
    const size = 12 * MEBIBYTE;
    const oneChunk: Body = async function* () {
      yield Buffer.alloc(size, 'x');
    };
    const { started } = await serveStream(oneChunk, { stallMs: 1_000 });
    await using _ = started;
    const socket = await openSocket(started.server.port);
    let received = 0;
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 12);
    });
    const startedAt = performance.now();
    socket.write(GET);
    await once(socket, 'close');
    expect(received).toBeGreaterThan(size);
    expect(performance.now() - startedAt).toBeGreaterThan(2_000);
  });
});
