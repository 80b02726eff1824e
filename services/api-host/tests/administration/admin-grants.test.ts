import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AskAsAdmin, adminTest, createWithPasswordBy, recordsOf } from '@sluice/testkit/fixtures';
import type { TestAccounts } from '@sluice/testkit/hosts';
import { describeAdminResource } from './describe-admin-resource.ts';

const fixture = adminTest();

/** Items of acme, and of both acme and globex under different titles. */
const ROUTES = 'routes';
const SHARED = 'shared';

const putItem = ({ tenantId }: TestAccounts, id: string, title: string) =>
  fixture.test.rows(
    `insert into marketplace_items (tenant_id, item_id, title, owner_kind, owner_id, owner_name, search, updated_by)
     values ($1, $2, $3, 'user', $4, 'owner@example.com', $2, 'test')`,
    [tenantId, id, title, randomUUID()],
  );

beforeAll(async () => {
  await putItem(fixture.test.acme, ROUTES, 'Routes');
  await putItem(fixture.test.acme, SHARED, 'Shared of acme');
  await putItem(fixture.test.globex, SHARED, 'Shared of globex');
  await putItem(fixture.test.globex, 'foreign', 'Of globex alone');
});

interface Grant {
  readonly item_id: string;
  readonly kind: string;
  readonly name: string;
  readonly expires_ts?: number | null;
}

const DAY_MS = 86_400_000;
const TOMORROW = () => Date.now() + DAY_MS;
const expiresIn = (days: number) => ({ expires_ts: Date.now() + days * DAY_MS });
const LONG_AGO = Date.UTC(2020, 0, 1);

const give = (body: unknown, ask: AskAsAdmin = fixture.admin.ask) => ask({ method: 'POST', path: '/grants', body });
const placeOf = ({ item_id, kind, name }: Grant): string =>
  `/grants/${[item_id, kind, name].map(encodeURIComponent).join('/')}`;
const list = async (query: string, ask: AskAsAdmin = fixture.admin.ask) => {
  const { status, body } = await ask({ path: `/grants?${query}` });
  expect(status).toBe(200);
  return body;
};
const keysOf = (data: readonly Grant[]) => data.map(({ item_id, kind, name }) => [item_id, kind, name]);
/** Expires a grant in the database, because no request can. */
const expire = ({ item_id, kind, name }: Grant) =>
  fixture.test.rows(
    `update marketplace_grants set expires = to_timestamp($4::float8 / 1000)
     where item_id = $1 and subject_kind = $2 and subject = $3`,
    [item_id, kind, name, LONG_AGO],
  );
const noGrants = () => fixture.test.rows('delete from marketplace_grants');

