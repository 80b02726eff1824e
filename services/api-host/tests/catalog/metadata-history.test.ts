import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import {
  createDomain,
  get,
  importMetadata,
  importOf,
  type LoggedIn,
  logInAs,
  seedDatamap,
  seedTable,
} from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';

let test: TestHost;
let steward: LoggedIn;
let other: LoggedIn;
let analyst: LoggedIn;

beforeAll(async () => {
  test = await shareTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  other = await logInAs(test, ['steward'], test.acme);
  analyst = await logInAs(test, ['analyst'], test.acme);
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const changesOf = (by: LoggedIn, type: string, id: string, more = ''): Promise<ReceivedResponse> =>
  get(test, by, `/metadata/changes?type=${type}&id=${encodeURIComponent(id)}${more}`);
const change = (by: LoggedIn, object: object, headers = {}): Promise<ReceivedResponse> =>
  importMetadata(test, by, importOf(object), headers);

describe('the changes of a table', () => {
  it('are listed with who and when, the values before and after, and the request, last one first', async () => {
    await seedTable(test, test.acme, { name: 'flights', columns: ['delay'] });
    const flights = { type: 'TABLE', id: 'demo.vega.flights' };
    const domain = await createDomain(test, steward, 'Aviation');
    const first = await change(steward, { ...flights, description: 'One', tags: ['air'], domains: ['Aviation'] });
    await change(other, { ...flights, description: 'Two', fields: [{ name: 'delay', description: 'Minutes' }] });
    // It changes nothing, so it is not a change.
    await change(other, { ...flights, description: 'Two' });
    const { status, body } = await changesOf(steward, 'TABLE', flights.id);
    expect([status, body]).toEqual([
      200,
      {
        total: 2,
        data: [
          {
            version: 3,
            changed_ts: expect.any(Number),
            changed_by: other.email,
            request_id: expect.any(String),
            changes: [
              { field: null, property: 'description', before: 'One', after: 'Two' },
              { field: 'delay', property: 'description', before: null, after: 'Minutes' },
            ],
          },
          {
            version: 2,
            changed_ts: expect.any(Number),
            changed_by: steward.email,
            request_id: first.headers['x-request-id'],
            changes: [
              { field: null, property: 'description', before: null, after: 'One' },
              { field: null, property: 'tags', before: [], after: ['air'] },
              { field: null, property: 'domains', before: [], after: [domain] },
            ],
          },
        ],
      },
    ]);
    const page = await changesOf(steward, 'TABLE', flights.id, '&from=1&size=1');
    expect(page.body).toMatchObject({ total: 2, data: [{ version: 2 }] });
  });

  it('can be reverted by an ordinary change, which fails if somebody else was first', async () => {
    await seedTable(test, test.acme, { name: 'planes' });
    const planes = { type: 'TABLE', id: 'demo.vega.planes' };
    await change(steward, { ...planes, description: 'Right' });
    await change(other, { ...planes, description: 'Wrong' });
    const read = await get(test, steward, '/catalog/demo/vega/planes');
    const headers = { 'if-match': String(read.headers['etag']) };
    const [last] = (await changesOf(steward, 'TABLE', planes.id)).body.data;
    const revert = { ...planes, description: last.changes[0].before };
    expect((await change(steward, revert, headers)).body.success_count).toBe(1);
    expect((await change(steward, revert, headers)).status).toBe(412);
    expect((await changesOf(steward, 'TABLE', planes.id)).body.data[0]).toMatchObject({
      version: 4,
      changes: [{ property: 'description', before: 'Wrong', after: 'Right' }],
    });
  });

  it('are not written by a dry run, nor by a change that is rejected', async () => {
    await seedTable(test, test.acme, { name: 'dry' });
    const dry = { type: 'TABLE', id: 'demo.vega.dry' };
    await importMetadata(test, steward, { ...importOf({ ...dry, description: 'x' }), dry_run: true });
    await change(steward, { ...dry, fields: [{ name: 'unknown', description: 'x' }] });
    expect((await changesOf(steward, 'TABLE', dry.id)).body).toEqual({ total: 0, data: [] });
  });

  it('are for those who may change it', async () => {
    await seedTable(test, test.globex, { name: 'secret' });
    await seedTable(test, test.acme, { name: 'own' });
    expect((await changesOf(analyst, 'TABLE', 'demo.vega.own')).body.error).toBe('access_denied');
    for (const [type, id] of [
      ['TABLE', 'demo.vega.secret'],
      ['VIEW', 'demo.vega.own'],
      ['TABLE', 'no name'],
      ['DATAMAP', 'no uuid'],
    ] as const)
      expect([id, (await changesOf(steward, type, id)).status]).toEqual([id, 404]);
    for (const query of ['', '?type=TABLE', '?type=X&id=a.b.c', '?type=TABLE&id=%20', '?type=TABLE&id=a.b.c&size=0'])
      expect([query, (await get(test, steward, `/metadata/changes${query}`)).status]).toEqual([query, 400]);
  });
});

describe('the changes of a datamap', () => {
  it('have its statement and state too, from its creation on', async () => {
    const owner = await logInAs(test, ['steward'], test.acme);
    const made = await sendJson('POST', '/datamap', owner, { body: { name: 'sales', sql: 'SELECT 1 AS n' } });
    expect(made.status).toBe(201);
    const { id } = made.body;
    await sendJson('PUT', `/datamap/${id}`, owner, { body: { sql: 'SELECT 2 AS n', tags: ['money'] } });
    await sendJson('POST', `/datamap/${id}/publish`, owner, {});
    const { body } = await changesOf(owner, 'DATAMAP', id);
    expect(body.data.map(({ changes }: { changes: object[] }) => changes)).toEqual([
      [{ field: null, property: 'state', before: 'IN_PROGRESS', after: 'PUBLISHED' }],
      expect.arrayContaining([
        { field: null, property: 'sql', before: 'SELECT 1 AS n', after: 'SELECT 2 AS n' },
        { field: null, property: 'tags', before: [], after: ['money'] },
      ]),
      expect.arrayContaining([
        { field: null, property: 'name', before: null, after: 'sales' },
        { field: null, property: 'sql', before: null, after: 'SELECT 1 AS n' },
      ]),
    ]);
    // It is published, so the analyst may see it, but not change it.
    expect((await changesOf(analyst, 'DATAMAP', id)).body.error).toBe('access_denied');
  });

  it('are for its owner and stewards, and hidden with the datamap', async () => {
    const draft = await seedDatamap(test, test.acme, { ownerId: analyst.id, state: 'DRAFT' });
    expect((await changesOf(analyst, 'DATAMAP', draft)).body).toEqual({ total: 0, data: [] });
    const colleague = await logInAs(test, ['analyst'], test.acme);
    expect((await changesOf(colleague, 'DATAMAP', draft)).body.error).toBe('not_found');
  });
});

const sendJson = (
  method: string,
  path: string,
  { idToken }: LoggedIn,
  { body }: { readonly body?: object },
): Promise<ReceivedResponse> =>
  send(`${test.url}${path}`, {
    method,
    headers: { idtoken: idToken, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
