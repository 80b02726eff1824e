import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { adminTest, recordsOf } from '@sluice/testkit/fixtures';
import { describeAdminResource } from './describe-admin-resource.ts';

// A test looks for secrets in the rows and log lines of all tenants.
const fixture = adminTest({});

const newId = () => `app-${randomUUID().slice(0, 8)}`;
const PUBLIC = { name: 'Reports', type: 'public', redirect_uris: ['http://127.0.0.1/callback'] };
const CONFIDENTIAL = { name: 'Portal', type: 'confidential', redirect_uris: ['https://portal.example.com/callback'] };

const create = (body: object) => fixture.admin.ask({ method: 'POST', path: '/oauth-clients', body });
const change = (id: string, body: object) => fixture.admin.ask({ method: 'PUT', path: `/oauth-clients/${id}`, body });
const replaceSecret = (id: string) => fixture.admin.ask({ method: 'POST', path: `/oauth-clients/${id}/secret` });

describeAdminResource(fixture, {
  what: 'program',
  path: '/oauth-clients',
  newBody: () => ({ client_id: `app-${randomUUID()}`, ...CONFIDENTIAL }),
  changes: () => [{ name: 'Other' }, { scopes: ['query:run'] }, { home_page: 'https://portal.example.com' }],
  pathOf: ({ id }) => `/oauth-clients/${id}`,
  versions: ['"1"', '"2"'],
  versioned: (path) => [{ method: 'POST', path: `${path}/secret` }],
  missing: () => [`/oauth-clients/${randomUUID()}`, '/oauth-clients/no-uuid'],
  textParameters: ['q'],
  life() {
    const clientId = newId();
    const was = { ...CONFIDENTIAL, scopes: ['openid', 'query:run'], home_page: 'https://portal.example.com/about' };
    const is = { ...was, redirect_uris: ['https://portal.example.com/new'], home_page: null };
    const shown = ({ id }: { id: string }) => ({
      id,
      client_id: clientId,
      ...was,
      session_count: 0,
      created_ts: expect.any(Number),
      updated_ts: expect.any(Number),
      updated_by: fixture.admin.email,
    });
    return {
      body: { client_id: clientId, ...was },
      created: (made) => ({ ...shown(made), client_secret: expect.stringMatching(/^[\w-]{43}$/) }),
      shown,
      change: { redirect_uris: is.redirect_uris, home_page: null },
      changed: { redirect_uris: is.redirect_uris, home_page: null, name: was.name, scopes: was.scopes },
      records: ({ id }) => [
        ['CREATE_OAUTH_CLIENT', clientId, { oauth_client_id: id, before: null, after: was }],
        ['READ_OAUTH_CLIENTS', clientId, { oauth_client_id: id }],
        ['UPDATE_OAUTH_CLIENT', clientId, { oauth_client_id: id, before: was, after: is }],
        ['DELETE_OAUTH_CLIENT', clientId, { oauth_client_id: id, before: is, after: null, ended_sessions: 0 }],
      ],
    };
  },
  invalid: () => ({
    creations: [
      [{}, ['body.client_id', 'body.name', 'body.type', 'body.redirect_uris']],
      [{ client_id: 'sluice-cli', ...PUBLIC }, ['body.client_id']],
      [{ client_id: 'Sluice', ...PUBLIC }, ['body.client_id']],
      [{ client_id: 'a b', ...PUBLIC, color: 1 }, ['body.client_id', 'body.color']],
      [{ client_id: 'x', ...PUBLIC, name: ' ' }, ['body.name']],
      [{ client_id: 'x', ...PUBLIC, name: 'Sluice\u202ecommand' }, ['body.name']],
      [{ client_id: 'x', ...PUBLIC, type: 'native' }, ['body.type']],
      [{ client_id: 'x', ...PUBLIC, redirect_uris: [] }, ['body.redirect_uris']],
      [{ client_id: 'x', ...PUBLIC, redirect_uris: Array(2).fill('https://x.example/') }, ['body.redirect_uris']],
      [
        {
          client_id: 'x',
          ...PUBLIC,
          redirect_uris: ['http://x.example/', 'https://x.example/#x', 'https://*.x.example/', 'javascript:alert(1)'],
        },
        ['body.redirect_uris[0]', 'body.redirect_uris[1]', 'body.redirect_uris[2]', 'body.redirect_uris[3]'],
      ],
      [{ client_id: 'x', ...CONFIDENTIAL, redirect_uris: PUBLIC.redirect_uris }, ['body.redirect_uris']],
      [{ client_id: 'x', ...CONFIDENTIAL, redirect_uris: ['com.example.app:/x'] }, ['body.redirect_uris']],
      [{ client_id: 'x', ...PUBLIC, scopes: ['root'] }, ['body.scopes[0]']],
      [{ client_id: 'x', ...PUBLIC, scopes: [] }, ['body.scopes']],
      [{ client_id: 'x', ...PUBLIC, home_page: 'http://x.example' }, ['body.home_page']],
    ],
    changes: [
      {},
      { type: 'public' },
      { client_id: 'y' },
      { redirect_uris: ['http://127.0.0.1/callback'] },
      { redirect_uris: null },
      { name: null },
      { scopes: ['query:run', 'query:run'] },
    ],
    queries: ['size=0', 'from=-1', 'role=x'],
  }),
  listed: {
    bodies: ['list-b', 'list-a', 'list-c'].map((client_id) => ({ client_id, ...PUBLIC })),
    keys: ['list-a', 'list-b', 'list-c'],
    keyOf: ({ client_id }) => client_id,
    isPaged: true,
  },
});

