import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Auth,
  type Client,
  ConnectionError,
  createClient,
  type OutgoingRequest,
  ResponseError,
} from '@sluice/client';
import { type BuiltUser, type CuttingProxy, reservePort, startCuttingProxy } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { logIn } from '@sluice/testkit/requests';

let hosts: TestHosts;
let stream: CuttingProxy;
let api: CuttingProxy;
let user: BuiltUser;
beforeAll(async () => {
  hosts = await startHosts();
  stream = await startCuttingProxy(hosts.url);
  api = await startCuttingProxy(hosts.api.url);
  user = hosts.ann;
}, 120_000);
afterAll(async () => {
  await stream?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});
afterEach(() => {
  for (const proxy of [stream, api]) proxy.reset();
});

const clientOf = (auth: Auth, options: Partial<Parameters<typeof createClient>[0]> = {}): Client =>
  createClient({ tenant: 'acme', streamUrl: stream.url, apiUrl: api.url, auth, ...options });
const passwordOf = ({ email, password }: BuiltUser): Auth => ({ email, password });
const firstRow = async (client: Client): Promise<unknown> => {
  for await (const row of client.query('SELECT 1 AS a')) return row;
  return undefined;
};
const requestsTo = (proxy: CuttingProxy, path: string): number =>
  proxy.seen.filter((request) => request.path.startsWith(path)).length;
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );

const json = (status: number, error: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error, message: 'text', request_id: 'r' }),
});

describe('the client logs in', () => {
  it('with a password, once for requests that start together', async () => {
    const before = requestsTo(api, '/auth/login');
    const client = clientOf(passwordOf(user));
    await Promise.all([client.stream.getMe(), client.stream.getMe(), client.api.getMe(), firstRow(client)]);
    expect(requestsTo(api, '/auth/login') - before).toBe(1);
  });

  it('with client credentials', async () => {
    const { clientId, secret } = await hosts.build.client(hosts.acme);
    const client = clientOf({ clientId, clientSecret: secret });
    expect((await client.api.getMe()).kind).toBe('client');
  });

  it('with a token provider, which is called again when the token was rejected', async () => {
    const { access_token } = await logIn(hosts, user);
    const tokens = ['not a token', access_token];
    const client = clientOf({ token: () => tokens.shift() ?? access_token });
    expect((await client.api.getMe()).user).toBe(user.email);
    expect(tokens).toHaveLength(0);
  });

  it('with a session cookie', async () => {
    const { origin } = new URL(api.url);
    const form = new URLSearchParams({ email: user.email, password: user.password });
    const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
    const signedIn = await fetch(`${api.url}/auth/sign-in/acme`, { method: 'POST', headers, body: form });
    const cookie = signedIn.headers.getSetCookie().map((each) => each.split(';')[0]);
    // A browser adds cookie and origin to requests with credentials.
    const browserFetch: typeof fetch = (input, init) => {
      const isSession = init?.credentials === 'include';
      const added = isSession ? { origin, cookie: cookie.join('; ') } : {};
      return fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...added } });
    };
    const client = clientOf({ session: 'cookie' }, { fetch: browserFetch });
    expect((await client.api.getMe()).user).toBe(user.email);
    cookie.length = 0;
    const signedOut = clientOf({ session: 'cookie' }, { fetch: browserFetch });
    expect(await failureOf(signedOut.api.getMe())).toMatchObject({ code: 'unauthorized', status: 401 });
  });

  it('and throws ResponseError when the password is wrong, without a retry', async () => {
    const before = requestsTo(api, '/auth/login');
    const client = clientOf({ email: user.email, password: 'wrong' });
    expect(await failureOf(client.api.getMe())).toMatchObject({ code: 'unauthorized', status: 401 });
    expect(requestsTo(api, '/auth/login') - before).toBe(1);
  });

  it.each([{}, { token: 'text' }, { email: 'a@acme.example', password: 1 }])('and rejects the options %j', (auth) => {
    expect(() => clientOf(auth as unknown as Auth)).toThrow(TypeError);
  });
});

describe('the client renews its token', () => {
  it('once before it expires, also for requests that start together', async () => {
    const tokens = await logIn(hosts, user);
    const login = { ...tokens, expires_in: 0, token_type: 'Bearer' };
    api.reply('/auth/login', {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login),
    });
    const client = clientOf(passwordOf(user));
    await client.stream.getMe();
    const before = requestsTo(api, '/auth/refresh');
    await Promise.all([client.stream.getMe(), client.stream.getMe(), firstRow(client)]);
    expect(requestsTo(api, '/auth/refresh') - before).toBe(1);
  });

  it('and repeats the request when a host rejects it in the middle of many', async () => {
    const client = clientOf(passwordOf(user));
    await client.stream.getMe();
    stream.reply('/query', json(401, 'unauthorized'));
    expect(await firstRow(client)).toEqual({ a: 1 });
  });

  it('and throws when the new one is rejected too', async () => {
    const client = clientOf(passwordOf(user));
    await client.stream.getMe();
    stream.reply('/query', json(401, 'unauthorized'), json(401, 'unauthorized'));
    expect(await failureOf(firstRow(client))).toMatchObject({ code: 'unauthorized' });
  });

  it('and logs in again when the session has ended', async () => {
    const client = clientOf(passwordOf(user));
    await client.stream.getMe();
    api.reply('/auth/refresh', json(400, 'invalid_grant'));
    stream.reply('/me', json(401, 'unauthorized'));
    expect((await client.stream.getMe()).user).toBe(user.email);
  });
});

