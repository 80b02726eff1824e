import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login, refresh } from '@sluice/testkit/requests';
import { decodeProtectedHeader } from 'jose';

const OPERATOR_TOKEN = 'the-operator-token-of-the-tests-of-keys';

interface Key {
  readonly kid: string;
  readonly state: string;
  readonly signs_from_ts: number;
  readonly refused_from_ts: number | null;
}

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost({ OPERATOR_TOKEN });
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const ask = (path: string, method = 'GET', token = OPERATOR_TOKEN): Promise<ReceivedResponse> =>
  send(`${test.url}/operator/keys${path}`, { method, headers: { authorization: `Bearer ${token}` } });
const keysOf = ({ body }: ReceivedResponse): readonly Key[] => body.data as Key[];
const kidIn = (answer: ReceivedResponse, state: string): string =>
  keysOf(answer).find((key) => key.state === state)?.kid ?? '';
const publishedKids = async (): Promise<string[]> =>
  (await send(`${test.url}/.well-known/jwks.json`)).body.keys.map(({ kid }: Key) => kid);
const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? '';
const statusOf = async (token: string): Promise<number> =>
  (await send(`${test.url}/me`, { headers: { idtoken: token } })).status;

/** Records of a request, one for each tenant. */
const records = (answer: ReceivedResponse) =>
  test.rows(
    `select t.name as tenant, a.action, a.target, a.user_name, a.metadata from audit_log a join tenants t on t.id = a.tenant_id
     where a.request_id = $1 order by t.name`,
    [answer.headers['x-request-id']],
  );
const inEachLog = (record: object) =>
  ['acme', 'globex'].map((tenant) => ({ tenant, user_name: 'operator', ...record }));

/** Publishes the successor long enough ago that every verifier can know it. */
const publishLongAgo = () => test.rows(`update signing_keys set publish_at = now() - interval '1 day'`);