describeAdminResource(fixture, {
  what: 'grant',
  path: '/grants',
  async newBody() {
    const name = `r-${randomUUID()}`;
    for (const { ask } of [fixture.admin, fixture.otherTenantAdmin]) {
      await ask({ method: 'POST', path: '/roles', body: { name, permissions: [] } });
    }
    return { item_id: SHARED, kind: 'role', name };
  },
  changes: () => [expiresIn(1), expiresIn(2), expiresIn(3)],
  pathOf: placeOf,
  missing: (path) => [
    path.replace('/role/', '/group/'),
    path.replace('/role/', '/user/'),
    path.replace(SHARED, 'foreign'),
    placeOf({ item_id: SHARED, kind: 'role', name: 'missing' }),
  ],
  pathWith: (text) => `/grants/${text}/role/${text}`,
  textParameters: ['item', 'role', 'user', 'client'],
  async life() {
    await noGrants();
    await give({ item_id: ROUTES, kind: 'role', name: 'steward' });
    const { email } = await createWithPasswordBy(fixture.admin.ask);
    const expires_ts = TOMORROW();
    const grant = { item_id: ROUTES, kind: 'user', name: email, expires_ts };
    const steward = { kind: 'role', name: 'steward', expires_ts: null };
    const [first, second] = [expires_ts, null].map((expires_ts) => ({ kind: 'user', name: email, expires_ts }));
    return {
      body: { ...grant, name: email.toUpperCase() },
      created: () => ({
        ...grant,
        item_title: 'Routes',
        is_expired: false,
        granted_ts: expect.any(Number),
        granted_by: fixture.admin.email,
      }),
      afterCreation: async ({ granted_ts }) => expect(Math.abs(granted_ts - Date.now())).toBeLessThan(60_000),
      change: { expires_ts: null },
      changed: { expires_ts: null },
      records: () => [
        ['GRANT_MARKETPLACE_ITEM', ROUTES, { before: [steward], after: [steward, first] }],
        ['READ_MARKETPLACE', ROUTES, { kind: 'user', name: email }],
        ['GRANT_MARKETPLACE_ITEM', ROUTES, { before: [steward, first], after: [steward, second] }],
        ['GRANT_MARKETPLACE_ITEM', ROUTES, { before: [steward, second], after: [steward] }],
      ],
    };
  },
  async invalid() {
    const theirs = await createWithPasswordBy(fixture.otherTenantAdmin.ask);
    const good = { item_id: ROUTES, kind: 'role', name: 'analyst' };
    return {
      creations: [
        [{}, ['body.item_id', 'body.kind', 'body.name']],
        [{ ...good, kind: 'group', expires_ts: 'never', color: 1 }, ['body.kind', 'body.expires_ts', 'body.color']],
        [{ ...good, expires_ts: -1 }, ['body.expires_ts']],
        [{ ...good, expires_ts: 1e15 }, ['body.expires_ts']],
        [{ ...good, name: ' ' }, ['body.name']],
        [{ ...good, item_id: 'nothing' }, ['body.item_id']],
        [{ ...good, item_id: 'foreign' }, ['body.item_id']],
        [{ ...good, name: 'nobody' }, ['body.name']],
        [{ ...good, kind: 'user', name: 'nobody@example.com' }, ['body.name']],
        [{ ...good, kind: 'user', name: theirs.email }, ['body.name']],
        [{ ...good, kind: 'user', name: 'analyst' }, ['body.name']],
        [{ ...good, kind: 'client', name: 'nobody' }, ['body.name']],
        [[], ['body']],
      ],
      changes: [{}, { expires_ts: 'x' }, { expires_ts: null, name: 'x' }],
      queries: [
        'size=0',
        'from=-1',
        'page=1',
        'expired=yes',
        'expired',
        'role=NO',
        'user=%00',
        'role=analyst&user=ann@example.com',
        'item=a&item=b',
      ],
    };
  },
});

