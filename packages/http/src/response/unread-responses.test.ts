import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { UNREAD_BYTES_MAX } from '@sluice/contract';
import { until } from '@sluice/testkit';
import { openSocket } from '../../testing/raw-exchange.ts';
import { errorOf, operation, startApp } from '../../testing/start-app.ts';
import { bytes, json, route } from '../index.ts';

const large = operation({ id: 'large', path: '/large', credentials: ['idtoken'] });
const change = operation({ id: 'change', method: 'POST', path: '/change', credentials: ['idtoken'] });
const removal = operation({ id: 'removal', method: 'DELETE', path: '/removal', credentials: ['idtoken'] });
const small = operation({ id: 'small', path: '/small', credentials: ['idtoken'] });
/** Two of them exceed the limit. */
const BODY = Buffer.alloc(UNREAD_BYTES_MAX / 2 + 1, 'x');

it('rejects the requests of an account that does not read its responses, and of no other account', async () => {
  await using started = await startApp({
    routes: [route(large, async () => bytes(200, 'text/plain', BODY)), route(small, async () => json(200, {}))],
  });
  const statusOf = async (path: string, idtoken: string) =>
    (await fetch(started.address(path), { headers: { idtoken } })).status;
  const socket = await openSocket(started.server.port);
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\nidtoken: ann@acme\r\n\r\n');
  await once(socket, 'readable');
  const refused = await fetch(started.address('/large'), { headers: { idtoken: 'ann@acme' } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await errorOf(refused)).toEqual([429, 'too_many_requests']);
  expect([await statusOf('/small', 'ann@acme'), await statusOf('/large', 'bob@acme')]).toEqual([200, 200]);
  socket.destroy();
  await until(async () => (await statusOf('/large', 'ann@acme')) === 200 || undefined, { what: 'a new response' });
});

it('sends the response to a change that was made, rejects the next one before it is made, and never rejects a removal', async () => {
  let changes = 0;
  await using started = await startApp({
    routes: [
      route(large, async () => bytes(200, 'text/plain', BODY)),
      route(change, async () => {
        changes += 1;
        return bytes(200, 'text/plain', BODY);
      }),
      route(removal, async () => json(200, {})),
    ],
  });
  const headers = { idtoken: 'ann@acme' };
  const [first, second] = [await openSocket(started.server.port), await openSocket(started.server.port)];
  first.write('GET /large HTTP/1.1\r\nHost: x\r\nidtoken: ann@acme\r\n\r\n');
  await once(first, 'readable');
  second.write('POST /change HTTP/1.1\r\nHost: x\r\nidtoken: ann@acme\r\nContent-Length: 0\r\n\r\n');
  await once(second, 'readable');
  expect(String(second.read())).toMatch(/^HTTP\/1\.1 200 /);
  expect((await fetch(started.address('/change'), { method: 'POST', headers })).status).toBe(429);
  expect((await fetch(started.address('/removal'), { method: 'DELETE', headers })).status).toBe(200);
  expect(changes).toBe(1);
  for (const socket of [first, second]) socket.destroy();
});
