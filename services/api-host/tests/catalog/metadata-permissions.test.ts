import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import {
  auditRecords,
  importMetadata,
  importOf,
  type LoggedIn,
  logInAs,
  seedDatamap,
  seedTable,
  storedMetadata,
} from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login, postJson, requestClientToken } from '@sluice/testkit/requests';

let test: TestHost;
let steward: LoggedIn;
let owner: LoggedIn;
/** Owns nothing. */
let analyst: LoggedIn;
/** Owns the datamaps of others. */
let colleague: LoggedIn;
let owned: string;

beforeAll(async () => {
  test = await shareTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  owner = await logInAs(test, ['analyst'], test.acme);
  analyst = await logInAs(test, ['analyst'], test.acme);
  colleague = await logInAs(test, ['analyst'], test.acme);
  owned = await seedDatamap(test, test.acme, { ownerId: owner.id, state: 'DRAFT' });
  await seedTable(test, test.acme, { name: 'flights' });
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const FLIGHTS = { type: 'TABLE', id: 'demo.vega.flights', description: 'd' };
const datamap = (id: string, changes: object = {}) => ({ type: 'DATAMAP', id, description: 'd', ...changes });

describe('a caller without any right to import', () => {
  it('gets 403 before the body is read, with an audit record', async () => {
    for (const body of [importOf(FLIGHTS), importOf(), 'no object', importOf(datamap(owned))]) {
      const answer = await importMetadata(test, analyst, body);
      expect([answer.status, answer.body.error]).toEqual([403, 'access_denied']);
      expect(answer.body.metadata_results).toBeUndefined();
      expect(await auditRecords(test, answer)).toMatchObject([{ action: 'ACCESS_DENIED', target: 'importMetadata' }]);
    }
  });

  it('is checked by permission: a removed role takes effect immediately', async () => {
    const former = await logInAs(test, ['steward'], test.acme);
    expect((await importMetadata(test, former, importOf(FLIGHTS))).status).toBe(200);
    await test.rows(`update users set roles = '{analyst}' where id = $1`, [former.id]);
    expect((await importMetadata(test, former, importOf(FLIGHTS))).status).toBe(403);
  });
});

describe('an owner of a datamap', () => {
  it('changes it, with an audit record of the previous values', async () => {
    const changed = await seedDatamap(test, test.acme, { ownerId: owner.id, state: 'DRAFT' });
    const answer = await importMetadata(test, owner, importOf(datamap(changed, { description: 'mine', tags: ['a'] })));
    expect([answer.status, answer.body.success_count]).toEqual([200, 1]);
    expect(await auditRecords(test, answer)).toEqual([
      {
        action: 'IMPORT_METADATA',
        target: changed,
        user_name: owner.email,
        metadata: {
          dry_run: false,
          objects: [
            {
              type: 'DATAMAP',
              id: changed,
              fact_id: changed,
              success: true,
              error_message: null,
              changes: [
                { field: null, property: 'description', before: null, after: 'mine' },
                { field: null, property: 'tags', before: [], after: ['a'] },
              ],
            },
          ],
        },
      },
    ]);
  });

  it('gets 403 with all results when every object is forbidden', async () => {
    const others = await seedDatamap(test, test.acme, { ownerId: colleague.id, state: 'PUBLISHED' });
    const answer = await importMetadata(test, owner, importOf(FLIGHTS, datamap(others)));
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      error: 'access_denied',
      message: 'You may change none of these objects.',
      request_id: answer.headers['x-request-id'],
      metadata_results: [
        {
          type: 'TABLE',
          id: 'demo.vega.flights',
          fact_id: '',
          success: false,
          fields_processed: false,
          error_message: 'Changing a TABLE requires the permission metadata:write.',
        },
        {
          type: 'DATAMAP',
          id: others,
          fact_id: others,
          success: false,
          fields_processed: false,
          error_message: 'Changing this DATAMAP requires its ownership, or the permission metadata:write or admin.',
        },
      ],
      success_count: 0,
      failure_count: 2,
      total_count: 2,
    });
    expect(await auditRecords(test, answer)).toMatchObject([{ action: 'ACCESS_DENIED', target: '2 objects' }]);
    expect((await storedMetadata(test, others)).description).toBeNull();
  });

  it('gets 200 when one object is allowed, or when some are forbidden and some missing', async () => {
    expect((await importMetadata(test, owner, importOf(FLIGHTS, datamap(owned)))).body).toMatchObject({
      success_count: 1,
      failure_count: 1,
    });
    const mixed = await importMetadata(test, owner, importOf(FLIGHTS, datamap(randomUUID())));
    expect([mixed.status, mixed.body.success_count]).toEqual([200, 0]);
  });

  it("cannot distinguish another user's draft from a missing one", async () => {
    const draft = await seedDatamap(test, test.acme, { ownerId: colleague.id, state: 'DRAFT' });
    const nobody = randomUUID();
    const found = await importMetadata(test, owner, importOf(datamap(draft)));
    const missing = await importMetadata(test, owner, importOf(datamap(nobody)));
    const alike = ({ text, headers }: typeof found, id: string) =>
      text.replaceAll(id, 'id').replaceAll(String(headers['x-request-id']), 'request');
    expect([found.status, missing.status]).toEqual([404, 404]);
    expect(alike(found, draft)).toBe(alike(missing, nobody));
  });

  it('gets "forbidden" for a draft as its steward, who does not own it', async () => {
    const draft = await seedDatamap(test, test.acme, { ownerId: colleague.id, stewardId: owner.id, state: 'DRAFT' });
    expect((await importMetadata(test, owner, importOf(datamap(draft)))).status).toBe(403);
  });
});