describe('a grant', () => {
  it('exists once per item and grantee', async () => {
    await noGrants();
    const grants = [
      { item_id: ROUTES, kind: 'role', name: 'analyst' },
      { item_id: ROUTES, kind: 'client', name: 'etl' },
      { item_id: SHARED, kind: 'role', name: 'analyst' },
    ];
    for (const grant of grants) expect((await give(grant)).status).toBe(201);
    expect((await give({ ...grants[0], expires_ts: TOMORROW() })).status).toBe(409);
    expect((await list(`item=${ROUTES}`)).total).toBe(2);
  });

  it('keeps its version if a change changes nothing', async () => {
    await noGrants();
    const grant = { item_id: ROUTES, kind: 'role', name: 'analyst', expires_ts: TOMORROW() };
    const { etag = '' } = (await give(grant)).headers;
    const { expires_ts } = grant;
    const same = await fixture.admin.ask({ method: 'PUT', path: placeOf(grant), body: { expires_ts }, ifMatch: etag });
    expect([same.status, same.headers.etag]).toEqual([200, etag]);
  });

  it('leaves the other grants unchanged when it is removed', async () => {
    await noGrants();
    await fixture.test.rows(
      `insert into marketplace_grants (tenant_id, item_id, subject_kind, subject, granted, granted_by)
       values ($1, $2, 'role', 'steward', '2024-01-02 03:04:05Z', 'earlier@example.com')`,
      [fixture.test.acme.tenantId, ROUTES],
    );
    await give({ item_id: ROUTES, kind: 'role', name: 'analyst' });
    await fixture.admin.ask({ method: 'DELETE', path: placeOf({ item_id: ROUTES, kind: 'role', name: 'analyst' }) });
    expect((await list('')).data).toMatchObject([
      { name: 'steward', granted_ts: Date.UTC(2024, 0, 2, 3, 4, 5), granted_by: 'earlier@example.com' },
    ]);
  });

  it('is removed with its item, role or account', async () => {
    await noGrants();
    await putItem(fixture.test.acme, 'passing', 'Passing');
    await give({ item_id: 'passing', kind: 'role', name: 'steward' });
    await fixture.admin.ask({ method: 'POST', path: '/roles', body: { name: 'passing', permissions: [] } });
    await give({ item_id: ROUTES, kind: 'role', name: 'passing' });
    const { id, email } = await createWithPasswordBy(fixture.admin.ask);
    await give({ item_id: ROUTES, kind: 'user', name: email });
    expect((await list('')).total).toBe(3);
    await fixture.test.rows(`delete from marketplace_items where item_id = 'passing'`);
    await fixture.admin.ask({ method: 'DELETE', path: '/roles/passing' });
    await fixture.admin.ask({ method: 'DELETE', path: `/users/${id}` });
    expect(await list('')).toEqual({ total: 0, data: [] });
  });
});

describe('the list of grants', () => {
  const EXPIRED = { item_id: SHARED, kind: 'role', name: 'steward', expires_ts: LONG_AGO };
  const LATER = { item_id: SHARED, kind: 'client', name: 'etl', expires_ts: Date.UTC(2090, 0, 1) };
  const ALL: readonly Grant[] = [
    { item_id: ROUTES, kind: 'client', name: 'etl' },
    { item_id: ROUTES, kind: 'role', name: 'analyst' },
    { item_id: ROUTES, kind: 'user', name: 'ann@example.com' },
    LATER,
    { item_id: SHARED, kind: 'role', name: 'analyst' },
    EXPIRED,
  ];

  beforeAll(async () => {
    await noGrants();
    for (const grant of [...ALL].reverse()) {
      const isExpired = grant === EXPIRED;
      const { status } = await give({ ...grant, ...(isExpired ? { expires_ts: TOMORROW() } : {}) });
      expect(status).toBe(201);
      if (isExpired) await expire(grant);
    }
    for (const name of ['analyst', 'admin'])
      await give({ item_id: SHARED, kind: 'role', name }, fixture.otherTenantAdmin.ask);
  });

  it('is ordered by item, kind and name, within the tenant, with the title of each item', async () => {
    const { total, data } = await list('');
    expect([total, keysOf(data)]).toEqual([6, keysOf(ALL)]);
    expect(new Set(data.map(({ item_title }: { item_title: string }) => item_title))).toEqual(
      new Set(['Routes', 'Shared of acme']),
    );
    const theirs = await list('', fixture.otherTenantAdmin.ask);
    expect([theirs.total, theirs.data[0].item_title]).toEqual([2, 'Shared of globex']);
  });

  it.each([
    ['a role', 'role=analyst', (grant: Grant) => grant.kind === 'role' && grant.name === 'analyst'],
    ['a user, in any case', 'user=ANN@example.com', ({ kind }: Grant) => kind === 'user'],
    ['a service account', 'client=etl', ({ kind }: Grant) => kind === 'client'],
    ['an item', `item=${SHARED}`, (grant: Grant) => grant.item_id === SHARED],
    ['those that are over', 'expired=true', (grant: Grant) => grant === EXPIRED],
    ['those that hold', 'expired=false', (grant: Grant) => grant !== EXPIRED],
    ['all of it at once', `role=analyst&item=${ROUTES}&expired=false`, (grant: Grant) => grant === ALL[1]],
    ['an e-mail that only a role has', 'user=analyst', () => false],
    ['an item of another tenant', 'item=foreign', () => false],
  ])('is filtered by %s', async (_name, query, isWanted) => {
    const wanted = ALL.filter(isWanted);
    const { total, data } = await list(query);
    expect([total, keysOf(data)]).toEqual([wanted.length, keysOf(wanted)]);
  });

  it('shows for each grant whether it is still valid, and until when', async () => {
    const { data } = await list(`item=${SHARED}`);
    expect(
      data.map(({ expires_ts, is_expired }: { expires_ts: number | null; is_expired: boolean }) => [
        expires_ts,
        is_expired,
      ]),
    ).toEqual([
      [LATER.expires_ts, false],
      [null, false],
      [LONG_AGO, true],
    ]);
  });

  it('comes in pages with a total, and each page is audited', async () => {
    const pages = [];
    for (const from of [0, 4, 8]) pages.push(await list(`from=${from}&size=4`));
    expect(pages.map(({ total, data }) => [total, data.length])).toEqual([
      [6, 4],
      [6, 2],
      [6, 0],
    ]);
    expect(keysOf(pages.flatMap(({ data }) => data))).toEqual(keysOf(ALL));
    const answer = await fixture.admin.ask({ path: '/grants?role=analyst&expired=false&size=1' });
    expect(await recordsOf(fixture.test, answer)).toEqual([
      ['READ_MARKETPLACE', 'grants', { role: 'analyst', expired: false, from: 0, size: 1 }],
    ]);
  });
});

