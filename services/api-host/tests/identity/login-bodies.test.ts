import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiOperations, type Operation } from '@sluice/contract';
import { send, until } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login, postForm, postJson } from '@sluice/testkit/requests';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost({ CONNECTIONS_MAX: '400' });
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const isBeforeLogin = ({ credentials, operatorOnly, body }: Operation): boolean =>
  credentials.length === 0 && operatorOnly !== true && body !== undefined;
const OPERATIONS: readonly Operation[] = Object.values<Operation>(apiOperations).filter(isBeforeLogin);

const open = async (count: number): Promise<Socket[]> => {
  const sockets = Array.from({ length: count }, () => connect(test.host.port, '127.0.0.1'));
  for (const socket of sockets) socket.on('error', () => undefined);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
};

// First, because connections of another test may still be closing.
describe('connections', () => {
  it('beyond CONNECTIONS_MAX are closed immediately; open ones are served, and new ones are accepted again below it', async () => {
    const sockets = await open(400);
    await expect(send(`${test.url}/live`)).rejects.toThrow(/socket hang up|ECONNRESET/);
    const [kept] = sockets;
    kept?.write('GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [answer] = (await once(kept as Socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of sockets) socket.destroy();
    const isServed = async () => (await login(test.url).catch(() => undefined))?.status === 200 || undefined;
    await until(isServed, { what: 'room for a new connection' });
  });
});

describe('a body before login', () => {
  it('has these limits at every such operation', () => {
    expect(OPERATIONS.map(({ id }) => id).sort()).toEqual(
      [
        'acceptInvitation',
        'authorizeDevice',
        'backchannelLogout',
        'confirmLink',
        'decideConsent',
        'decideDevice',
        'decideExternalLogin',
        'introspectToken',
        'login',
        'refresh',
        'requestToken',
        'revokeToken',
        'signIn',
      ].sort(),
    );
    expect(OPERATIONS.map(({ body }) => [body?.bytesMax, body?.valuesMax])).toEqual(
      OPERATIONS.map(() => [16 * 1024, 32]),
    );
  });

  it.each(OPERATIONS.map(({ path }) => path.replace('{tenant}', 'acme')))(
    'is rejected by %s beyond its limits',
    async (path) => {
      const origin = { origin: test.url };
      const fields = Array.from({ length: 33 }, (_, index) => `f${index}=1`).join('&');
      const isJson = path === '/auth/login/acme';
      const post = (form: string) =>
        isJson ? postJson(`${test.url}${path}`, { form }) : postForm(`${test.url}${path}`, form, origin);
      expect((await post(`a=${'x'.repeat(16 * 1024)}`)).status).toBe(413);
      if (isJson) {
        const object = Object.fromEntries(fields.split('&').map((field) => field.split('=')));
        expect((await postJson(`${test.url}${path}`, object)).status).toBe(400);
        return;
      }
      for (const form of [fields, '&'.repeat(16 * 1024)]) {
        const { status, text } = await post(form);
        expect([status, text.includes('32 values')]).toEqual([400, true]);
      }
      // A form of a megabyte is not read at all.
      expect((await post('&'.repeat(1024 * 1024))).status).toBe(413);
    },
  );

  it('is accepted while 300 clients keep theirs open', async () => {
    const sockets = await open(300);
    const head = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n';
    for (const socket of sockets) socket.write(`POST /auth/login/acme HTTP/1.1\r\n${head}${'x'.repeat(15_000)}`);
    const refused = await Promise.race(sockets.map(async (socket) => String((await once(socket, 'data'))[0])));
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    expect((await login(test.url)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});
