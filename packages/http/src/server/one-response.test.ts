import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSocket } from '../../testing/raw-exchange.ts';
import { operation, type Started, startApp } from '../../testing/start-app.ts';
import { json, route } from '../index.ts';

const guarded = operation({ id: 'guarded', method: 'POST', path: '/guarded', credentials: ['idtoken'] });
const counted = operation({ id: 'counted', method: 'POST', path: '/counted' });
const held = operation({ id: 'held', path: '/held' });
const HEAD = 'POST /guarded HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

let started: Started;
let count = 0;
let reached: () => void = () => undefined;
let release: () => void = () => undefined;
beforeAll(async () => {
  started = await startApp({
    routes: [
      route(guarded, async () => json(200, {})),
      route(counted, async () => json(200, { count: ++count })),
      route(held, async () => {
        reached();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return json(200, { held: true });
      }),
    ],
  });
});
afterAll(async () => await started[Symbol.asyncDispose]());

/** Sends a request, waits for its first response, sends more, and returns the status lines and all text until the server closes. */
async function sendAfterResponse(request: string, more: string): Promise<{ lines: string[]; text: string }> {
  const socket = await openSocket(started.server.port);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = once(socket, 'close');
  socket.write(request);
  await once(socket, 'data');
  socket.write(more);
  await closed;
  const text = Buffer.concat(chunks).toString();
  return { lines: text.match(/HTTP\/1\.1 \d+/g) ?? [], text };
}

describe('a request without login', () => {
  it('gets one response, which ends the connection, whatever its body contains', async () => {
    for (const more of ['5\r\n0123456789\r\n', 'no size\r\n', '1\r\n{\r\n0\r\n\r\n']) {
      const { lines, text } = await sendAfterResponse(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, more);
      expect(lines).toEqual(['HTTP/1.1 401']);
      expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
    }
  });

  it('keeps the connection if its body arrived with it', async () => {
    const request = `${HEAD}Content-Length: 2\r\n\r\n{}`;
    const { lines } = await sendAfterResponse(request, request.replace('Host: x', 'Host: x\r\nConnection: close'));
    expect(lines).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401']);
  });
});

describe('a response that ends the connection', () => {
  it('is the last one, and no request after it is processed', async () => {
    const next = 'POST /counted HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    const { lines } = await sendAfterResponse(`${HEAD}Content-Length: 2\r\n\r\n`, `{}${next}`);
    expect(lines).toEqual(['HTTP/1.1 401']);
    expect(count).toBe(0);
  });
});

describe('a request that is being processed', () => {
  it('does not get the error for what follows it on the connection', async () => {
    const running = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const socket = await openSocket(started.server.port);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
    await running;
    socket.write('not a request\r\n\r\n');
    await once(socket, 'close');
    release();
    expect(Buffer.concat(chunks).toString()).toBe('');
  });
});