describe('the client sends a request again', () => {
  it.each([429, 503])('after %s, not before Retry-After', async (status) => {
    const client = clientOf(passwordOf(user));
    await client.stream.getMe();
    stream.reply('/query', json(status, 'too_many_requests', { 'retry-after': '1' }));
    const before = stream.seen.length;
    expect(await firstRow(client)).toEqual({ a: 1 });
    const [first, second] = stream.seen.slice(before).filter(({ path }) => path === '/query');
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('at most as often as allowed, and throws the error of the host', async () => {
    const client = clientOf(passwordOf(user), { retries: 1 });
    await client.stream.getMe();
    stream.reply('/query', json(429, 'too_many_requests'), json(429, 'too_many_requests'), json(500, 'internal'));
    const error = await failureOf(firstRow(client));
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ code: 'too_many_requests', status: 429, requestId: 'r' });
  });

  it('never when Retry-After is longer than the longest wait', async () => {
    const client = clientOf(passwordOf(user));
    await client.stream.getMe();
    stream.reply('/query', json(503, 'service_unavailable', { 'retry-after': '3600' }));
    expect(await failureOf(firstRow(client))).toMatchObject({ retryAfterSeconds: 3600 });
  });

  it('never when it may have changed something', async () => {
    const client = clientOf(passwordOf(user));
    await client.stream.getMe();
    api.reply('/datamap', json(503, 'service_unavailable', { 'retry-after': '0' }));
    const before = requestsTo(api, '/datamap');
    expect(await failureOf(client.api.createDatamap({ body: { name: 'x' } }))).toMatchObject({ status: 503 });
    expect(requestsTo(api, '/datamap') - before).toBe(1);
  });

  it('never after the caller has stopped waiting', async () => {
    const client = clientOf(passwordOf(user));
    await client.stream.getMe();
    stream.reply('/me', json(503, 'service_unavailable', { 'retry-after': '30' }));
    const signal = AbortSignal.timeout(100);
    expect(await failureOf(client.stream.getMe({ signal }))).toMatchObject({ name: 'TimeoutError' });
  });
});

describe('the client throws', () => {
  it('ConnectionError when nothing listens', async () => {
    const url = `http://127.0.0.1:${await reservePort()}`;
    const client = clientOf(passwordOf(user), { streamUrl: url, retries: 1 });
    expect(await failureOf(client.stream.getMe())).toBeInstanceOf(ConnectionError);
  });

  it('ConnectionError when the name does not exist', async () => {
    const client = clientOf(passwordOf(user), { streamUrl: 'http://name.invalid', retries: 0 });
    expect(await failureOf(firstRow(client))).toMatchObject({ code: 'connection_failed' });
  });

  it('unexpected_response for the page of a proxy, whatever its status', async () => {
    const client = clientOf(passwordOf(user), { retries: 0 });
    await client.stream.getMe();
    for (const status of [200, 302, 404, 503]) {
      const page = { status, headers: { 'content-type': 'text/html', location: 'http://127.0.0.1:1' }, body: '<html>' };
      stream.reply('/query', page);
      expect(await failureOf(firstRow(client))).toMatchObject({ code: 'unexpected_response', status });
      stream.reply('/me', page);
      expect(await failureOf(client.stream.getMe())).toMatchObject({ code: 'unexpected_response', status });
    }
  });
});

describe('middleware', () => {
  it('sees every attempt in order, adds headers, and sees no credential', async () => {
    const seen: OutgoingRequest[] = [];
    const statuses: number[] = [];
    const client = clientOf(passwordOf(user), {
      middleware: [
        async (request, next) => {
          request.headers.set('x-request-id', 'from-middleware');
          const response = await next();
          statuses.push(response.status);
          return response;
        },
        (request, next) => {
          seen.push(request);
          return next();
        },
      ],
    });
    await client.stream.getMe();
    stream.reply('/query', json(400, 'invalid_request'));
    await failureOf(firstRow(client));
    expect(seen.map(({ operation, attempt }) => [operation, attempt])).toEqual([
      ['login', 1],
      ['getMe', 1],
      ['streamQuery', 1],
    ]);
    expect(statuses).toEqual([200, 200, 400]);
    expect(seen.every(({ headers }) => headers.get('x-request-id') === 'from-middleware')).toBe(true);
    expect(seen.some(({ headers }) => headers.has('authorization'))).toBe(false);
  });
});
