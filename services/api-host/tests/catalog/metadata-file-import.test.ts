import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { createDomain, type LoggedIn, logInAs, seedDatamap, seedTable, storedMetadata } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import {
  CSV,
  EXPORT_HEADER,
  endedImport,
  HEADER,
  importFile,
  JSON_TYPE,
  NDJSON,
  ndjsonOf,
  readImport,
  sendDeclared,
  sendFile,
} from './metadata-files.ts';

let test: TestHost;
let steward: LoggedIn;
let analyst: LoggedIn;
let otherTenant: LoggedIn;
let domain: string;
let stalled: ReturnType<typeof sendDeclared>;
beforeAll(async () => {
  test = await startTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  analyst = await logInAs(test, ['analyst'], test.acme);
  otherTenant = await logInAs(test, ['steward'], test.globex);
  domain = await createDomain(test, steward, 'Sales; North');
  const headers = { 'content-type': CSV, 'content-length': '1000000' };
  // The host waits for 30 s, during which the other tests run.
  stalled = sendDeclared(test, steward, { headers, body: `${HEADER}\nTABLE,demo.vega.orders,,,never,,\n` });
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

interface ImportRecord {
  readonly action: string;
  readonly target: string;
  readonly user_name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any metadata.
  readonly metadata: any;
}

const recordsOf = (importId: string): Promise<ImportRecord[]> =>
  test.rows(
    `select action, target, user_name, metadata from audit_log
    where target = $1 or metadata ->> 'import_id' = $1 order by occurred, (metadata ->> 'batch')::int`,
    [importId],
  );

describe('POST /metadata/imports', () => {
  it.each([
    [
      'YAML',
      'application/yaml',
      '# texts\n- type: TABLE\n  id: demo.vega.ALIKE\n  description: |\n    a\n    b\n',
      'a\nb\n',
    ],
    ['semicolons', CSV, '\ufeff\r\ntype;id;description\r\nTABLE;demo.vega.ALIKE;"1,5; or"\r\n', '1,5; or'],
    ['a line for Excel', CSV, 'sep=|\ntype|id|description\nTABLE|demo.vega.ALIKE|a;b, c\n', 'a;b, c'],
  ])('applies a file with %s, and names the line of its object', async (what, type, file, description) => {
    const name = what.replaceAll(' ', '_').toLowerCase();
    const table = await seedTable(test, test.acme, { name, columns: [] });
    const { status, body } = await sendFile(test, steward, file.replace('ALIKE', name), { type });
    expect([status, body.format, body.total_count]).toEqual([202, type === CSV ? 'csv' : 'ndjson', 1]);
    expect(await endedImport(test, steward, body.import_id)).toMatchObject({ state: 'FINISHED', success_count: 1 });
    expect(await storedMetadata(test, table)).toMatchObject({ description });
    const report = await readImport(test, steward, body.import_id, '/report?format=ndjson');
    expect(JSON.parse(report.text).line).toBe(type === CSV ? 3 : 2);
  });

  it('applies a CSV file as it is written, and records values before and after', async () => {
    const table = await seedTable(test, test.acme, { name: 'orders', columns: ['id', 'note'] });
    const datamap = await seedDatamap(test, test.acme, { ownerId: steward.id, fields: ['total'] });
    const file = [
      HEADER,
      `TABLE,demo.vega.orders,,,"All ""orders"",\nby day",pii;a\\;b,${domain}`,
      'TABLE,demo.vega.orders,note,,\\\\N,x,',
      `DATAMAP,${datamap},,Totals,,,`,
      `DATAMAP,${datamap},total,,Sum,,`,
      '',
    ].join('\r\n');
    const answer = await sendFile(test, steward, `\ufeff${file}`);
    expect([answer.status, answer.headers['location']]).toEqual([202, `/metadata/imports/${answer.body.import_id}`]);
    expect(answer.body).toMatchObject({ format: 'csv', dry_run: false, total_count: 2, requested_by: steward.email });
    const status = await endedImport(test, steward, answer.body.import_id);
    expect(status).toMatchObject({
      state: 'FINISHED',
      progress: 1,
      processed_count: 2,
      success_count: 2,
      failure_count: 0,
      changed_count: 2,
      error: null,
    });
    expect(await storedMetadata(test, table)).toMatchObject({
      description: 'All "orders",\nby day',
      tags: ['pii', 'a;b'],
      domains: [domain],
      updated_by: steward.email,
      fields: [{ name: 'note', description: '\\N', tags: ['x'] }],
    });
    expect(await storedMetadata(test, datamap)).toMatchObject({ display_name: 'Totals', fields: [{ name: 'total' }] });
    const [started, applied, ...more] = await recordsOf(answer.body.import_id);
    expect(more).toEqual([]);
    expect(started).toMatchObject({ action: 'START_METADATA_IMPORT', metadata: { format: 'csv', total_count: 2 } });
    expect(applied).toMatchObject({ action: 'IMPORT_METADATA', user_name: steward.email, metadata: { batch: 0 } });
    expect(applied?.metadata.objects[0].changes).toContainEqual({
      field: null,
      property: 'tags',
      before: [],
      after: ['pii', 'a;b'],
    });
  });

  it('leaves values of empty cells unchanged, and removes values with \\N', async () => {
    const id = await seedTable(test, test.acme, { name: 'kept', columns: ['a'] });
    const before = { type: 'TABLE', id: 'demo.vega.kept', description: 'old', tags: ['t'], domains: [domain] };
    await importFile(test, steward, ndjsonOf([{ ...before, fields: [{ name: 'a', description: 'of a' }] }]), {
      type: NDJSON,
    });
    const unchanged = await importFile(
      test,
      steward,
      `${HEADER}\nTABLE,demo.vega.kept,,,,,\nTABLE,demo.vega.kept,a,,,,\n`,
    );
    expect(unchanged).toMatchObject({ success_count: 1, changed_count: 0 });
    await importFile(test, steward, `id,type,description,tags,domains\ndemo.vega.kept,TABLE,\\N,\\N,\\N\n`);
    const after = { description: null, tags: [], domains: [], fields: [{ name: 'a', description: 'of a' }] };
    expect(await storedMetadata(test, id)).toMatchObject(after);
  });

  it('names the line of an unknown field, not that of its object', async () => {
    await seedTable(test, test.acme, { name: 'lines', columns: ['a'] });
    const file = `${HEADER}\nTABLE,demo.vega.lines,,,"two\nlines",,\nTABLE,demo.vega.lines,a,,x,,\nTABLE,demo.vega.lines,b,,x,,\n`;
    const { import_id, failure_count } = await importFile(test, steward, file);
    expect(failure_count).toBe(1);
    const report = await readImport(test, steward, import_id, '/report?format=json');
    expect(report.body.metadata_objects).toMatchObject([{ line: 2, error_message: 'It has no field "b" (line 5).' }]);
  });

  it('takes domains by name or id, the names where both are given, and names the nearest of an unknown one', async () => {
    const id = await seedTable(test, test.acme, { name: 'in_domains' });
    const aviation = await createDomain(test, steward, 'Aviation');
    const set = async (domains: string, ids: string) => {
      const file = `${EXPORT_HEADER}\nTABLE,demo.vega.in_domains,,,,,${domains},${ids}\n`;
      const { import_id } = await importFile(test, steward, file);
      const report = await readImport(test, steward, import_id, '/report?format=json');
      const [{ error_message }] = report.body.metadata_objects;
      return [error_message, (await storedMetadata(test, id)).domains];
    };
    expect(await set('AVIATION', '')).toEqual([null, [aviation]]);
    expect(await set(`${domain};aviation;${aviation.toUpperCase()}`, '')).toEqual([null, [domain, aviation]]);
    expect(await set('aviation', domain)).toEqual([null, [aviation]]);
    expect(await set('', domain)).toEqual([null, [domain]]);
    expect(await set('', '')).toEqual([null, [domain]]);
    expect(await set('\\N', domain)).toEqual([null, []]);
    const unknown = 'There is no domain "Aviaton", "x". Did you mean "Aviation"?';
    expect(await set('Aviaton;x', aviation)).toEqual([unknown, []]);
    const foreign = await logInAs(test, ['steward'], test.globex);
    await createDomain(test, foreign, 'Of globex');
    expect(await set('Of globex', '')).toEqual(['There is no domain "Of globex".', []]);
  });

  it('applies the JSON of POST /metadata/import without its limit of 50 objects, in batches of 50', async () => {
    await seedTable(test, test.acme, { name: 'many' });
    const objects = Array.from({ length: 120 }, (_, index) => ({
      type: 'TABLE',
      id: 'demo.vega.many',
      description: `version ${index}`,
    }));
    const status = await importFile(test, steward, JSON.stringify({ metadata_objects: objects }, null, 1), {
      type: JSON_TYPE,
    });
    expect(status).toMatchObject({ state: 'FINISHED', format: 'json', total_count: 120, success_count: 120 });
    const records = (await recordsOf(status.import_id)).filter(({ action }) => action === 'IMPORT_METADATA');
    expect(records.map(({ target }) => target)).toEqual(['50 objects', '50 objects', '20 objects']);
  });

  it('reports the changes of a dry run and applies nothing', async () => {
    const id = await seedTable(test, test.acme, { name: 'tried' });
    const file = `${HEADER}\nTABLE,demo.vega.tried,,,new,,\n`;
    const status = await importFile(test, steward, file, { query: '?dry_run=true' });
    expect(status).toMatchObject({ state: 'FINISHED', dry_run: true, changed_count: 1 });
    expect(await storedMetadata(test, id)).toMatchObject({ description: null });
    const { body } = await readImport(test, steward, status.import_id, '/report');
    const changes = [{ field: null, property: 'description', before: null, after: 'new' }];
    expect(body.metadata_objects).toMatchObject([{ line: 2, success: true, changes, id: 'demo.vega.tried' }]);
    const inBody = { dry_run: true, metadata_objects: [{ type: 'TABLE', id: 'demo.vega.tried', description: 'new' }] };
    const again = await importFile(test, steward, JSON.stringify(inBody), { type: JSON_TYPE });
    expect(again).toMatchObject({ dry_run: true, changed_count: 1 });
  });
});

describe('a report', () => {
  it('of failed lines can be corrected and imported, in both formats', async () => {
    const id = await seedTable(test, test.acme, { name: 'fixed', columns: ['a'] });
    const file = [
      HEADER,
      'TABLE,demo.vega.fixed,,,fine,,',
      'TABLE,demo.vega.fixd,,,"first, of all",a;b,',
      'TABLE,demo.vega.fixd,a,,of a,,',
      'TABLE,demo.vega.fixed,b,,of b,,',
      '',
    ].join('\n');
    for (const [format, type] of [
      ['csv', CSV],
      ['ndjson', NDJSON],
      ['json', JSON_TYPE],
    ] as const) {
      const status = await importFile(test, steward, file);
      expect(status).toMatchObject({ state: 'FINISHED', success_count: 1, failure_count: 2 });
      const report = await readImport(test, steward, status.import_id, `/report?format=${format}&failed=true`);
      expect(report.headers['content-type']).toBe(type);
      expect(report.text).toContain('There is no TABLE demo.vega.fixd.');
      const corrected = report.text
        .replaceAll('vega.fixd', 'vega.fixed')
        .replaceAll(/fixed,b,|"name":"b"/g, (text) => text.replace('b', 'a'));
      const again = await importFile(test, steward, corrected, { type });
      expect(again).toMatchObject({ state: 'FINISHED', total_count: 2, success_count: 2, failure_count: 0 });
      expect(await storedMetadata(test, id)).toMatchObject({
        description: 'first, of all',
        tags: ['a', 'b'],
        fields: [{ name: 'a', description: 'of b' }],
      });
    }
  });

  it('has a line per object, in the order of the file, with line numbers', async () => {
    await seedTable(test, test.acme, { name: 'listed' });
    const object = { type: 'TABLE', id: 'demo.vega.listed', add_tags: ['x'] };
    const file = `${ndjsonOf([object])}\n${ndjsonOf([{ ...object, id: 'demo.vega.unlisted' }])}`;
    const { import_id: id } = await importFile(test, steward, file, { type: NDJSON });
    const { body, text } = await readImport(test, steward, id, '/report');
    expect(body.metadata_objects).toEqual([
      { line: 1, success: true, fact_id: expect.any(String), fields_processed: false, error_message: null, ...object },
      {
        ...{ line: 3, success: false, fact_id: '', fields_processed: false, ...object, id: 'demo.vega.unlisted' },
        error_message: 'There is no TABLE demo.vega.unlisted.',
      },
    ]);
    expect(text.split('\n')).toHaveLength(5);
    const csv = await readImport(test, steward, id, '/report?format=csv');
    expect([csv.status, csv.body.message]).toEqual([400, expect.stringContaining('format=json')]);
  });
});

describe('an import', () => {
  it('does not exist for another tenant, nor for a user who did not send it', async () => {
    await seedTable(test, test.acme, { name: 'own' });
    const { import_id: id } = await importFile(test, steward, `${HEADER}\nTABLE,demo.vega.own,,,x,,\n`);
    for (const caller of [otherTenant, analyst]) {
      for (const more of ['', '/report']) expect((await readImport(test, caller, id, more)).status).toBe(404);
      const cancel = { method: 'DELETE', headers: { idtoken: caller.idToken } };
      expect((await send(`${test.url}/metadata/imports/${id}`, cancel)).status).toBe(404);
    }
    expect((await readImport(test, steward, 'no-id')).status).toBe(404);
    expect((await readImport(test, steward, randomUUID())).status).toBe(404);
    const over = await send(`${test.url}/metadata/imports/${id}`, {
      method: 'DELETE',
      headers: { idtoken: steward.idToken },
    });
    expect([over.status, over.body.state]).toEqual([200, 'FINISHED']);
  });

  it('is rejected for a user without permission who owns no datamap, and lets an owner change only a datamap that they own', async () => {
    const file = `${HEADER}\nTABLE,demo.vega.own,,,changed,,\n`;
    expect((await sendFile(test, analyst, file)).status).toBe(403);
    const owner = await logInAs(test, ['analyst'], test.acme);
    const datamap = await seedDatamap(test, test.acme, { ownerId: owner.id });
    const status = await importFile(test, owner, `${file}DATAMAP,${datamap},,,mine,,\n`);
    expect(status).toMatchObject({ success_count: 1, failure_count: 1 });
    expect(await storedMetadata(test, datamap)).toMatchObject({ description: 'mine' });
  });

  it('is cancelled between batches, and its report names the objects that were not applied', async () => {
    await seedTable(test, test.acme, { name: 'stopped' });
    const objects = Array.from({ length: 2_000 }, (_, index) => ({
      type: 'TABLE',
      id: 'demo.vega.stopped',
      description: `version ${index}`,
    }));
    const { body } = await sendFile(test, steward, ndjsonOf(objects), { type: NDJSON });
    const early = await readImport(test, steward, body.import_id, '/report');
    expect([early.status, early.body.error]).toEqual([409, 'conflict']);
    const cancelled = await send(`${test.url}/metadata/imports/${body.import_id}`, {
      method: 'DELETE',
      headers: { idtoken: steward.idToken },
    });
    expect([cancelled.status, cancelled.body.state]).toEqual([202, 'CANCELLED']);
    const { processed_count: processed } = cancelled.body;
    expect(processed % 50).toBe(0);
    const report = await readImport(test, steward, body.import_id, '/report?failed=true');
    expect(report.body.metadata_objects).toHaveLength(2_000 - processed);
    expect(report.body.metadata_objects[0].error_message).toBe('Not applied: the import was cancelled.');
    expect((await readImport(test, steward, body.import_id)).body.processed_count).toBe(processed);
    expect((await recordsOf(body.import_id)).map(({ action }) => action)).toContain('CANCEL_METADATA_IMPORT');
  });

  it('fails without applying more when its sender is disabled', async () => {
    const sender = await logInAs(test, ['steward'], test.acme);
    const id = await seedTable(test, test.acme, { name: 'orphaned' });
    await test.rows(`update metadata_imports set held_until = now() + interval '1 day' where state = 'QUEUED'`);
    const objects = Array.from({ length: 60 }, () => ({ type: 'TABLE', id: 'demo.vega.orphaned', description: 'x' }));
    await test.rows("alter table metadata_imports alter column held_until set default now() + interval '1 day'");
    const { body } = await sendFile(test, sender, ndjsonOf(objects), { type: NDJSON });
    await test.rows('alter table metadata_imports alter column held_until drop default');
    await test.rows('update users set disabled = true where id = $1', [sender.id]);
    await test.rows('update metadata_imports set held_until = null where import_id = $1', [body.import_id]);
    const status = await endedImport(test, steward, body.import_id);
    expect(status).toMatchObject({ state: 'FAILED', processed_count: 0, error: { code: 'ACCESS_DENIED' } });
    expect(await storedMetadata(test, id)).toMatchObject({ description: null });
  });
});

describe('an upload that stops in the middle', () => {
  it('returns 408 after 30 s, and nothing of it is kept', async () => {
    const { status, text } = await stalled;
    expect([status, JSON.parse(text).message]).toEqual([408, 'No byte of the body arrived within 30 s.']);
    expect(await test.rows(`select 1 from metadata_imports where state = 'UPLOADING'`)).toEqual([]);
  });
});
