import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { openSocket, rawExchange } from '../../testing/raw-exchange.ts';
import { operation, startApp } from '../../testing/start-app.ts';
import { json, listen, route, stream } from '../index.ts';

const ok = operation({ id: 'ok', path: '/ok' });
const held = operation({ id: 'held', path: '/held' });
const taking = operation({
  id: 'taking',
  method: 'POST',
  path: '/taking',
  body: { schema: z.unknown(), mediaTypes: ['application/json'], bytesMax: 2 * 2 ** 20, valuesMax: 100 },
});
const routes = [route(ok, async () => json(200, { ok: true })), route(taking, async () => json(200, { taken: true }))];

describe('listen', () => {
  it('reports a port that is in use', async () => {
    await using started = await startApp({ routes });
    const { port } = started.server;
    await expect(listen({ app: started.app, host: '127.0.0.1', port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or choose another port.`,
    );
  });

  it('closes connections beyond the limit of the process immediately, whichever server they reach, and reports each', async () => {
    let finish = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const body = async function* () {
      yield Buffer.from('data: first\n\n');
      await gate;
    };
    const streaming = route(held, async () =>
      stream({ status: 200, mediaType: 'text/event-stream', flushHeaders: true, body: body() }),
    );
    await using started = await startApp({ routes: [...routes, streaming] });
    let dropped = 0;
    const options = { app: started.app, host: '127.0.0.1', port: 0, processConnectionsMax: 2 };
    const onDropped = () => {
      dropped += 1;
    };
    await using first = await listen({ ...options, onDropped });
    await using second = await listen({ ...options, onDropped });
    const kept = [await openSocket(first.port), await openSocket(second.port)];
    // A server counts a connection when it accepts it, later than its client knows of it. One that is idle would make room.
    for (const socket of kept) {
      socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
    }
    for (const { port } of [first, second]) {
      const refused = connect({ port, host: '127.0.0.1' })
        .on('error', () => undefined)
        .resume();
      await new Promise((resolve) => refused.on('close', resolve));
    }
    expect(dropped).toBe(2);
    finish();
    for (const socket of kept) {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.write('GET /ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await once(socket, 'close');
      expect(Buffer.concat(chunks).toString()).toMatch(/HTTP\/1\.1 200 .*{"ok":true}/s);
    }
  });

  it('returns 431 with the error JSON for headers over 16 KiB', async () => {
    await using started = await startApp({ routes });
    for (const request of [
      `GET /ok HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]) {
      const { status, headers, body } = await rawExchange(started.server.port, request);
      expect(status).toBe(431);
      expect(JSON.parse(body)).toMatchObject({ error: 'headers_too_large', request_id: headers['x-request-id'] });
      expect(headers['content-type']).toBe('application/json');
    }
  });

  it('sends the policies of browsers with every response, also with errors', async () => {
    await using started = await startApp({ routes });
    const requests = [
      'GET /ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /nosuch HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /ok HTTP/1.1\r\nConnection: close\r\n\r\n',
      'garbage\r\n\r\n',
    ];
    const responses = [];
    for (const request of requests) responses.push(await rawExchange(started.server.port, request));
    expect(responses.map(({ status }) => status)).toEqual([200, 404, 400, 400]);
    for (const { headers } of responses)
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'permissions-policy': expect.stringContaining('camera=()'),
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
  });

  it('keeps any number of headers', async () => {
    await using started = await startApp({ routes });
    const many = Array.from({ length: 2500 }, () => 'a:b').join('\r\n');
    const request = `GET /ok HTTP/1.1\r\nHost: x\r\n${many}\r\nHost: y\r\nConnection: close\r\n\r\n`;
    expect((await rawExchange(started.server.port, request)).status).toBe(400);
  });

  it('returns 400 with the error JSON for input that is not HTTP', async () => {
    await using started = await startApp({ routes });
    const requests = [
      'garbage\r\n\r\n',
      '\u0000\u0001\u0002\r\n\r\n',
      'GET /ok HTTP/1.1\r\nHost x\r\n\r\n',
      'POST /ok HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
      'POST /ok HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      'GET /ok HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n',
      'GET /ok HTTP/9.9\r\nHost: x\r\n\r\n',
    ];
    for (const request of requests) {
      const { status, body } = await rawExchange(started.server.port, request);
      expect([request, status]).toEqual([request, 400]);
      expect(JSON.parse(body)).toMatchObject({ error: 'invalid_request' });
    }
    expect((await fetch(started.address('/ok'))).status).toBe(200);
  });

  it('returns 400 for broken framing of a body and releases the request', async () => {
    await using started = await startApp({ routes });
    const head =
      'POST /taking HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const { status, body } = await rawExchange(started.server.port, `${head}5\r\n[1,2,\r\nnot a size\r\n`);
    expect([status, JSON.parse(body).error]).toEqual([400, 'invalid_request']);
    await started.app.running.whenIdle(1000);
    expect(started.app.running.size).toBe(0);
  });

  it('rejects JSON of 45,000 levels and a megabyte of brackets after little work', async () => {
    await using started = await startApp({ routes });
    const send = (body: string) =>
      fetch(started.address('/taking'), { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    await send('{}');
    for (const body of ['['.repeat(45_000) + ']'.repeat(45_000), '{"a":'.repeat(200_000), '['.repeat(2 ** 20)]) {
      const start = process.cpuUsage();
      const response = await send(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: 'malformed_json' });
      const { user, system } = process.cpuUsage(start);
      // About 20 ms of processor time in the host and in this test.
      expect((user + system) / 1000).toBeLessThan(500);
    }
  });

  it('accepts a body of 2 MiB and returns 413 for far more', async () => {
    await using started = await startApp({ routes });
    const send = (bytes: number) =>
      fetch(started.address('/taking'), {
        method: 'POST',
        body: `"${'x'.repeat(bytes - 2)}"`,
        headers: { 'content-type': 'application/json' },
      });
    expect((await send(2 * 2 ** 20)).status).toBe(200);
    const response = await send(40 * 2 ** 20);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: 'payload_too_large' });
  });

  it('closes the connection of a client that continues to send an unread body', async () => {
    await using started = await startApp({ routes });
    const socket = await openSocket(started.server.port);
    socket.write('POST /nosuch HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('404');
    // Writing to a closed connection causes a reset, or nothing.
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const sending = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(sending);
  });
});

describe('drain', () => {
  /** A stream that holds until it is aborted or finished by the test. */
  async function startHeld(options: { readonly ignoresAbort?: true } = {}) {
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const reasons: unknown[] = [];
    const started = await startApp({
      routes: [
        ...routes,
        route(held, async ({ signal }) =>
          stream({
            status: 200,
            mediaType: 'text/event-stream',
            flushHeaders: true,
            body: (async function* () {
              yield Buffer.from('data: first\n\n');
              const aborted = new Promise<void>((resolve) => {
                signal.addEventListener('abort', () => {
                  reasons.push(signal.reason);
                  if (options.ignoresAbort !== true) resolve();
                });
              });
              await Promise.race([gate, aborted]);
              yield Buffer.from(signal.aborted ? 'data: aborted\n\n' : 'data: complete\n\n');
            })(),
          }),
        ),
      ],
    });
    return { started, finish, reasons };
  }

  it('serves new requests during the delay, then rejects them and lets running ones finish', async () => {
    const { started, finish } = await startHeld();
    const response = await fetch(started.address('/held'));
    const drained = started.server.drain({ delayMs: 300, graceMs: 5000 });
    expect(started.app.lifecycle.state).toBe('draining');
    const served = await fetch(started.address('/ok'));
    expect(served.status).toBe(200);
    expect(served.headers.get('connection')).toBe('close');
    while (started.app.lifecycle.state === 'draining') await wait(20);
    const refused = await fetch(started.address('/ok'));
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ error: 'server_shutdown' });
    finish();
    expect(await response.text()).toBe('data: first\n\ndata: complete\n\n');
    await drained;
    expect(started.app.lifecycle.state).toBe('stopped');
    await expect(fetch(started.address('/ok'))).rejects.toThrow();
  });

  it('aborts requests after the grace period with server_shutdown and lets them end properly', async () => {
    const { started, reasons } = await startHeld();
    const response = await fetch(started.address('/held'));
    await started.server.drain({ delayMs: 0, graceMs: 50 });
    expect(await response.text()).toBe('data: first\n\ndata: aborted\n\n');
    expect(reasons).toMatchObject([{ code: 'server_shutdown' }]);
  });

  it('cuts requests that ignore the abort after the time limits', async () => {
    const { started, finish } = await startHeld({ ignoresAbort: true });
    const response = await fetch(started.address('/held'));
    const text = expect(response.text()).rejects.toThrow();
    await started.server.drain({ delayMs: 0, graceMs: 50, cutMs: 100 });
    await text;
    finish();
  });

  it('runs once for several calls and does not wait for idle connections', async () => {
    const { started } = await startHeld();
    await (await fetch(started.address('/ok'))).text();
    // A drain that waited for this long would exceed the limit of the test.
    const graceMs = 3_600_000;
    await Promise.all([started.server.drain({ delayMs: 0, graceMs }), started.server[Symbol.asyncDispose]()]);
  });
});
