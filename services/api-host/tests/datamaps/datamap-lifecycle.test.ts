import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { datamapRecord } from '@sluice/contract';
import { send } from '@sluice/testkit';
import type { LoggedIn } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { type DatamapFixture, startDatamapFixture } from './datamap-fixture.ts';
import { createDatamap, getDatamap, madeDatamap } from './datamap-requests.ts';

let fixture: DatamapFixture;
let test: TestHost;
let admin: LoggedIn;
let analyst: LoggedIn;
let steward: LoggedIn;
let writer: LoggedIn;
let auditsOf: DatamapFixture['auditsOf'];
let put: DatamapFixture['put'];
let remove: DatamapFixture['remove'];
let stateOf: DatamapFixture['stateOf'];
let step: DatamapFixture['step'];

beforeAll(async () => {
  fixture = await startDatamapFixture();
  ({ test, admin, analyst, steward, writer, auditsOf, put, remove, stateOf, step } = fixture);
}, 120_000);
afterAll(async () => await fixture?.[Symbol.asyncDispose]());

describe('a new datamap', () => {
  it('has names without white space around them, as its OpenAPI document says', async () => {
    const { body } = await createDatamap(test, writer, { name: ' \tSales\u00a0', display_name: '\nSales by day ' });
    expect(body.datamap).toMatchObject({ name: 'Sales', display_name: 'Sales by day' });
    const changed = await put(writer, body.id, { name: ' Returns ', display_name: ' Returned ' });
    expect(changed.body.datamap).toMatchObject({ name: 'Returns', display_name: 'Returned' });
    const { schemas } = (await send(`${test.url}/openapi.json`)).body.components;
    for (const request of ['CreateDatamapRequest', 'UpdateDatamapRequest'])
      for (const name of ['name', 'display_name'])
        expect(schemas[request].properties[name].description).toContain('White space around it is removed');
  });

  it('is a DRAFT of its creator, described by the engine, with every key of the record', async () => {
    const answer = await createDatamap(test, writer, {
      name: 'totals',
      display_name: ' Totals by day ',
      description: 'What was sold',
      tags: ['Sales', ' sales', 'daily'],
      sql: `select 1::bigint as orders, 2.5::decimal(10,2) as total, date '2026-01-01' as day, ['x'] as tags, 'a' as "a b"`,
      priority: 'HIGH',
      explanation: 'One row a day',
      sme: analyst.email,
      limit: 50,
    });
    expect([answer.status, answer.headers['etag'], answer.headers['location']]).toEqual([
      201,
      '"1"',
      `/datamap/${answer.body.id}`,
    ]);
    expect(() => datamapRecord.strict().parse(answer.body)).not.toThrow();
    const { body } = answer;
    expect(body).toMatchObject({
      type: 'DATAMAP',
      score: 0,
      description: 'What was sold',
      tags: ['Sales', 'daily'],
      tag_count: 2,
      field_count: 5,
      fields: [],
      view_count: 0,
      comment_count: 0,
      datamap: {
        name: 'totals',
        display_name: 'Totals by day',
        state: 'DRAFT',
        import_type: 'NONE',
        priority: 'HIGH',
        assigned: { to: writer.email, sme: analyst.email, from: writer.email },
        config: { is_advanced_mode: true, limit: 50 },
        created_by: writer.email,
        updated_by: writer.email,
        last_published_by: null,
        explanation: 'One row a day',
      },
      user_activity: { type: 'FACT', associated_id: body.id, user_id: writer.id, is_favourite: null, viewed: 0 },
    });
    const field = { description: '', tags: [], auto_increment: 'NO' };
    expect(body.datamap.datamap_fields).toEqual([
      { name: 'orders', data_type: -5, java_type: 'java.lang.Long', column_size: 19, decimal_digits: 0, ...field },
      { name: 'total', data_type: 3, java_type: 'java.math.BigDecimal', column_size: 10, decimal_digits: 2, ...field },
      { name: 'day', data_type: 91, java_type: 'java.sql.Date', column_size: 10, decimal_digits: 0, ...field },
      { name: 'tags', data_type: 2003, java_type: 'java.sql.Array', column_size: 0, decimal_digits: 0, ...field },
      {
        name: 'a b',
        data_type: 12,
        java_type: 'java.lang.String',
        column_size: 2_147_483_647,
        decimal_digits: 0,
        ...field,
      },
    ]);
  });

  it('may have no SQL, and uses its name as its display name', async () => {
    const { status, body } = await createDatamap(test, steward, { name: 'idea' });
    expect([status, body.datamap.display_name, body.datamap.advanced_mode.sql, body.field_count]).toEqual([
      201,
      'idea',
      null,
      0,
    ]);
  });

  it.each([
    ['syntax_error', 'selec 1'],
    ['table_not_found', 'select * from nosuch'],
    ['column_not_found', 'select nosuch from (select 1 as a)'],
    ['read_only', 'create table x (a integer)'],
    ['read_only', 'select 1; select 2'],
  ])("is rejected with the engine's message: %s", async (code, sql) => {
    const answer = await createDatamap(test, steward, { name: 'bad', sql });
    expect([answer.status, answer.body.error]).toEqual([400, code]);
    expect(answer.body.message.length).toBeGreaterThan(10);
    const made = await test.rows(`select 1 from datamaps where tenant_id = $1 and name = 'bad'`, [test.acme.tenantId]);
    expect(made).toEqual([]);
  });
});

