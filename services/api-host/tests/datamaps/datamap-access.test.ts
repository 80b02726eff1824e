import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { type DatamapFixture, startDatamapFixture } from './datamap-fixture.ts';
import { createDatamap, getDatamap, madeDatamap, searchDatamaps, sendAs } from './datamap-requests.ts';

let fixture: DatamapFixture;
let test: TestHost;
let admin: LoggedIn;
let analyst: LoggedIn;
let foreigner: LoggedIn;
let steward: LoggedIn;
let writer: LoggedIn;
let auditsOf: DatamapFixture['auditsOf'];
let put: DatamapFixture['put'];
let remove: DatamapFixture['remove'];
let step: DatamapFixture['step'];

beforeAll(async () => {
  fixture = await startDatamapFixture();
  ({ test, admin, analyst, foreigner, steward, writer, auditsOf, put, remove, step } = fixture);
}, 120_000);
afterAll(async () => await fixture?.[Symbol.asyncDispose]());

describe('permissions', () => {
  it('follow role and ownership, and a hidden datamap returns 404', async () => {
    const draft = await madeDatamap(test, writer, { name: 'mine' });
    const open = await madeDatamap(test, steward, { name: 'open' }, ['publish']);
    const unknown = randomUUID();
    const missing = { ...(await getDatamap(test, analyst, unknown)).body, request_id: '' };
    for (const [who, id] of [
      [analyst, draft],
      [foreigner, draft],
      [foreigner, open],
      [analyst, 'nosuch'],
    ] as const) {
      const answer = await getDatamap(test, who, id);
      expect([answer.status, { ...answer.body, request_id: '' }]).toEqual([404, missing]);
    }
    for (const who of [writer, steward, admin]) expect((await getDatamap(test, who, draft)).status).toBe(200);
    for (const who of [analyst, writer, admin]) expect((await getDatamap(test, who, open)).status).toBe(200);

    // datamap:write covers own datamaps; metadata:write and admin cover every datamap.
    expect((await put(analyst, open, { description: 'no' })).status).toBe(403);
    const denied = await put(writer, open, { description: 'no' });
    expect([denied.status, denied.body.error]).toEqual([403, 'access_denied']);
    for (const name of ['publish', 'unpublish', 'archive']) expect((await step(writer, open, name)).status).toBe(403);
    expect((await remove(writer, open)).status).toBe(403);
    for (const who of [foreigner]) {
      expect((await put(who, open, { description: 'no' })).status).toBe(404);
      expect((await step(who, open, 'archive')).status).toBe(404);
      expect((await remove(who, open)).status).toBe(404);
    }
    for (const who of [writer, steward, admin])
      expect((await put(who, draft, { description: 'yes' })).status).toBe(200);
    const refusals = await test.rows(
      `select user_name from audit_log where action = 'ACCESS_DENIED' and user_name = $1`,
      [writer.email],
    );
    expect(refusals).toHaveLength(5);
  });

  it('return 404 for a change of a hidden datamap', async () => {
    const hidden = await madeDatamap(test, steward, { name: 'hidden' });
    expect((await put(writer, hidden, { description: 'no' })).status).toBe(404);
    expect((await step(writer, hidden, 'publish')).status).toBe(404);
    expect((await remove(writer, hidden)).status).toBe(404);
    expect(
      (await sendAs(test, writer, { method: 'PUT', path: `/datamap/${hidden}/activity`, body: { rating: 5 } })).status,
    ).toBe(404);
  });

  it('allow its expert to see it, and not to change it', async () => {
    const id = await madeDatamap(test, steward, { name: 'given', sme: writer.email });
    expect((await getDatamap(test, writer, id)).status).toBe(200);
    expect((await put(writer, id, { description: 'by the expert' })).status).toBe(403);
    expect((await put(steward, id, { sme: null })).body.datamap.assigned.sme).toBeNull();
    expect((await getDatamap(test, writer, id)).status).toBe(404);
  });

  it('require an idtoken', async () => {
    for (const [method, path] of [
      ['GET', '/datamap/x'],
      ['POST', '/datamap/search'],
      ['POST', '/datamap'],
      ['PUT', '/datamap/x'],
      ['DELETE', '/datamap/x'],
      ['POST', '/datamap/x/publish'],
      ['POST', '/datamap/x/unpublish'],
      ['POST', '/datamap/x/archive'],
      ['PUT', '/datamap/x/activity'],
    ] as const) {
      expect([method, path, (await send(`${test.url}${path}`, { method })).status]).toEqual([method, path, 401]);
    }
    expect(
      (await send(`${test.url}/datamap/x`, { method: 'HEAD', headers: { idtoken: analyst.idToken } })).status,
    ).toBe(405);
  });
});

