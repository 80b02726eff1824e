import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';
import { createDatamap, madeDatamap, sendAs } from './datamap-requests.ts';

let test: TestHost;
let steward: LoggedIn;
let id: string;

beforeAll(async () => {
  test = await shareTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  id = await madeDatamap(test, steward, { name: 'target' });
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const wrong: [object, string][] = [
  [{ name: '' }, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(256) }, 'name'],
  [{ name: 5 }, 'name'],
  [{ name: 'a\0b' }, 'name'],
  [{ display_name: '' }, 'display_name'],
  [{ display_name: null }, 'display_name'],
  [{ description: 5 }, 'description'],
  [{ description: 'x'.repeat(100_001) }, 'description'],
  [{ description: '\ud800' }, 'description'],
  [{ tags: null }, 'tags'],
  [{ tags: 'a' }, 'tags'],
  [{ tags: ['a', ' '] }, 'tags[1]'],
  [{ tags: ['x'.repeat(257)] }, 'tags[0]'],
  [{ tags: [{}] }, 'tags[0]'],
  [{ sql: '' }, 'sql'],
  [{ sql: '  ' }, 'sql'],
  [{ sql: 'select \0' }, 'sql'],
  [{ sql: `select '${'x'.repeat(262_144)}'` }, 'sql'],
  [{ priority: 'high' }, 'priority'],
  [{ limit: 0 }, 'limit'],
  [{ limit: 1.5 }, 'limit'],
  [{ sme: 'nobody@example.com' }, 'sme'],
  [{ sme: '' }, 'sme'],
  [{ state: 'PUBLISHED' }, 'state'],
  [{ id: 'x' }, 'id'],
  [{ owner: 'x' }, 'owner'],
  [{ datamap: {} }, 'datamap'],
  [{ constructor: {} }, 'constructor'],
];

describe('an invalid datamap is rejected at creation and at change', () => {
  it.each(wrong)('%j', async (body, path) => {
    const made = await createDatamap(test, steward, { name: 'new', ...body });
    const changed = await sendAs(test, steward, { method: 'PUT', path: `/datamap/${id}`, body });
    for (const answer of [made, changed]) {
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
      expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(`body.${path}`);
    }
  });

  it('with __proto__ as a key, which pollutes nothing', async () => {
    const answer = await send(`${test.url}/datamap`, {
      method: 'POST',
      headers: { idtoken: steward.idToken, 'content-type': 'application/json' },
      body: '{"name":"x","__proto__":{"polluted":true}}',
    });
    expect(answer.status).toBe(400);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('without a name, with every problem at once', async () => {
    expect((await createDatamap(test, steward, {})).body.details).toEqual([
      expect.objectContaining({ path: 'body.name' }),
    ]);
    const answer = await createDatamap(test, steward, { name: '', sql: '', tags: null, limit: 0, extra: 1 });
    expect(answer.body.details).toHaveLength(5);
  });
});

describe('an activity', () => {
  it.each([
    [{ rating: 0 }, 'body.rating'],
    [{ rating: 6 }, 'body.rating'],
    [{ rating: 2.5 }, 'body.rating'],
    [{ rating: '5' }, 'body.rating'],
    [{ vote: 'sideways' }, 'body.vote'],
    [{ is_favourite: 1 }, 'body.is_favourite'],
    [{ viewed: 5 }, 'body.viewed'],
  ])('rejects %j', async (body, path) => {
    const answer = await sendAs(test, steward, { method: 'PUT', path: `/datamap/${id}/activity`, body });
    expect([answer.status, answer.body.details[0].path]).toEqual([400, path]);
  });

  it('with an empty body changes nothing', async () => {
    const answer = await sendAs(test, steward, { method: 'PUT', path: `/datamap/${id}/activity`, body: {} });
    expect([answer.status, answer.body.user_activity.rating]).toEqual([200, null]);
  });
});

describe('unusual text', () => {
  it('is stored unchanged and found', async () => {
    const name = `x"; drop table datamaps; -- 'é' 你好 🐧`;
    const { status, body } = await createDatamap(test, steward, {
      name,
      tags: ['🐧'],
      sql: `select 'ü' as "spalte ü"`,
    });
    expect([status, body.datamap.name, body.tags]).toEqual([201, name, ['🐧']]);
    for (const q of ['你好', 'SPALTE Ü', 'drop TABLE', 'E']) {
      const found = await sendAs(test, steward, { method: 'POST', path: '/datamap/search', body: { q } });
      expect([q, found.body.data[0]?.id]).toEqual([q, body.id]);
    }
  });

  it('in the path returns 404 or 400', async () => {
    for (const path of ['%00', '..%2f..', "'%20or%201=1", 'x'.repeat(3000), '%ff']) {
      const { status } = await sendAs(test, steward, { method: 'GET', path: `/datamap/${path}` });
      expect([path, [400, 404].includes(status)]).toEqual([path, true]);
    }
  });
});