describe('invalid requests about grants', () => {
  it('return 400 for a past expiry, unless a change repeats the stored one', async () => {
    await noGrants();
    const grant = { item_id: ROUTES, kind: 'role', name: 'analyst' };
    const put = (expires_ts: number) =>
      fixture.admin.ask({ method: 'PUT', path: placeOf(grant), body: { expires_ts } });
    const inFuture = 'expires_ts must be in the future, in epoch milliseconds';
    const inMilliseconds = 'expires_ts must be at least 100000000000: milliseconds expected';
    const past = [0, Math.floor(Date.now() / 1000), Date.now() - 1];
    const messages = [inMilliseconds, inMilliseconds, inFuture];
    expect((await put(LONG_AGO)).status).toBe(404);
    const refused = [];
    for (const expires_ts of past) refused.push(await give({ ...grant, expires_ts }));
    expect((await give({ ...grant, expires_ts: TOMORROW() })).status).toBe(201);
    for (const expires_ts of past) refused.push(await put(expires_ts));
    for (const [index, answer] of refused.entries()) {
      expect([answer.status, answer.body.details]).toEqual([
        400,
        [{ path: 'body.expires_ts', message: messages[index % messages.length] }],
      ]);
      expect(await recordsOf(fixture.test, answer)).toEqual([]);
    }
    await expire(grant);
    expect((await put(LONG_AGO)).status).toBe(200);
    expect((await put(LONG_AGO + 1)).status).toBe(400);
    expect((await put(TOMORROW())).status).toBe(200);
  });

  it('return 409 above the number of grants per item', async () => {
    await noGrants();
    await fixture.test.rows(
      `insert into marketplace_grants (tenant_id, item_id, subject_kind, subject, granted_by)
       select $1, $2, 'user', n || '@example.com', 'test' from generate_series(1, 999) n`,
      [fixture.test.acme.tenantId, ROUTES],
    );
    expect((await give({ item_id: ROUTES, kind: 'role', name: 'analyst' })).status).toBe(201);
    const more = await give({ item_id: ROUTES, kind: 'role', name: 'steward' });
    expect([more.status, more.body.message]).toEqual([409, 'An item has at most 1000 grants. Grant it to a role.']);
    expect((await list(`item=${ROUTES}&size=1`)).total).toBe(1000);
  });
});