describe('the states of a datamap', () => {
  it('go from DRAFT through PUBLISHED and IN_PROGRESS to ARCHIVED and back, each with a version and an audit record', async () => {
    const id = await madeDatamap(test, writer, { name: 'walk' });
    const published = await step(writer, id, 'publish');
    expect([published.status, published.body.datamap.state, published.headers['etag']]).toEqual([
      200,
      'PUBLISHED',
      '"2"',
    ]);
    expect(published.body.datamap.last_published_by).toBe(writer.email);
    expect(published.body.datamap.last_published_timestamp).toBeGreaterThan(Date.now() - 60_000);
    expect((await step(writer, id, 'unpublish')).body.datamap.state).toBe('IN_PROGRESS');
    expect((await step(writer, id, 'archive')).body.datamap.state).toBe('ARCHIVED');
    expect((await step(writer, id, 'publish')).body.datamap.state).toBe('PUBLISHED');
    const renamed = await put(writer, id, { display_name: 'Walked' });
    expect([renamed.body.datamap.state, renamed.body.datamap.display_name]).toEqual(['PUBLISHED', 'Walked']);
    const changed = await put(writer, id, { sql: `select 'x' as letter, 2 as two` });
    expect([changed.body.datamap.state, changed.body.field_count]).toEqual(['IN_PROGRESS', 2]);
    await step(writer, id, 'archive');
    expect((await remove(writer, id)).status).toBe(204);
    expect((await getDatamap(test, admin, id)).status).toBe(404);
    const audits = await auditsOf(id);
    expect(audits.filter(({ action }) => action !== 'READ_DATAMAP').map(({ action }) => action)).toEqual([
      'CREATE_DATAMAP',
      'PUBLISH_DATAMAP',
      'UNPUBLISH_DATAMAP',
      'ARCHIVE_DATAMAP',
      'PUBLISH_DATAMAP',
      'UPDATE_DATAMAP',
      'DESCRIBE_QUERY',
      'UPDATE_DATAMAP',
      'ARCHIVE_DATAMAP',
      'DELETE_DATAMAP',
    ]);
    expect(audits[7]?.metadata).toMatchObject({
      sql: `select 'x' as letter, 2 as two`,
      before: { state: 'PUBLISHED', sql: 'select 1 as one' },
      after: { state: 'IN_PROGRESS', sql: `select 'x' as letter, 2 as two` },
    });
  });

  it.each([
    ['DRAFT', [], 'unpublish'],
    ['PUBLISHED', ['publish'], 'publish'],
    ['IN_PROGRESS', ['publish', 'unpublish'], 'unpublish'],
    ['ARCHIVED', ['archive'], 'unpublish'],
    ['ARCHIVED', ['archive'], 'archive'],
  ])('reject, from %s (after %j), the step %s, and nothing changes', async (state, steps, name) => {
    const id = await madeDatamap(test, writer, { name: 'stuck' }, steps);
    const answer = await step(writer, id, name);
    expect([answer.status, answer.body.error, await stateOf(id)]).toEqual([409, 'conflict', state]);
  });

  it.each([
    ['DRAFT', [], 204],
    ['ARCHIVED', ['archive'], 204],
    ['PUBLISHED', ['publish'], 409],
    ['IN_PROGRESS', ['publish', 'unpublish'], 409],
  ])('allow a %s datamap (after %j) to be removed, or not: %d', async (_state, steps, status) => {
    const id = await madeDatamap(test, writer, { name: 'gone' }, steps);
    expect((await remove(writer, id)).status).toBe(status);
  });

  it('do not publish a datamap without SQL', async () => {
    const { body } = await createDatamap(test, steward, { name: 'empty' });
    const answer = await step(steward, body.id, 'publish');
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'A datamap without SQL cannot be published. Set its SQL first.',
    ]);
  });

  it('stay unchanged, with the SQL, when the engine rejects the new SQL', async () => {
    const id = await madeDatamap(test, writer, { name: 'kept' }, ['publish']);
    const answer = await put(writer, id, { sql: 'select * from nosuch', description: 'new' });
    expect([answer.status, answer.body.error]).toEqual([400, 'table_not_found']);
    const { body } = await getDatamap(test, writer, id);
    expect([body.datamap.state, body.datamap.advanced_mode.sql, body.description]).toEqual([
      'PUBLISHED',
      'select 1 as one',
      null,
    ]);
  });
});

describe('a lost update', () => {
  it('is rejected for an older version; a version is optional', async () => {
    const id = await madeDatamap(test, writer, { name: 'race' });
    const { headers } = await getDatamap(test, writer, id);
    const etag = String(headers['etag']);
    expect((await put(writer, id, { description: 'first' }, etag)).headers['etag']).toBe('"2"');
    for (const stale of [etag, 'W/"2"', '"x"', 'x']) {
      const answer = await put(writer, id, { description: 'second' }, stale);
      expect([stale, answer.status, answer.body.error]).toEqual([stale, 412, 'precondition_failed']);
    }
    expect((await step(writer, id, 'publish', etag)).status).toBe(412);
    expect((await put(writer, id, { description: 'third' }, '*')).status).toBe(200);
    expect((await put(writer, id, { description: 'fourth' })).status).toBe(200);
  });

  it('does not happen in a race: one of twenty writers of one version wins', async () => {
    const id = await madeDatamap(test, writer, { name: 'race' });
    const writes = Array.from({ length: 20 }, (_, index) => put(writer, id, { description: `w${index}` }, '"1"'));
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(19);
    expect((await getDatamap(test, writer, id)).headers['etag']).toBe('"2"');
  });
});
