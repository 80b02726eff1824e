import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysProgram } from '@sluice/api-host';
import { type BuiltUser, send, until } from '@sluice/testkit';
import { runProgramInTest } from '@sluice/testkit/fixtures';
import { type ReplaceableHosts, type SteadyLoad, startReplaceableHosts, startSteadyLoad } from '@sluice/testkit/hosts';
import { idtoken, logIn, type Tokens } from '@sluice/testkit/requests';

const OPERATOR_TOKEN = 'the-operator-token-of-the-tests-of-keys';
const USERS = 20;
const REQUESTS_PER_SECOND = 100;

interface Key {
  readonly kid: string;
  readonly state: string;
  readonly refused_from_ts: number | null;
}

let hosts: ReplaceableHosts;
let users: readonly BuiltUser[];
beforeAll(async () => {
  hosts = await startReplaceableHosts({ settings: { OPERATOR_TOKEN }, streamSettings: { WORKERS_WARM: '2' } });
  users = await Promise.all(Array.from({ length: USERS }, () => hosts.build.user(hosts.acme)));
}, 120_000);
afterAll(async () => await hosts[Symbol.asyncDispose]());

async function askKeys(path = '', method = 'GET'): Promise<readonly Key[]> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const answer = await send(`${hosts.apiUrl}/operator/keys${path}`, { method, headers });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body.data as Key[];
}

const kidIn = (keys: readonly Key[], state: string): string => keys.find((key) => key.state === state)?.kid ?? '';

async function startLoad(): Promise<SteadyLoad> {
  const { apiUrl, streamUrl } = hosts;
  const load = await startSteadyLoad({ apiUrl, streamUrl, users, requestsPerSecond: REQUESTS_PER_SECOND });
  hosts.holdFor(load);
  return load;
}

/** Waits until every token in use was signed by this key. */
const untilAllUse = (load: SteadyLoad, kid: string) =>
  until(async () => ([...load.kids()].join() === kid ? true : undefined), { what: 'tokens of the new key alone' });

/** Statuses of a request with the token to each host. */
const statusesOf = async ({ id_token: token }: Tokens): Promise<readonly number[]> =>
  await Promise.all(
    [hosts.apiUrl, hosts.streamUrl].map(async (url) => (await send(`${url}/me`, { headers: idtoken(token) })).status),
  );

describe('100 requests a second to both hosts get no wrong 401', () => {
  it('while the operator rotates the keys', async () => {
    await hosts.rows(`update signing_keys set publish_at = now() - interval '1 day'`);
    const load = await startLoad();
    const next = kidIn(await askKeys(), 'next');
    expect(kidIn(await askKeys('/rotate', 'POST'), 'signing')).toBe(next);
    await untilAllUse(load, next);
    expect(await load.stop()).toEqual([]);
    expect(load.refusals()).toBe(0);
  });

  it('while the operator revokes the key that signs, whose successor is new: its tokens are refused, and users stay logged in', async () => {
    const load = await startLoad();
    const keys = await askKeys();
    const [revoked, next] = [kidIn(keys, 'signing'), kidIn(keys, 'next')];
    // Their users neither refresh nor log in meanwhile.
    const stolen = await logIn({ api: { url: hosts.apiUrl } }, hosts.ann);
    const requestedMs = Date.now();
    const after = await askKeys(`/${revoked}/revoke`, 'POST');
    const refusedFromMs = after.find(({ kid }) => kid === revoked)?.refused_from_ts ?? 0;
    expect(refusedFromMs - requestedMs).toBeLessThanOrEqual(55_000);
    load.allowRefusal(revoked, refusedFromMs - 50);
    await untilAllUse(load, next);
    const refusedMs = await until(
      async () => ((await statusesOf(stolen)).every((status) => status === 401) ? Date.now() : undefined),
      { what: 'the refusal of a token of the revoked key on both hosts', withinMs: 90_000 },
    );
    expect(refusedMs).toBeGreaterThanOrEqual(refusedFromMs - 50);
    expect(refusedMs - requestedMs).toBeLessThanOrEqual(60_000);
    const form = new URLSearchParams({ refresh_token: stolen.refresh_token }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const renewed = await send(`${hosts.apiUrl}/auth/refresh/acme`, { method: 'POST', headers, body: form });
    expect([renewed.status, await statusesOf(renewed.body as Tokens)]).toEqual([200, [200, 200]]);
    expect(await load.stop()).toEqual([]);
  }, 200_000);

  it('while the master key is rotated', async () => {
    const before = hosts.apiSettings()['SLUICE_MASTER_KEY'] ?? '';
    const after = randomBytes(32).toString('base64');
    const load = await startLoad();
    await hosts.replaceApis({ SLUICE_MASTER_KEY_PREVIOUS: after });
    await hosts.replaceApis({ SLUICE_MASTER_KEY: after, SLUICE_MASTER_KEY_PREVIOUS: before });
    const rewrapped = await runProgramInTest(keysProgram, ['rewrap'], { ...hosts.apiSettings() });
    expect([rewrapped.code, rewrapped.stdout]).toEqual([
      0,
      expect.stringContaining('Every stored value is under SLUICE_MASTER_KEY.'),
    ]);
    await hosts.replaceApis({ SLUICE_MASTER_KEY_PREVIOUS: undefined });
    expect(await load.stop()).toEqual([]);
    expect(load.refusals()).toBe(0);
    // The keys are rotated under the new master key alone.
    expect(kidIn(await askKeys('/rotate', 'POST'), 'signing')).not.toBe('');
  }, 200_000);
});
