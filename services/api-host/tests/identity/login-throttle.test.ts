import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createThrottleStore } from '@sluice/store/identity';
import { send, until } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { basicHeader, login, passwordOf, postForm, postJson, secretOf } from '@sluice/testkit/requests';
import { cookieOf, countOf, createOwner, logInFrom, newAddress } from './guesses.ts';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost({ TRUSTED_PROXIES: 'loopback' });
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

interface Place {
  readonly email: string;
  readonly address: string;
  readonly cookie?: string;
}
/** An account and an address used by one test only. */
const newPlace = async (): Promise<Place> => ({ email: await createOwner(test), address: newAddress() });
const elsewhere = (place: Place): Place => ({ ...place, address: newAddress() });

const guess = ({ email, address, cookie }: Place, password: string | number = 'guess') =>
  logInFrom(test, { email, password: `guess ${password}`, from: { localAddress: address }, cookie });
const right = ({ email, address, cookie }: Place) =>
  logInFrom(test, { email, from: { localAddress: address }, cookie });
const tryBasic = ({ email, address }: Place, password = passwordOf('acme')) =>
  send(`${test.url}/test/stream`, { localAddress: address, headers: { authorization: basicHeader(email, password) } });

/** Sequential, because a concurrent guess may be rejected before its verification. */
const inTurn = async (count: number, tryOne: (index: number) => Promise<{ status: number }>): Promise<number[]> => {
  const statuses = [];
  for (let index = 0; index < count; index += 1) statuses.push((await tryOne(index)).status);
  return statuses;
};
const block = (place: Place) => inTurn(6, (index) => guess(place, index));
const FIVE_THEN_REFUSED = [401, 401, 401, 401, 401, 429, 429, 429];
const AT_LEAST_DELAYED_MS = 900;

describe('guesses at an account from one address', () => {
  it('are compared with the password at most 5 times out of 100 concurrent ones, login and Basic together', async () => {
    const place = await newPlace();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        index % 2 === 0 ? guess(place, index) : tryBasic(place, `guess ${index}`),
      ),
    );
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([5, 95]);
    const records = `select 1 from audit_log where action = 'LOGIN_FAILED' and user_name = $1`;
    expect(await test.rows(records, [place.email])).toHaveLength(5);
    const refused = await right(place);
    expect([refused.status, refused.body.error]).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await tryBasic(place)).status).toBe(429);
  });

  it('count each concurrent repetition of one wrong password', async () => {
    const place = await newPlace();
    const answers = await Promise.all(Array.from({ length: 30 }, () => guess(place)));
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([5, 25]);
  });

  it('count together within one IPv6 /64, and not beyond it', async () => {
    const email = await createOwner(test);
    const at = (forwardedFor: string) => logInFrom(test, { email, password: 'guess', from: { forwardedFor } });
    expect(await inTurn(8, (index) => at(`2001:db8:0:1:${index}::1`))).toEqual(FIVE_THEN_REFUSED);
    expect((await at('2001:db8:0:2::1')).status).toBe(401);
  });

  it('do not block the owner at another address', async () => {
    const place = await newPlace();
    expect(await inTurn(8, (index) => guess(place, index))).toEqual(FIVE_THEN_REFUSED);
    expect((await right(elsewhere(place))).status).toBe(200);
    expect((await tryBasic(elsewhere(place))).status).toBe(200);
  });

  it('get the same response for a known and an unknown account', async () => {
    const known = await newPlace();
    const unknown = { ...elsewhere(known), email: 'nobody@example.com' };
    const answers = async (place: Place) => {
      const seen = [];
      for (let index = 0; index < 8; index += 1) {
        const { status, body, headers } = await guess(place, index);
        seen.push([status, body.error, body.message, Object.keys(headers).sort()]);
      }
      return seen;
    };
    expect(await answers(unknown)).toEqual(await answers(known));
  });

  it('block the account there for at most one minute', async () => {
    const place = await newPlace();
    await guess(place);
    await test.rows(`update login_failures set failures = 19 where scope = 'account_at_address'`);
    expect((await guess(place)).status).toBe(401);
    expect((await right(place)).headers['retry-after']).toBe('60');
    await test.rows(
      `update login_failures set blocked_until = now() - interval '1 ms' where blocked_until is not null`,
    );
    const isOpen = async () => ((await right(place)).status === 200 ? true : undefined);
    await until(isOpen, { what: 'the end of the block' });
    // Earlier failures still count.
    expect([(await guess(place)).status, (await guess(place)).headers['retry-after']]).toEqual([401, '60']);
  });

  it('do not block another account at that address, or a client elsewhere', async () => {
    const place = await newPlace();
    await block(place);
    expect((await right({ ...place, email: await createOwner(test) })).status).toBe(200);
    const token = (client_secret: string, localAddress = place.address) =>
      send(`${test.url}/auth/acme/oauth2/token`, {
        localAddress,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'etl', client_secret }).toString(),
      });
    expect(await inTurn(8, (index) => token(`wrong ${index}`))).toEqual(FIVE_THEN_REFUSED);
    expect((await token(secretOf('acme'))).status).toBe(429);
    expect((await token(secretOf('acme'), newAddress())).status).toBe(200);
  });
});

