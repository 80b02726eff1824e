import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createDomain,
  importMetadata,
  importOf,
  type LoggedIn,
  logInAs,
  seedDatamap,
  seedTable,
  storedMetadata,
} from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';

let test: TestHost;
let steward: LoggedIn;

beforeAll(async () => {
  test = await startTestHost({ DATABASE_TIMEOUT: '15s' });
  steward = await logInAs(test, ['steward'], test.acme);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const table = (name: string, changes: object = {}) => ({ type: 'TABLE', id: `demo.vega.${name}`, ...changes });

describe('an import', () => {
  it('changes tables, views and datamaps in one request, and reports the result of each', async () => {
    const flights = await seedTable(test, test.acme, { name: 'flights', columns: ['origin', 'delay'] });
    const byDay = await seedTable(test, test.acme, { name: 'by_day', type: 'VIEW', columns: ['day'] });
    const map = await seedDatamap(test, test.acme, { ownerId: randomUUID(), fields: ['total'] });
    const domain = await createDomain(test, steward, 'Aviation');
    const answer = await importMetadata(
      test,
      steward,
      importOf(
        table('flights', {
          description: 'All flights',
          tags: ['Public', ' air '],
          domains: [domain],
          fields: [{ name: 'delay', description: 'minutes', tags: ['unit:min'] }],
        }),
        { type: 'VIEW', id: 'demo.vega.by_day', add_tags: ['daily'], fields: [{ name: 'day', add_tags: ['key'] }] },
        {
          type: 'DATAMAP',
          id: map,
          display_name: ' Totals ',
          description: 'x',
          fields: [{ name: 'total', tags: ['sum'] }],
        },
      ),
    );
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    const done = { success: true, fields_processed: true, error_message: null };
    expect(answer.body).toEqual({
      metadata_results: [
        { id: 'demo.vega.flights', type: 'TABLE', fact_id: flights, ...done },
        { id: 'demo.vega.by_day', type: 'VIEW', fact_id: byDay, ...done },
        { id: map, type: 'DATAMAP', fact_id: map, ...done },
      ],
      success_count: 3,
      failure_count: 0,
      total_count: 3,
    });
    expect(await storedMetadata(test, flights)).toMatchObject({
      description: 'All flights',
      tags: ['Public', 'air'],
      domains: [domain],
      version: '2',
      updated_by: steward.email,
      fields: [{ name: 'delay', description: 'minutes', tags: ['unit:min'] }],
    });
    expect(await storedMetadata(test, byDay)).toMatchObject({
      tags: ['daily'],
      fields: [{ name: 'day', tags: ['key'] }],
    });
    expect(await storedMetadata(test, map)).toMatchObject({ display_name: 'Totals', description: 'x' });
  });

  it('removes a description by null and by "", and leaves absent keys unchanged', async () => {
    const id = await seedTable(test, test.acme, { name: 'gone', columns: ['a', 'b'] });
    const fields = [
      { name: 'a', description: 'a', tags: ['t'] },
      { name: 'b', description: 'b' },
    ];
    await importMetadata(test, steward, importOf(table('gone', { description: 'd', tags: ['t'], fields })));
    await importMetadata(test, steward, importOf(table('gone', { fields: [{ name: 'a', description: '' }] })));
    expect(await storedMetadata(test, id)).toMatchObject({
      description: 'd',
      tags: ['t'],
      fields: [
        { name: 'a', description: null, tags: ['t'] },
        { name: 'b', description: 'b' },
      ],
    });
    await importMetadata(
      test,
      steward,
      importOf(
        table('gone', {
          description: null,
          tags: [],
          fields: [
            { name: 'a', tags: [] },
            { name: 'b', description: null },
          ],
        }),
      ),
    );
    expect(await storedMetadata(test, id)).toMatchObject({ description: null, tags: [], fields: [] });
  });

  it('succeeds without a change for tags already added or removed', async () => {
    const id = await seedTable(test, test.acme, { name: 'same', columns: ['a'] });
    await importMetadata(test, steward, importOf(table('same', { tags: ['PII'], description: 'd' })));
    const before = await storedMetadata(test, id);
    const again = importOf(table('same', { add_tags: ['pii', ' Pii '], remove_tags: ['other'], description: 'd' }));
    expect((await importMetadata(test, steward, again)).body.success_count).toBe(1);
    expect(await storedMetadata(test, id)).toEqual(before);
  });

  it('applies an object that appears twice in order', async () => {
    const id = await seedTable(test, test.acme, { name: 'twice', columns: ['a'] });
    const answer = await importMetadata(
      test,
      steward,
      importOf(
        table('twice', { tags: ['one', 'two'], fields: [{ name: 'a', tags: ['x'] }] }),
        table('twice', { description: 'never', fields: [{ name: 'none' }] }),
        table('twice', { add_tags: ['three'], remove_tags: ['ONE'], fields: [{ name: 'a', add_tags: ['y'] }] }),
      ),
    );
    expect(answer.body).toMatchObject({ success_count: 2, failure_count: 1, total_count: 3 });
    expect(await storedMetadata(test, id)).toMatchObject({
      description: null,
      tags: ['two', 'three'],
      fields: [{ name: 'a', tags: ['x', 'y'] }],
      version: '2',
    });
  });

  it('applies each object completely or not at all, and reports what was wrong', async () => {
    const ids = await Promise.all(
      ['w1', 'w2', 'w3'].map((name) => seedTable(test, test.acme, { name, columns: ['a'], absentColumns: ['old'] })),
    );
    const nobody = randomUUID();
    const answer = await importMetadata(
      test,
      steward,
      importOf(
        table('w1', { description: 'd', fields: [{ name: 'a', description: 'd' }, { name: 'b' }, { name: 'old' }] }),
        table('w2', { description: 'd', add_domains: [nobody, 'no uuid'] }),
        table('w3', { description: 'd' }),
      ),
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success_count: 1, failure_count: 2, total_count: 3 });
    expect(answer.body.metadata_results.map(({ error_message }: { error_message: string }) => error_message)).toEqual([
      'It has no field "b", "old".',
      `There is no domain "${nobody}", "no uuid".`,
      null,
    ]);
    const stored = await Promise.all(ids.map((id) => storedMetadata(test, id)));
    expect(stored.map(({ description }) => description)).toEqual([null, null, 'd']);
    expect(stored[0]?.fields).toEqual([]);
  });

  it('limits the number of tags, however they are added', async () => {
    await seedTable(test, test.acme, { name: 'tagged' });
    const tags = Array.from({ length: 1000 }, (_, index) => `tag ${index}`);
    expect((await importMetadata(test, steward, importOf(table('tagged', { tags })))).body.success_count).toBe(1);
    const { body } = await importMetadata(test, steward, importOf(table('tagged', { add_tags: ['one more'] })));
    expect(body.metadata_results[0].error_message).toBe('It would have more than 1000 tags.');
  });
});

describe('missing objects', () => {
  const failure = async (objects: object[]) => importMetadata(test, steward, importOf(...objects));

  it('return 404 with all results when every object is missing', async () => {
    await seedTable(test, test.acme, { name: 'vanished', isAbsent: true });
    await seedTable(test, test.acme, { name: 'a_table' });
    await seedTable(test, test.globex, { name: 'of_globex' });
    const foreign = await seedDatamap(test, test.globex, { ownerId: randomUUID() });
    const objects = [
      table('nothing'),
      table('vanished'),
      { type: 'VIEW', id: 'demo.vega.a_table' },
      table('of_globex'),
      { type: 'DATAMAP', id: randomUUID() },
      { type: 'DATAMAP', id: foreign },
      { type: 'DATAMAP', id: 'demo.vega.a_table' },
      { type: 'TABLE', id: 'only_a_name' },
      { type: 'TABLE', id: 'demo.vega.a_table.more' },
      { type: 'TABLE', id: 'demo..a_table' },
      { type: 'TABLE', id: 'DEMO.VEGA.A_TABLE' },
      { type: 'TABLE', id: `demo.vega."a_table` },
    ];
    const { status, body, headers } = await failure(objects);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      error: 'not_found',
      message: 'None of these objects exists.',
      request_id: headers['x-request-id'],
      success_count: 0,
      failure_count: objects.length,
      total_count: objects.length,
    });
    expect(body.metadata_results).toEqual(
      objects.map((object) => ({
        ...object,
        fact_id: '',
        success: false,
        fields_processed: false,
        error_message: `There is no ${(object as { type: string }).type} ${(object as { id: string }).id}.`,
      })),
    );
  });

  it('return 200 when one object has another result', async () => {
    await seedTable(test, test.acme, { name: 'there' });
    expect((await failure([table('nothing'), table('there')])).status).toBe(200);
    const { status, body } = await failure([table('nothing'), table('there', { add_domains: [randomUUID()] })]);
    expect([status, body.success_count, body.failure_count]).toEqual([200, 0, 2]);
  });

  it('are distinguished from names with dots, quotes and case by quoting', async () => {
    const names = ['with.dot', 'with"quote', 'Ünïcode 名', "o'clock; drop table facts --", ' ', 'a."b".c'];
    const ids = await Promise.all(names.map((name) => seedTable(test, test.acme, { name, schema: 'odd.names' })));
    const objects = names.map((name) => ({
      type: 'TABLE',
      id: `demo."odd.names"."${name.replaceAll('"', '""')}"`,
      add_tags: [name],
    }));
    const { status, body } = await importMetadata(test, steward, importOf(...objects));
    expect(status).toBe(400); // a tag of a space alone
    expect(body.details).toHaveLength(1);
    const named = objects.map((object) => ({ ...object, add_tags: ['t'] }));
    const answer = await importMetadata(test, steward, importOf(...named));
    expect(answer.body.metadata_results.map(({ fact_id }: { fact_id: string }) => fact_id)).toEqual(ids);
  });
});

describe('an import of fifteen thousand fields', () => {
  it('needs a constant number of statements', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `wide_${index}`);
    for (const name of names) {
      const id = await seedTable(test, test.acme, { name });
      await test.rows(
        `insert into catalog_columns (tenant_id, fact_id, name, position, type)
        select $1, $2, 'c' || n, n, 'varchar' from generate_series(1, 1900) n`,
        [test.acme.tenantId, id],
      );
    }
    // The second finds a newly filled table without statistics yet; the third empties it.
    for (const description of ['first', 'second', null]) {
      const fields = Array.from({ length: 1900 }, (_, index) => ({ name: `c${index + 1}`, description }));
      const answer = await importMetadata(test, steward, importOf(...names.map((name) => table(name, { fields }))));
      expect([answer.status, answer.body.success_count]).toEqual([200, 8]);
    }
    expect(await test.rows(`select 1 from fact_fields where description in ('first', 'second')`)).toEqual([]);
  }, 120_000);
});
