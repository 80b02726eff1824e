import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Auth,
  type Client,
  createClient,
  ResponseError,
  refreshSession,
  type SessionTokens,
} from '@sluice/client';
import { type CuttingProxy, startCuttingProxy } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { authorizeProgram, logIn, postForm } from '@sluice/testkit/requests';

let hosts: TestHosts;
let stream: CuttingProxy;
let api: CuttingProxy;
beforeAll(async () => {
  hosts = await startHosts();
  stream = await startCuttingProxy(hosts.url);
  api = await startCuttingProxy(hosts.api.url);
}, 120_000);
afterAll(async () => {
  await stream?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});
afterEach(() => {
  for (const proxy of [stream, api]) proxy.reset();
});

const clientOf = (auth: Auth): Client =>
  createClient({ tenant: 'acme', streamUrl: stream.url, apiUrl: api.url, auth, retries: 0 });
const refreshes = (): number => api.seen.filter(({ path }) => path.startsWith('/auth/refresh')).length;
/** Makes the stream host reject the access token of the next request. */
const rejectToken = (): void => {
  const body = JSON.stringify({ error: 'unauthorized', message: 'text', request_id: 'r' });
  stream.reply('/me', { status: 401, headers: { 'content-type': 'application/json' }, body });
};
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('a stored session', () => {
  it('is refreshed once for requests that start together, and stored before its token is used', async () => {
    const { refresh_token: refreshToken } = await logIn(hosts, hosts.ann);
    const sent = stream.seen.length;
    const before = refreshes();
    const stored: SessionTokens[] = [];
    const onTokens = (tokens: SessionTokens) => {
      expect(stream.seen).toHaveLength(sent);
      stored.push(tokens);
    };
    const client = clientOf({ refreshToken, onTokens });
    const [me] = await Promise.all([client.stream.getMe(), client.stream.getMe(), client.api.getMe()]);
    expect(me.user).toBe(hosts.ann.email);
    expect(refreshes() - before).toBe(1);
    expect(stored).toEqual([
      { accessToken: expect.any(String), refreshToken: expect.any(String), expiresAt: expect.any(Number) },
    ]);
    expect(stored[0]?.refreshToken).not.toBe(refreshToken);
    expect(stored[0]?.expiresAt).toBeGreaterThan(Date.now());
  });

  it('of a program is refreshed with its client id, and keeps its scope', async () => {
    const form = await authorizeProgram(hosts.api.url, hosts.ann, 'query:run');
    const { body } = await postForm(`${hosts.api.url}/auth/acme/oauth2/token`, form);
    const stored: SessionTokens[] = [];
    const onTokens = (tokens: SessionTokens) => void stored.push(tokens);
    const client = clientOf({ clientId: 'sluice-cli', refreshToken: body.refresh_token, onTokens });
    expect((await client.api.getMe()).permissions).toEqual(['query:run']);
    expect((await client.stream.getMe()).permissions).toEqual(['query:run']);
    expect(stored).toHaveLength(1);
    const withoutId = clientOf({ refreshToken: stored[0]?.refreshToken ?? '', onTokens });
    expect(await failureOf(withoutId.api.getMe())).toMatchObject({ code: 'invalid_grant' });
  });

  it('is exchanged once by refreshSession, for programs with a lock of their own', async () => {
    const urls = { tenant: 'acme', streamUrl: stream.url, apiUrl: api.url, retries: 0 };
    const form = await authorizeProgram(hosts.api.url, hosts.ann, 'query:run');
    const { body } = await postForm(`${hosts.api.url}/auth/acme/oauth2/token`, form);
    const program = { clientId: 'sluice-cli', refreshToken: body.refresh_token };
    const { refresh_token: refreshToken } = await logIn(hosts, hosts.ann);
    for (const session of [program, { refreshToken }]) {
      const next = await refreshSession(urls, session);
      expect(next.refreshToken).not.toBe(session.refreshToken);
      expect(next.expiresAt).toBeGreaterThan(Date.now());
      const { user } = await clientOf({ token: () => next.accessToken }).stream.getMe();
      expect(user).toBe(hosts.ann.email);
    }
    expect(await failureOf(refreshSession(urls, { refreshToken: 'x' }))).toMatchObject({ code: 'invalid_grant' });
  });

  it('goes on with each token that replaced the one before', async () => {
    const { refresh_token: refreshToken } = await logIn(hosts, hosts.ann);
    const stored: string[] = [];
    const client = clientOf({ refreshToken, onTokens: (tokens) => void stored.push(tokens.refreshToken) });
    for (let round = 0; round < 3; round += 1) {
      await client.stream.getMe();
      rejectToken();
    }
    await client.stream.getMe();
    expect(new Set([refreshToken, ...stored]).size).toBe(5);
    // The last one works in the next run of the program.
    const next = clientOf({ refreshToken: stored.at(-1) ?? '', onTokens: () => undefined });
    expect((await next.stream.getMe()).user).toBe(hosts.ann.email);
  });

  it('begins with its access token while that is valid', async () => {
    const { refresh_token: refreshToken, access_token: accessToken } = await logIn(hosts, hosts.ann);
    const before = refreshes();
    const session = { refreshToken, accessToken, onTokens: () => undefined };
    await clientOf({ ...session, expiresAt: Date.now() + 60_000 }).stream.getMe();
    expect(refreshes() - before).toBe(0);
    await clientOf({ ...session, expiresAt: Date.now() - 1 }).stream.getMe();
    expect(refreshes() - before).toBe(1);
  });

  it('ends for all when a program uses a token that another one has replaced', async () => {
    const { refresh_token: refreshToken } = await logIn(hosts, hosts.ann);
    const onTokens = () => undefined;
    const first = clientOf({ refreshToken, onTokens });
    await first.stream.getMe();
    rejectToken();
    await first.stream.getMe();
    const late = await failureOf(clientOf({ refreshToken, onTokens }).stream.getMe());
    expect(late).toBeInstanceOf(ResponseError);
    expect(late).toMatchObject({ code: 'invalid_grant' });
    rejectToken();
    expect(await failureOf(first.stream.getMe())).toMatchObject({ code: 'invalid_grant' });
  });

  it('fails the request when it cannot be stored, and stores the same tokens with the next one', async () => {
    const { refresh_token: refreshToken } = await logIn(hosts, hosts.ann);
    const before = refreshes();
    const seen: string[] = [];
    const onTokens = async (tokens: SessionTokens) => {
      seen.push(tokens.refreshToken);
      if (seen.length === 1) throw new Error('disk full');
    };
    const client = clientOf({ refreshToken, onTokens });
    expect(await failureOf(client.stream.getMe())).toMatchObject({ message: 'disk full' });
    await client.stream.getMe();
    expect(seen).toHaveLength(2);
    expect(new Set(seen).size).toBe(1);
    expect(refreshes() - before).toBe(1);
  });

  it('is stored after a login with a password, too', async () => {
    const stored: SessionTokens[] = [];
    const { email, password } = hosts.ann;
    await clientOf({ email, password, onTokens: (tokens) => void stored.push(tokens) }).stream.getMe();
    expect(stored).toHaveLength(1);
    const next = clientOf({ refreshToken: stored[0]?.refreshToken ?? '', onTokens: () => undefined });
    expect((await next.stream.getMe()).user).toBe(email);
  });

  it.each([{ refreshToken: 'x' }, { refreshToken: '', onTokens: () => undefined }, { refreshToken: 1 }])(
    'is rejected with the options %j',
    (auth) => {
      expect(() => clientOf(auth as unknown as Auth)).toThrow(TypeError);
    },
  );
});