describe('guesses at many accounts from one address', () => {
  it('do not block others there: after 110 wrong names a login takes about a second', async () => {
    const place = await newPlace();
    const names = Array.from({ length: 110 }, (_, index) => `u${index}@x.test`);
    await Promise.all(names.map((email) => guess({ ...place, email })));
    const begun = performance.now();
    expect((await right(place)).status).toBe(200);
    expect(performance.now() - begun).toBeGreaterThan(AT_LEAST_DELAYED_MS);
  });
});

describe('guesses at an account from many addresses', () => {
  it('delay an unknown client and reject none', async () => {
    const place = await newPlace();
    const known = { ...elsewhere(place), cookie: cookieOf(await right(elsewhere(place)), 'sluice-device') };
    for (let index = 0; index < 5; index += 1) {
      const from = elsewhere(place);
      await inTurn(4, (attempt) => guess(from, attempt));
    }
    const begun = performance.now();
    const responses: string[] = [];
    const ofUnknown = guess(elsewhere(place)).then(({ status }) => responses.push(`unknown ${status}`));
    expect((await guess(known)).status).toBe(401);
    responses.push('known');
    await ofUnknown;
    // The guess that was sent first is delayed, and the other is not.
    expect(responses).toEqual(['known', 'unknown 401']);
    expect(performance.now() - begun).toBeGreaterThan(AT_LEAST_DELAYED_MS);
  });
});

describe('a right password', () => {
  it('sent 50 times concurrently succeeds each time and leaves no count', async () => {
    await test.rows('delete from login_failures');
    const place = await newPlace();
    const answers = await Promise.all([
      ...Array.from({ length: 25 }, () => right(place)),
      ...Array.from({ length: 25 }, () => tryBasic(place)),
    ]);
    expect(countOf(answers, 200)).toBe(50);
    expect(await test.rows('select * from login_failures')).toEqual([]);
  });

  it('restores the previous state: it adds and removes no count', async () => {
    const place = await newPlace();
    expect(await inTurn(4, (index) => guess(place, index))).toEqual([401, 401, 401, 401]);
    expect(await inTurn(8, () => right(place))).toEqual(Array(8).fill(200));
    expect(await inTurn(2, (index) => guess(place, index))).toEqual([401, 429]);
  });

  it('that was verified within the last seconds is accepted while its address is blocked', async () => {
    const place = await newPlace();
    await block(place);
    expect((await right(elsewhere(place))).status).toBe(200);
    expect([(await right(place)).status, (await tryBasic(place)).status]).toEqual([200, 200]);
    expect((await guess(place)).status).toBe(429);
  });
});