describe('GET /operator/keys', () => {
  it('lists the key that signs and its successor, in a record of each tenant', async () => {
    const answer = await ask('');
    expect(answer.status).toBe(200);
    expect(keysOf(answer)).toEqual([
      {
        kid: expect.stringMatching(/^[\w-]{43}$/),
        state: 'signing',
        published_ts: expect.any(Number),
        signs_from_ts: expect.any(Number),
        signs_until_ts: expect.any(Number),
        expires_ts: expect.any(Number),
        refused_from_ts: null,
      },
      expect.objectContaining({ state: 'next', refused_from_ts: null }),
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('private');
    expect(await records(answer)).toEqual(inEachLog({ action: 'READ_KEYS', target: 'signing keys', metadata: {} }));
    const { body: tokens } = await login(test.url);
    expect(kidOf(tokens.id_token)).toBe(kidIn(answer, 'signing'));
  });

  it('returns 401 without the operator token, to an admin too', async () => {
    const { body: tokens } = await login(test.url);
    for (const [path, method] of [
      ['', 'GET'],
      ['/rotate', 'POST'],
      ['/x/revoke', 'POST'],
    ] as const) {
      expect((await ask(path, method, tokens.access_token)).status).toBe(401);
      expect((await send(`${test.url}/operator/keys${path}`, { method })).status).toBe(401);
    }
  });
});

describe('POST /operator/keys/rotate', () => {
  it('lets the next key sign at once if it was published before, and tokens of the former key stay valid', async () => {
    await publishLongAgo();
    const { body: before } = await login(test.url);
    const next = kidIn(await ask(''), 'next');
    const answer = await ask('/rotate', 'POST');
    expect(answer.status).toBe(200);
    expect(keysOf(answer).map(({ kid, state }) => [kid, state])).toEqual([
      [kidOf(before.id_token), 'retired'],
      [next, 'signing'],
      [expect.any(String), 'next'],
    ]);
    expect(await records(answer)).toEqual(
      inEachLog({ action: 'ROTATE_KEYS', target: 'signing keys', metadata: { kid: next, immediate: false } }),
    );
    const { body: after } = await login(test.url);
    expect(kidOf(after.id_token)).toBe(next);
    expect([await statusOf(before.id_token), await statusOf(after.id_token)]).toEqual([200, 200]);
    expect(await publishedKids()).toEqual(keysOf(answer).map(({ kid }) => kid));
  });

  it('lets a new successor sign two minutes after it was published, or at once with immediate', async () => {
    const signing = kidIn(await ask(''), 'signing');
    const next = kidIn(await ask(''), 'next');
    const waiting = await ask('/rotate', 'POST');
    expect(kidIn(waiting, 'signing')).toBe(signing);
    const { signs_from_ts: from } = keysOf(waiting).find(({ kid }) => kid === next) ?? { signs_from_ts: 0 };
    expect(from).toBeGreaterThan(Date.now());
    expect(from).toBeLessThanOrEqual(Date.now() + 120_000);
    const immediate = await ask('/rotate?immediate=true', 'POST');
    expect(kidIn(immediate, 'signing')).toBe(next);
    expect(await records(immediate)).toMatchObject([{ metadata: { kid: next, immediate: true } }, {}]);
    expect(kidOf((await login(test.url)).body.id_token)).toBe(next);
    expect((await ask('/rotate?immediate=yes', 'POST')).status).toBe(400);
  });
});

describe('POST /operator/keys/{kid}/revoke', () => {
  const passRefusal = (kid: string) =>
    test.rows(`update revoked_keys set revoked_at = now() - interval '1 ms' where kid = $1`, [kid]);

  it('lets the next key sign, then refuses the tokens of the revoked one, and its sessions go on by refresh', async () => {
    await publishLongAgo();
    const { body: tokens } = await login(test.url);
    const kid = kidOf(tokens.id_token);
    const next = kidIn(await ask(''), 'next');
    const answer = await ask(`/${kid}/revoke`, 'POST');
    expect(answer.status).toBe(200);
    const revoked = keysOf(answer).find((key) => key.kid === kid);
    expect([revoked?.state, kidIn(answer, 'signing')]).toEqual(['revoked', next]);
    expect(revoked?.refused_from_ts).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(await records(answer)).toEqual(inEachLog({ action: 'REVOKE_KEY', target: kid, metadata: { kid } }));
    // Hosts that have not read the keys again may still hand out tokens of the key.
    expect(await statusOf(tokens.id_token)).toBe(200);
    expect(kidOf((await login(test.url)).body.id_token)).toBe(next);
    await passRefusal(kid);
    expect([await statusOf(tokens.id_token), await statusOf(tokens.id_token)]).toEqual([401, 401]);
    const renewed = await refresh(test.url, tokens.refresh_token);
    expect([renewed.status, kidOf(renewed.body.id_token), await statusOf(renewed.body.id_token)]).toEqual([
      200,
      next,
      200,
    ]);
    const listed = await ask('');
    expect(keysOf(listed).at(-1)).toMatchObject({ kid, state: 'revoked', published_ts: null });
    expect(await publishedKids()).not.toContain(kid);
    expect(await test.rows('select 1 from signing_keys where kid = $1', [kid])).toEqual([]);
  });

  it('revokes the next key, which is replaced', async () => {
    const next = kidIn(await ask(''), 'next');
    const answer = await ask(`/${next}/revoke`, 'POST');
    expect([answer.status, kidIn(answer, 'next')]).toEqual([200, expect.not.stringMatching(next)]);
    expect(kidIn(answer, 'next')).not.toBe('');
    expect(await publishedKids()).not.toContain(next);
  });

  it('returns 404 for an unknown key and 409 for a revoked one, and records neither', async () => {
    const unknown = await ask('/none/revoke', 'POST');
    expect([unknown.status, unknown.body.message]).toEqual([
      404,
      'There is no key with this kid. GET /operator/keys lists the keys.',
    ]);
    const again = await ask(`/${kidIn(await ask(''), 'revoked')}/revoke`, 'POST');
    expect([again.status, again.body.message]).toEqual([409, 'The key is revoked already.']);
    for (const answer of [unknown, again]) expect(await records(answer)).toEqual([]);
  });

  it('keeps a signing key when many requests revoke keys and rotate at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_none, index) =>
        index % 2 === 0
          ? ask('/rotate?immediate=true', 'POST')
          : ask(`/${kidIn(await ask(''), 'signing')}/revoke`, 'POST'),
      ),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const { status, body } = await login(test.url);
    expect([status, await statusOf(body.id_token)]).toEqual([200, 200]);
    const listed = await ask('');
    expect([kidIn(listed, 'signing') !== '', kidIn(listed, 'next') !== '']).toEqual([true, true]);
  });
});