describe('metadata:write', () => {
  it('covers every datamap of its tenant, in any state', async () => {
    for (const state of ['DRAFT', 'IN_PROGRESS', 'PUBLISHED', 'ARCHIVED'] as const) {
      const id = await seedDatamap(test, test.acme, { ownerId: colleague.id, state });
      expect((await importMetadata(test, steward, importOf(datamap(id)))).body.success_count).toBe(1);
    }
    const foreign = await seedDatamap(test, test.globex, { ownerId: colleague.id });
    expect((await importMetadata(test, steward, importOf(datamap(foreign)))).status).toBe(404);
    const table = await seedTable(test, test.globex, { name: 'flights' });
    await importMetadata(test, steward, importOf({ ...FLIGHTS, description: 'of acme' }));
    expect((await storedMetadata(test, table)).description).toBeNull();
  });
});

describe('credentials', () => {
  it('must be an ID token, or an access token after Bearer', async () => {
    const { body: tokens } = await login(test.url, test.acme.tenantName);
    const { body: machine } = await requestClientToken(test.url, test.acme.tenantName);
    const url = `${test.url}/metadata/import`;
    for (const headers of [{}, { idtoken: tokens.access_token }, { authorization: `Bearer ${tokens.id_token}` }]) {
      const answer = await postJson(url, importOf(FLIGHTS), headers as Record<string, string>);
      expect([answer.status, answer.body.error]).toEqual([401, 'unauthorized']);
    }
    const withoutPermission = { authorization: `Bearer ${machine.access_token}` };
    const answer = await postJson(url, importOf(FLIGHTS), withoutPermission);
    expect([answer.status, answer.body.error]).toEqual([403, 'access_denied']);
  });

  it('are checked before method, media type and body', async () => {
    const url = `${test.url}/metadata/import`;
    const sent = { method: 'POST', headers: { idtoken: steward.idToken, 'content-type': 'text/plain' }, body: 'x' };
    expect((await send(url, sent)).status).toBe(415);
    expect((await send(url, { ...sent, headers: { 'content-type': 'text/plain' } })).status).toBe(401);
    const got = await send(url, { headers: { idtoken: steward.idToken } });
    expect([got.status, got.headers.allow]).toEqual([405, 'POST, OPTIONS']);
  });
});