describe('a browser that has logged in', () => {
  const newDevice = async (): Promise<Place> => {
    const place = await newPlace();
    return { ...place, cookie: cookieOf(await right(place), 'sluice-device') };
  };

  it('gets a device cookie of 256 bits, stored hashed, and keeps it', async () => {
    const place = await newPlace();
    const answer = await right(place);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^sluice-device=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const cookie = cookieOf(answer, 'sluice-device');
    expect(cookieOf(await right({ ...place, cookie }), 'sluice-device')).toBe(cookie);
    const found = `select token_hash from login_devices where user_id = (select id from users where email = $1)`;
    const stored = await test.rows<{ token_hash: Buffer }>(found, [place.email]);
    expect(stored.map(({ token_hash }) => token_hash.length)).toEqual([32]);
  });

  it('gets it with the prefix __Host- over TLS', async () => {
    const { headers } = await postJson(
      `${test.url}/auth/login/acme`,
      { email: await createOwner(test), password: passwordOf('acme') },
      { 'x-forwarded-proto': 'https' },
    );
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-sluice-device=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });

  it("is not rejected because of others' failures at its address", async () => {
    const device = await newDevice();
    const { cookie: _none, ...others } = device;
    await block(others);
    // Not the recently verified password, which is always accepted.
    expect(await inTurn(2, (index) => guess(device, index))).toEqual([401, 401]);
    expect((await guess(others)).status).toBe(429);
  });

  it('has its own limit', async () => {
    const device = await newDevice();
    expect(await inTurn(8, (index) => guess({ ...elsewhere(device) }, index))).toEqual(FIVE_THEN_REFUSED);
  });

  it('has no advantage for another account', async () => {
    const device = await newDevice();
    const other = { ...device, email: await createOwner(test) };
    expect(await inTurn(8, (index) => guess(other, index))).toEqual(FIVE_THEN_REFUSED);
    expect(cookieOf(await right(elsewhere(other)), 'sluice-device')).not.toBe(device.cookie);
  });

  it('is also recognized by its session', async () => {
    const place = await newPlace();
    const form = { email: place.email, password: passwordOf('acme') };
    const signedIn = await postForm(`${test.url}/auth/sign-in/acme`, form, { origin: test.url });
    await block(place);
    const cookie = cookieOf(signedIn, 'sluice_session_acme');
    expect(await inTurn(8, (index) => guess({ ...place, cookie }, index))).toEqual(FIVE_THEN_REFUSED);
  });

  it('is forgotten after 50 later browsers', async () => {
    const device = await newDevice();
    const { cookie: _none, ...place } = device;
    await Promise.all(Array.from({ length: 60 }, () => right(place)));
    const counted = `select count(*)::int as count from login_devices where user_id = (select id from users where email = $1)`;
    expect((await test.rows<{ count: number }>(counted, [device.email]))[0]?.count).toBeLessThanOrEqual(60);
    await right(place);
    expect(await test.rows(counted, [device.email])).toEqual([{ count: 50 }]);
  });
});

describe('what is stored of failed logins', () => {
  it('does not contain the tried name, and is removed after the window', async () => {
    await guess({ email: 'secret-typed-as-name@example.com', address: newAddress() });
    expect(JSON.stringify(await test.rows('select * from login_failures'))).not.toContain('secret-typed');
    await test.rows(`update login_failures set touched = now() - interval '16 minutes'`);
    await createThrottleStore(test.database).deleteOld(15 * 60_000);
    expect(await test.rows('select * from login_failures')).toEqual([]);
  });
});

describe('no secret is stored', () => {
  it('in logs, records or tables', async () => {
    const answer = await login(test.url);
    const { body } = answer;
    const tables = ['audit_log', 'sessions', 'refresh_tokens', 'users', 'clients', 'login_devices', 'signing_keys'];
    const dump = await Promise.all([...tables, 'login_failures'].map((table) => test.rows(`select * from ${table}`)));
    const written = JSON.stringify(dump) + test.logLines.join('');
    expect(test.logLines.length).toBeGreaterThan(10);
    for (const secret of [
      passwordOf('acme'),
      secretOf('acme'),
      cookieOf(answer, 'sluice-device').split('=')[1],
      body.refresh_token,
      body.id_token.split('.')[2],
      body.access_token.split('.')[2],
      '"d":',
    ]) {
      expect(written).not.toContain(secret);
    }
  });
});
