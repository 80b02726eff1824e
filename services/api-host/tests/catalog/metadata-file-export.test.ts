import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KERNEL_BUFFERS, openSlowReader } from '@sluice/testkit';
import {
  auditRecords,
  createDomain,
  type LoggedIn,
  logInAs,
  seedDatamap,
  seedTable,
  seedTables,
  storedMetadata,
} from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { CSV, EXPORT_HEADER, exportFile, HEADER, importFile, JSON_TYPE } from './metadata-files.ts';

let test: TestHost;
let steward: LoggedIn;
let analyst: LoggedIn;
let otherTenant: LoggedIn;
beforeAll(async () => {
  test = await startTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  analyst = await logInAs(test, ['analyst'], test.acme);
  otherTenant = await logInAs(test, ['steward'], test.globex);
  for (const name of ['odd.na"me%', 'oddly.', 'odd_one']) await seedTable(test, test.acme, { name });
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

describe('GET /metadata/export', () => {
  it('returns what the caller may see, and records the export', async () => {
    await seedTable(test, test.acme, { name: 'exported', columns: ['a', 'b'] });
    await seedTable(test, test.acme, { name: 'exported_empty', columns: ['a'] });
    const draft = await seedDatamap(test, test.acme, { ownerId: steward.id, state: 'DRAFT' });
    await importFile(test, steward, `${HEADER}\nTABLE,demo.vega.exported,b,,of b,t;u,\n`);
    const object = { type: 'TABLE', id: 'demo.vega.exported' };
    const { body, headers } = await exportFile(test, steward, '?prefix=demo.vega.exported');
    expect(body).toEqual({
      metadata_objects: [{ ...object, fields: [{ name: 'b', description: 'of b', tags: ['t', 'u'] }] }],
    });
    expect(headers['content-disposition']).toBe('attachment; filename=metadata.json');
    const lines = await exportFile(test, steward, '?prefix=demo.vega.exported&format=ndjson');
    expect([lines.headers['content-type'], lines.headers['content-disposition'], lines.text]).toEqual([
      'application/x-ndjson',
      'attachment; filename=metadata.ndjson',
      `${JSON.stringify(body.metadata_objects[0])}\n`,
    ]);
    const none = await exportFile(test, steward, '?prefix=nothing.&format=ndjson');
    expect([none.status, none.isWhole, none.text]).toEqual([200, true, '']);
    const all = await exportFile(test, steward, '?prefix=demo.vega.exported&all=true&format=csv&type=TABLE');
    expect(all.text).toBe(
      [
        EXPORT_HEADER,
        'TABLE,demo.vega.exported,,,,,,',
        'TABLE,demo.vega.exported,a,,,,,',
        'TABLE,demo.vega.exported,b,,of b,t;u,,',
        'TABLE,demo.vega.exported_empty,,,,,,',
        'TABLE,demo.vega.exported_empty,a,,,,,',
        '',
      ].join('\n'),
    );
    expect((await auditRecords(test, all))[0]).toMatchObject({
      action: 'EXPORT_METADATA',
      metadata: { type: 'TABLE', prefix: 'demo.vega.exported', format: 'csv', all: true },
    });
    const datamaps = async (caller: LoggedIn) => (await exportFile(test, caller, '?type=DATAMAP')).text;
    expect(await datamaps(steward)).toContain(draft);
    expect(await datamaps(analyst)).not.toContain(draft);
    expect((await exportFile(test, otherTenant)).body).toEqual({ metadata_objects: [] });
    const nobody = await logInAs(test, [], test.acme);
    expect((await exportFile(test, nobody)).status).toBe(403);
    expect((await exportFile(test, steward, '?type=TABEL')).status).toBe(400);
  });

  it('goes to another installation, where domains of the same names have other ids', async () => {
    await seedTable(test, test.acme, { name: 'moved' });
    const other = await seedTable(test, test.globex, { name: 'moved' });
    const names = ['Sales; North', 'Élan'];
    const domains = [];
    for (const name of names) domains.push(await createDomain(test, steward, name));
    await importFile(test, steward, `${HEADER}\nTABLE,demo.vega.moved,,,,,sales\\; north;ÉLAN\n`);
    const { body } = await exportFile(test, steward, '?prefix=demo.vega.moved');
    expect(body.metadata_objects).toEqual([
      { type: 'TABLE', id: 'demo.vega.moved', domains: names, domain_ids: domains },
    ]);
    const otherIds = [];
    for (const name of names) otherIds.push(await createDomain(test, otherTenant, name));
    for (const format of ['csv', 'json'] as const) {
      const { text: file } = await exportFile(test, steward, `?prefix=demo.vega.moved&format=${format}`);
      const type = format === 'csv' ? CSV : JSON_TYPE;
      expect(await importFile(test, otherTenant, file, { type })).toMatchObject({ success_count: 1 });
      expect(await storedMetadata(test, other)).toMatchObject({ domains: otherIds });
      await test.rows('delete from fact_domains where fact_id = $1', [other]);
    }
  });

  it.each([
    ['demo.vega."od', ['demo.vega."odd.na""me%"', 'demo.vega."oddly."']],
    ['demo.vega."odd.na""', ['demo.vega."odd.na""me%"']],
    ['demo.vega."odd.na""me%"', ['demo.vega."odd.na""me%"']],
    ['demo.vega."odd%', []],
    ['demo.vega.odd', ['demo.vega.odd_one']],
    ['demo.vega.odd_one.', []],
    ['demo."vega".odd', []],
    ['DEMO.', []],
  ])('returns the objects whose ids begin with %s', async (prefix, ids) => {
    const { body } = await exportFile(test, steward, `?all=true&prefix=${encodeURIComponent(prefix)}`);
    expect(body.metadata_objects.map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  it('returns a datamap by the beginning of its id', async () => {
    const id = await seedDatamap(test, test.acme, { ownerId: steward.id });
    for (const prefix of [id, id.slice(0, 20)]) {
      expect((await exportFile(test, steward, `?prefix=${prefix}`)).body.metadata_objects).toMatchObject([{ id }]);
    }
  });
});

/** Tables whose export is longer than what is buffered between the host and a client that reads nothing. */
const MANY = 6_000;
const DESCRIPTION = 'x'.repeat(Math.ceil(KERNEL_BUFFERS / MANY));

describe('an export that cannot be completed', () => {
  it('is cut, so that its client sees that the end is missing, and does not stop the next one', async () => {
    await seedTables(test, test.acme, MANY);
    await test.rows(`update facts set description = $1 where tenant_id = $2`, [DESCRIPTION, test.acme.tenantId]);
    const url = `${test.url}/metadata/export?format=csv&type=TABLE`;
    using reader = openSlowReader({
      url,
      method: 'GET',
      headers: { idtoken: steward.idToken, connection: 'close' },
    });
    await reader.untilBytes(1_000_000);
    reader.readAt(0);
    await test.rows('alter table catalog_columns rename to hidden_columns');
    try {
      reader.readAt(Number.POSITIVE_INFINITY);
      await reader.ended;
    } finally {
      await test.rows('alter table hidden_columns rename to catalog_columns');
    }
    const received = reader.received();
    expect(received.subarray(0, 15).toString()).toBe('HTTP/1.1 200 OK');
    expect(received.length).toBeLessThan(MANY * DESCRIPTION.length);
    expect(received.subarray(-5).toString()).not.toBe('0\r\n\r\n');
    const whole = await exportFile(test, steward, '?format=csv&type=TABLE&prefix=demo.vega.t599');
    expect([whole.isWhole, whole.text.split('\n').length]).toEqual([true, 13]);
  });
});
