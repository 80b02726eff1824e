import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { openSocket, parseResponse, type RawResponse } from '../../testing/raw-exchange.ts';
import { operation, type Started, startApp } from '../../testing/start-app.ts';
import { json, route } from '../index.ts';

const body = {
  schema: z.looseObject({}),
  mediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
  bytesMax: 1024,
  valuesMax: 4,
} as const;
const open = operation({ id: 'open', path: '/open', method: 'POST', body });
const known = operation({ id: 'known', path: '/known', method: 'POST', body, credentials: ['idtoken'] });
const routes = [
  route(open, async (request) => json(200, request.body)),
  route(known, async (request) => json(200, request.body)),
];

let started: Started;
beforeAll(async () => {
  started = await startApp({ routes, anonymousBodyLimits: { bodiesMax: 3, bytesMax: 3000, timeoutMs: 1500 } });
});
afterAll(async () => await started[Symbol.asyncDispose]());

/** A request whose body has begun, and does not end by itself. */
async function begin(path = '/open', head: readonly string[] = []): Promise<Socket> {
  const socket = await openSocket(started.server.port);
  const lines = [
    'Host: x',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    'Connection: close',
    ...head,
  ];
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n1\r\n{\r\n`);
  return socket;
}
const end = (socket: Socket): unknown => socket.write('1\r\n}\r\n0\r\n\r\n');
async function answerOf(socket: Socket): Promise<RawResponse> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return parseResponse(Buffer.concat(chunks).toString());
}
const post = (text: string, mediaType = 'application/x-www-form-urlencoded') =>
  fetch(started.address('/open'), { method: 'POST', body: text, headers: { 'content-type': mediaType } });

describe('bodies of unauthenticated clients', () => {
  it('are rejected oldest first if too many are open', async () => {
    const oldest = await begin();
    const refused = answerOf(oldest);
    const others = [await begin(), await begin()];
    // By its memory: each of them may have 1,024 bytes, and all together 3,000.
    const { status, headers } = await refused;
    expect([status, headers['retry-after']]).toEqual([429, '1']);
    expect((await post('a=1')).status).toBe(200);
    const served = others.map(answerOf);
    for (const other of others) end(other);
    expect((await Promise.all(served)).map((answer) => answer.status)).toEqual([200, 200]);
  });

  it('return 408 if they are not sent in time', async () => {
    const { status, body: text } = await answerOf(await begin());
    expect([status, JSON.parse(text).error]).toEqual([408, 'request_timeout']);
  });

  it('are complete if each byte arrives separately', async () => {
    const socket = await begin();
    const answer = answerOf(socket);
    for (const character of '"name":"Größe"'.split('')) {
      const bytes = Buffer.from(character);
      socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]));
    }
    end(socket);
    expect(JSON.parse((await answer).body)).toEqual({ name: 'Größe' });
  });

  it('return 413 beyond the limit, declared or not', async () => {
    expect((await post(`a=${'x'.repeat(2000)}`)).status).toBe(413);
    const socket = await begin();
    const answer = answerOf(socket);
    socket.write(`7d0\r\n${' '.repeat(2000)}\r\n`);
    expect((await answer).status).toBe(413);
  });

  it('return 400 with too many fields', async () => {
    for (const [text, mediaType] of [
      ['&'.repeat(1000), 'application/x-www-form-urlencoded'],
      ['a=1&b=2&c=3&d=4&e=5', 'application/x-www-form-urlencoded'],
      ['{"a":1,"b":2,"c":3,"d":4,"e":5}', 'application/json'],
    ] as const) {
      const answer = await post(text, mediaType);
      expect([answer.status, await answer.json()]).toEqual([
        400,
        expect.objectContaining({ details: [{ path: 'body', message: 'must not hold more than 4 values' }] }),
      ]);
    }
    expect((await post('a=1&b=2&c=3&d=4')).status).toBe(200);
  });

  it('do not limit bodies of authenticated clients', async () => {
    const sockets = [];
    for (let index = 0; index < 6; index += 1) sockets.push(await begin('/known', ['idtoken: ann@acme']));
    const answers = sockets.map(answerOf);
    expect((await post('a=1')).status).toBe(200);
    for (const socket of sockets) end(socket);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(new Array(6).fill(200));
  });
});