describe('a program', () => {
  it('is found by a part of its client id or its name', async () => {
    const clientId = newId();
    await create({ client_id: clientId, ...PUBLIC, name: `Reports of ${clientId.toUpperCase()}` });
    for (const q of [clientId.slice(0, 8), `reports of ${clientId}`]) {
      const { body } = await fixture.admin.ask({ path: `/oauth-clients?${new URLSearchParams({ q })}` });
      expect(body.data).toContainEqual(expect.objectContaining({ client_id: clientId }));
    }
    expect((await fixture.admin.ask({ path: '/oauth-clients?q=no-such-program' })).body).toEqual({
      total: 0,
      data: [],
    });
  });

  it('has no secret if it is public', async () => {
    const { body } = await create({ client_id: newId(), ...PUBLIC });
    expect(body.client_secret).toBeNull();
    const answer = await replaceSecret(body.id);
    expect([answer.status, answer.body.error]).toEqual([409, 'conflict']);
  });

  it('gets another secret, with a record that does not have it', async () => {
    const { body: made } = await create({ client_id: newId(), ...CONFIDENTIAL });
    const answer = await replaceSecret(made.id);
    expect([answer.status, answer.headers.etag]).toEqual([200, '"2"']);
    expect(answer.body.client_secret).toMatch(/^[\w-]{43}$/);
    expect(answer.body.client_secret).not.toBe(made.client_secret);
    const [record] = await recordsOf(fixture.test, answer);
    expect(record?.[2]).toMatchObject({ secret_replaced: true });
    const rows = JSON.stringify(await fixture.test.rows('select c::text from oauth_clients c'));
    const records = JSON.stringify(await fixture.test.rows('select l::text from audit_log l'));
    for (const secret of [made.client_secret, answer.body.client_secret]) {
      expect(rows + records + fixture.test.logLines.join('\n')).not.toContain(secret);
    }
  });

  it('keeps its place when nothing changes', async () => {
    const { body: made } = await create({ client_id: newId(), ...PUBLIC });
    const same = await change(made.id, { name: PUBLIC.name });
    expect([same.status, same.headers.etag]).toEqual([200, '"1"']);
  });
});
