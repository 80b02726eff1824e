import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
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
let analyst: LoggedIn;

beforeAll(async () => {
  test = await shareTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  analyst = await logInAs(test, ['analyst'], test.acme);
  await seedTable(test, test.acme, { name: 'flights' });
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const flights = (change: object) => importOf({ type: 'TABLE', id: 'demo.vega.flights', ...change });
const owner = async () => (await get(test, analyst, '/catalog/demo/vega/flights')).body.owner;

describe('the owner of a table', () => {
  it('is a user by e-mail in any case, stays when a change does not name one, and can be removed', async () => {
    expect(await owner()).toBeNull();
    const set = await importMetadata(test, steward, flights({ owner: ` ${analyst.email.toUpperCase()} ` }));
    expect(set.body.success_count).toBe(1);
    expect(await owner()).toBe(analyst.email);
    await importMetadata(test, steward, flights({ description: 'All flights' }));
    expect(await owner()).toBe(analyst.email);
    const { body } = await get(test, steward, '/metadata/export?prefix=demo.vega.flights');
    expect(body.metadata_objects).toMatchObject([{ owner: analyst.email }]);
    const dry = await importMetadata(test, steward, { ...flights({ owner: null }), dry_run: true });
    expect(dry.body.metadata_results[0].changes).toEqual([
      { field: null, property: 'owner', before: analyst.email, after: null },
    ]);
    await importMetadata(test, steward, flights({ owner: '' }));
    expect(await owner()).toBeNull();
  });

  it('must be a user of the tenant, and a datamap gets none', async () => {
    const otherTenant = await logInAs(test, ['steward'], test.globex);
    const unknown = await importMetadata(test, steward, flights({ owner: otherTenant.email }));
    expect(unknown.body.metadata_results).toMatchObject([
      { success: false, error_message: `There is no user "${otherTenant.email}".` },
    ]);
    const id = await seedDatamap(test, test.acme, { ownerId: steward.id });
    const datamap = await importMetadata(test, steward, importOf({ type: 'DATAMAP', id, owner: analyst.email }));
    expect([datamap.status, datamap.body.details]).toEqual([
      400,
      [
        {
          path: 'body.metadata_objects[0].owner',
          message: 'the owner of a DATAMAP is who created it; only a TABLE or VIEW gets one here',
        },
      ],
    ]);
    for (const wrong of [1, 'a\0', 'x'.repeat(321)])
      expect((await importMetadata(test, steward, flights({ owner: wrong }))).status).toBe(400);
  });
});