describe('saved queries', () => {
  it('are drafts that query:run alone creates, lists, reads, changes and removes, and that stay drafts', async () => {
    await test.rows(`insert into roles (tenant_id, name, permissions) values ($1, 'runner', '{query:run}')`, [
      test.acme.tenantId,
    ]);
    const runner = await logInAs(test, ['runner'], test.acme);
    const other = await logInAs(test, ['runner'], test.acme);
    const id = await madeDatamap(test, runner, { name: 'reports/weekly' });
    const mine = { advance_options: { own_drafts: true } };
    expect((await searchDatamaps(test, runner, mine)).body.data).toMatchObject([{ id }]);
    expect((await searchDatamaps(test, other, mine)).body.data).toEqual([]);
    expect((await getDatamap(test, runner, id)).body.datamap.advanced_mode.sql).toBe('select 1 as one');
    const changed = await put(runner, id, { sql: 'select 2 as two', name: 'reports/monthly' });
    expect([changed.status, changed.body.datamap.state, changed.body.datamap.datamap_fields[0].name]).toEqual([
      200,
      'DRAFT',
      'two',
    ]);
    expect((await auditsOf(id)).map(({ action, user_name }) => [action, user_name === runner.email])).toEqual([
      ['CREATE_DATAMAP', true],
      ['READ_DATAMAP', true],
      ['DESCRIBE_QUERY', true],
      ['UPDATE_DATAMAP', true],
    ]);
    for (const name of ['publish', 'unpublish', 'archive']) expect((await step(runner, id, name)).status).toBe(403);
    const refused = [
      await getDatamap(test, other, id),
      await getDatamap(test, other, randomUUID()),
      await searchDatamaps(test, runner, {}),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(refused[0]?.body.message).toBe('Without the permission datamap:read, you can read only your own drafts.');
    expect([(await put(other, id, { sql: 'select 3' })).status, (await remove(other, id)).status]).toEqual([404, 404]);
    expect((await remove(runner, id)).status).toBe(204);
  });

  it('are all that a user without datamap:write changes, also of what is published and its own', async () => {
    const id = await madeDatamap(test, writer, { name: 'published' }, ['publish']);
    const withdrawn = await madeDatamap(test, writer, { name: 'withdrawn' }, ['publish', 'unpublish']);
    await test.rows(`update datamaps set owner_id = $1 where fact_id = any ($2)`, [analyst.id, [id, withdrawn]]);
    for (const fact of [id, withdrawn]) {
      const denied = await put(analyst, fact, { sql: 'select 4' });
      expect([denied.status, denied.body.message]).toEqual([
        403,
        'Without the permission datamap:write, you can change and remove only your own drafts.',
      ]);
      expect((await remove(analyst, fact)).status).toBe(403);
    }
    const auditor = await logInAs(test, ['auditor'], test.acme);
    const refused = await createDatamap(test, auditor, { name: 'no' });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'You need the permission datamap:write for this, or query:run for your own drafts.',
    ]);
  });
});

describe('activity on a datamap', () => {
  it('counts views in total and per user, in batches', async () => {
    const id = await madeDatamap(test, steward, { name: 'seen' }, ['publish']);
    const reads = await Promise.all(Array.from({ length: 20 }, () => getDatamap(test, analyst, id)));
    expect(reads.every(({ status }) => status === 200)).toBe(true);
    await getDatamap(test, writer, id);
    const until = Date.now() + 30_000;
    let stored: { view_count: string; viewed: string | null }[] = [];
    while (stored[0]?.view_count !== '21' && Date.now() < until) {
      stored = await test.rows(
        `select c.view_count, a.viewed from fact_counters c
         left join fact_activity a using (tenant_id, fact_id) where c.fact_id = $1 and a.account_id = $2`,
        [id, analyst.id],
      );
    }
    expect(stored).toEqual([{ view_count: '21', viewed: '20' }]);
    const { body } = await getDatamap(test, analyst, id);
    expect([body.view_count, body.user_activity.viewed]).toEqual([22, 21]);
    expect(body.user_activity.last_viewed_timestamp).toBeGreaterThan(Date.now() - 60_000);
  });

  it('shows a view immediately to its user', async () => {
    const id = await madeDatamap(test, steward, { name: 'at once' });
    const { body } = await getDatamap(test, steward, id);
    expect([body.view_count, body.user_activity.viewed]).toEqual([1, 1]);
  });

  it('stores favourite, rating and vote per user, and sums them', async () => {
    const id = await madeDatamap(test, steward, { name: 'rated' }, ['publish']);
    const act = (who: LoggedIn, body: object) =>
      sendAs(test, who, { method: 'PUT', path: `/datamap/${id}/activity`, body });
    expect((await act(analyst, { is_favourite: true, rating: 5, vote: 'up' })).body.user_activity).toMatchObject({
      is_favourite: true,
      rating: 5,
      vote: 'UP',
    });
    await act(writer, { rating: 2, vote: 'down' });
    const changed = await act(writer, { rating: 4 });
    expect(changed.body).toMatchObject({
      average_rating: 4.5,
      favourite_count: 1,
      upvote_count: 1,
      downvote_count: 1,
      user_activity: { rating: 4, vote: 'DOWN', is_favourite: null },
    });
    const taken = await act(analyst, { is_favourite: null, rating: null, vote: null });
    expect(taken.body).toMatchObject({ average_rating: 4, favourite_count: 0, upvote_count: 0, downvote_count: 1 });
    const wishes = Array.from({ length: 10 }, (_, index) =>
      act(admin, { rating: (index % 5) + 1, is_favourite: true }),
    );
    await Promise.all(wishes);
    expect((await getDatamap(test, admin, id)).body).toMatchObject({ favourite_count: 1 });
    expect((await auditsOf(id)).filter(({ action }) => action === 'SET_DATAMAP_ACTIVITY')).toHaveLength(14);
    // Ratings do not change the datamap, so ETags stay valid.
    expect(taken.headers['etag']).toBe('"2"');
  });
});
