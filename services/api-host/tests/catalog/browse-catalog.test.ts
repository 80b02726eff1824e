import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import {
  auditRecords,
  get,
  importMetadata,
  importOf,
  type LoggedIn,
  logInAs,
  seedTable,
} from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';

const ODD = { catalog: 'a/b', schema: 'odd.schema %2F', name: '.."\'/%' };
const NAMES = ['B', 'a', 'aa', 'ab', 'abc', 'b', 'ä', '\u{1F600}'];

let test: TestHost;
let reader: LoggedIn;
let steward: LoggedIn;
let nobody: LoggedIn;
let otherTenant: LoggedIn;
beforeAll(async () => {
  test = await shareTestHost();
  reader = await logInAs(test, ['analyst'], test.acme);
  steward = await logInAs(test, ['steward'], test.acme);
  nobody = await logInAs(test, [], test.acme);
  otherTenant = await logInAs(test, ['admin'], test.globex);
  for (const name of NAMES) await seedTable(test, test.acme, { schema: 'names', name, columns: ['id'] });
  await seedTable(test, test.acme, { schema: 'names', name: 'gone', isAbsent: true });
  await seedTable(test, test.acme, { ...ODD, type: 'VIEW', columns: ['one', 'two'], absentColumns: ['old'] });
  await seedTable(test, test.globex, { schema: 'secret', name: 'plans' });
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const encoded = (...names: readonly string[]): string =>
  `/catalog${names.map((name) => `/${encodeURIComponent(name).replaceAll('.', '%2E')}`).join('')}`;
const namesOf = (answer: { body: { data: { name: string }[] } }): string[] => answer.body.data.map(({ name }) => name);

describe('GET /catalog', () => {
  it('lists catalogs and schemas with the numbers of what is present', async () => {
    const catalogs = await get(test, reader, '/catalog');
    expect([catalogs.status, catalogs.body]).toEqual([
      200,
      {
        data: [
          expect.objectContaining({ name: 'a/b', schema_count: 1, table_count: 1 }),
          {
            name: 'demo',
            vendor_name: 'duckdb',
            location: 'localhost',
            schema_count: 1,
            table_count: NAMES.length,
            harvested_ts: null,
          },
        ],
      },
    ]);
    const schemas = await get(test, reader, '/catalog/demo/');
    expect(schemas.body).toEqual({ data: [{ name: 'names', table_count: NAMES.length }] });
  });

  it('lists tables byte by byte, and those of a prefix with its case', async () => {
    const listed = async (query = '') => namesOf(await get(test, reader, `/catalog/demo/names${query}`));
    expect(await listed()).toEqual(NAMES);
    expect(await listed('?prefix=a')).toEqual(['a', 'aa', 'ab', 'abc']);
    expect(await listed('?prefix=A')).toEqual([]);
    expect(await listed('?prefix=%25')).toEqual([]);
    expect(await listed(`?prefix=${encodeURIComponent("' or 1=1 --")}`)).toEqual([]);
    expect(await listed(`?prefix=${encodeURIComponent('\u{1F600}')}`)).toEqual(['\u{1F600}']);
  });

  it('pages over tables without repeating or missing one, also while tables are added', async () => {
    const names: string[] = [];
    let query = '?size=3';
    for (;;) {
      const { body, status } = await get(test, reader, `/catalog/demo/names${query}`);
      expect(status).toBe(200);
      names.push(...namesOf({ body }));
      if (body.next_page_token === undefined) break;
      query = `?size=3&page_token=${body.next_page_token}`;
      if (names.length === 3) await seedTable(test, test.acme, { schema: 'names', name: 'AA' });
    }
    await test.rows(`delete from catalog_tables where name = 'AA'`);
    expect(names).toEqual(NAMES);
  });

  it('rejects the token of another user, another list, another prefix, and a changed one', async () => {
    const { body } = await get(test, reader, '/catalog/demo/names?size=1&prefix=a');
    const token: string = body.next_page_token;
    const repeated = await get(test, reader, `/catalog/demo/names?prefix=a&page_token=${token}`);
    expect(namesOf(repeated)).toEqual(['aa', 'ab', 'abc']);
    for (const answer of [
      await get(test, steward, `/catalog/demo/names?page_token=${token}`),
      await get(test, reader, `/catalog/demo?page_token=${token}`),
      await get(test, reader, `/catalog/demo/names?prefix=b&page_token=${token}`),
      await get(test, reader, `/catalog/demo/names?page_token=A${token.slice(1)}`),
      await get(test, reader, '/catalog/demo/names?page_token=%27'),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_page_token']);
    }
  });
});

describe('GET /catalog/{catalog}/{schema}/{table}', () => {
  it('returns columns in their order with the metadata of an import, and an ETag that changes with both', async () => {
    const path = encoded(ODD.catalog, ODD.schema, ODD.name);
    const before = await get(test, reader, path);
    const id = `a/b."odd.schema %2F"."..""'/%"`;
    expect([before.status, before.body]).toEqual([
      200,
      {
        id,
        catalog: ODD.catalog,
        schema: ODD.schema,
        name: ODD.name,
        type: 'VIEW',
        description: null,
        remarks: null,
        tags: [],
        domains: [],
        owner: null,
        updated_ts: expect.any(Number),
        columns: [
          { name: 'one', type: 'varchar', description: null, tags: [] },
          { name: 'two', type: 'varchar', description: null, tags: [] },
        ],
      },
    ]);
    const change = {
      type: 'VIEW',
      id,
      description: 'Odd',
      tags: ['t'],
      fields: [{ name: 'two', description: 'Second', tags: ['x'] }],
    };
    expect((await importMetadata(test, steward, importOf(change))).body.success_count).toBe(1);
    const after = await get(test, reader, path);
    expect(after.body).toMatchObject({
      description: 'Odd',
      tags: ['t'],
      columns: [{}, { description: 'Second', tags: ['x'] }],
    });
    const tags = [before.headers['etag'], after.headers['etag']].map(String);
    expect(tags[0]).not.toBe(tags[1]);
    const conditional = (tag: string) =>
      send(`${test.url}${path}`, { headers: { idtoken: reader.idToken, 'if-none-match': tag } });
    const unchanged = await conditional(`"other", W/${tags[1]}`);
    expect([unchanged.status, unchanged.bytes.length, unchanged.headers['etag']]).toEqual([304, 0, tags[1]]);
    expect((await conditional(tags[0] ?? '')).status).toBe(200);
    expect(namesOf(await get(test, reader, encoded(ODD.catalog, ODD.schema)))).toEqual([ODD.name]);
  });

  it.each([
    ['an unknown catalog', '/catalog/nothing'],
    ['an unknown schema', '/catalog/demo/nothing'],
    ['an unknown table', '/catalog/demo/names/nothing'],
    ['an absent table', '/catalog/demo/names/gone'],
    ['another case', '/catalog/DEMO'],
    ['dots and slashes', '/catalog/%2e%2e%2f%2e%2e%2fetc'],
    ['quotes', '/catalog/%22demo%22/names'],
    ['a slash that is not encoded', '/catalog/a/b'],
    ['SQL', `/catalog/${encodeURIComponent("demo' or '1'='1")}`],
    ['a long name', `/catalog/${'x'.repeat(5000)}`],
    ['another tenant', '/catalog/demo/secret'],
    ['a table of another tenant', '/catalog/demo/secret/plans'],
  ])('returns 404 for %s', async (_what, path) => {
    const answer = await get(test, reader, path);
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
  });

  it.each([
    ['size=0', 'query.size'],
    ['size=1001', 'query.size'],
    ['size=-1', 'query.size'],
    ['prefix=%00', 'query.prefix'],
    [`prefix=${'x'.repeat(801)}`, 'query.prefix'],
    ['from=1', 'query.from'],
  ])('returns 400 for %s', async (query, path) => {
    const answer = await get(test, reader, `/catalog/demo?${query}`);
    expect([answer.status, answer.body.details]).toEqual([400, [expect.objectContaining({ path })]]);
  });

  it('returns 400 for control characters and broken percent-encoding, 401 without a token, 403 without datamap:read', async () => {
    expect((await get(test, reader, '/catalog/a%00b')).status).toBe(400);
    expect((await get(test, reader, '/catalog/%ff')).status).toBe(400);
    expect((await send(`${test.url}/catalog`)).status).toBe(401);
    const denied = await get(test, nobody, '/catalog/demo/names/a');
    expect([denied.status, (await auditRecords(test, denied))[0]?.action]).toEqual([403, 'ACCESS_DENIED']);
  });

  it('keeps the catalogs of tenants apart, and records each read', async () => {
    expect((await get(test, otherTenant, '/catalog/demo')).body).toEqual({
      data: [{ name: 'secret', table_count: 1 }],
    });
    const answer = await get(test, reader, '/catalog/demo/names?prefix=ab&size=5');
    expect(await auditRecords(test, answer)).toEqual([
      {
        action: 'READ_CATALOG',
        target: 'names',
        user_name: reader.email,
        metadata: { catalog: 'demo', schema: 'names', prefix: 'ab', size: 5 },
      },
    ]);
    const missing = await get(test, reader, '/catalog/nothing');
    expect(await auditRecords(test, missing)).toEqual([]);
  });

  it('counts again when tables and schemas disappear and come back', async () => {
    const counts = async () =>
      (await get(test, reader, '/catalog')).body.data.map(
        ({ schema_count, table_count }: { schema_count: number; table_count: number }) => [schema_count, table_count],
      );
    await seedTable(test, test.acme, { catalog: 'counted', schema: 'one', name: 't1' });
    await seedTable(test, test.acme, { catalog: 'counted', schema: 'one', name: 't2' });
    await seedTable(test, test.acme, { catalog: 'counted', schema: 'two', name: 't3' });
    expect((await counts())[1]).toEqual([2, 3]);
    await test.rows(`update catalog_tables set absent_since = now() where catalog_name = 'counted' and name <> 't1'`);
    await test.rows(`update catalog_schemas set absent_since = now() where catalog_name = 'counted' and name = 'two'`);
    expect((await counts())[1]).toEqual([1, 1]);
    await test.rows(`update catalog_tables set absent_since = null where catalog_name = 'counted'`);
    await test.rows(`update catalog_schemas set absent_since = null where catalog_name = 'counted'`);
    expect((await counts())[1]).toEqual([2, 3]);
    await test.rows(`delete from catalogs where name = 'counted'`);
    expect(await counts()).toHaveLength(2);
  });
});
