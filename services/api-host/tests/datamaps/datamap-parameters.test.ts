import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';
import { createDatamap, getDatamap, sendAs } from './datamap-requests.ts';

let test: TestHost;
let steward: LoggedIn;
beforeAll(async () => {
  test = await shareTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const SQL = 'select $day as day, $n + 1 as n, $name as name';
const PARAMETERS = [
  { name: 'day', type: 'date', description: 'First day' },
  { name: 'n', type: 'bigint', default: 5 },
  { name: 'name', type: 'varchar', allowed_values: ['a', 'b'], default: 'a' },
];

describe('declared parameters of a datamap', () => {
  it('are stored, presented, and described with their types', async () => {
    const made = await createDatamap(test, steward, { name: 'with values', sql: SQL, parameters: PARAMETERS });
    expect([made.status, made.body.message]).toEqual([201, undefined]);
    const { datamap } = (await getDatamap(test, steward, made.body.id)).body;
    const rest = { description: null, required: false, allowed_values: null };
    expect(datamap.parameters).toEqual([
      { name: 'day', type: 'date', description: 'First day', required: true, default: null, allowed_values: null },
      { ...rest, name: 'n', type: 'bigint', default: 5 },
      { ...rest, name: 'name', type: 'varchar', default: 'a', allowed_values: ['a', 'b'] },
    ]);
    const types = datamap.datamap_fields.map(({ java_type }: { java_type: string }) => java_type);
    expect(types).toEqual(['java.sql.Date', 'java.lang.Long', 'java.lang.String']);
  });

  it('may be lists, with the values that their items may have', async () => {
    const parameters = [
      { name: 'ids', type: 'array(bigint)', default: [1, '9007199254740993', null] },
      { name: 'codes', type: 'array(varchar)', allowed_values: ['EU', 'US'] },
    ];
    const sql = 'select len($ids) as n, $ids[1] as id, $codes[1] as code';
    const made = await createDatamap(test, steward, { name: 'with lists', sql, parameters });
    expect([made.status, made.body.message]).toEqual([201, undefined]);
    const { datamap } = (await getDatamap(test, steward, made.body.id)).body;
    expect(datamap.parameters).toMatchObject([
      { type: 'array(bigint)', required: false, default: [1, '9007199254740993', null], allowed_values: null },
      { type: 'array(varchar)', required: true, default: null, allowed_values: ['EU', 'US'] },
    ]);
    const types = datamap.datamap_fields.map(({ java_type }: { java_type: string }) => java_type);
    expect(types).toEqual(['java.lang.Long', 'java.lang.Long', 'java.lang.String']);
    const refused = await createDatamap(test, steward, {
      ...{ name: 'wrong lists', sql },
      parameters: [
        { name: 'ids', type: 'array(bigint)', default: [1, 'x'] },
        { name: 'codes', type: 'array(varchar)', default: ['FR'], allowed_values: ['EU', ['US']] },
      ],
    });
    expect([refused.status, refused.body.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['body.parameters[0].default[1]', 'body.parameters[1].allowed_values[1]', 'body.parameters[1].default[0]'],
    ]);
  });

  it('are those that the SQL names, and no others', async () => {
    const { status, body } = await createDatamap(test, steward, {
      name: 'wrong',
      sql: 'select $a',
      parameters: [{ name: 'b', type: 'bigint' }],
    });
    expect([status, body.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['body.parameters.a', 'body.parameters.b'],
    ]);
  });

  it('have values of their type', async () => {
    const parameters = [
      { name: 'a', type: 'blob' },
      { name: 'b', type: 'date', default: 'x' },
      { name: 'c', type: 'bigint', allowed_values: [1], default: 2 },
    ];
    const { status } = await createDatamap(test, steward, { name: 'wrong', sql: 'select $a, $b, $c', parameters });
    expect(status).toBe(400);
  });

  it('are kept by a change without them, and set the state when they change', async () => {
    const { body } = await createDatamap(test, steward, { name: 'changed', sql: SQL, parameters: PARAMETERS });
    const put = (change: object) => sendAs(test, steward, { method: 'PUT', path: `/datamap/${body.id}`, body: change });
    expect((await put({ explanation: 'x' })).body.datamap).toMatchObject({ state: 'DRAFT', parameters: [{}, {}, {}] });
    expect((await put({ sql: 'select $day', parameters: [PARAMETERS[0]] })).body.datamap).toMatchObject({
      state: 'IN_PROGRESS',
      parameters: [{ name: 'day' }],
    });
    expect((await put({ sql: 'select $other' })).status).toBe(400);
    expect((await put({ sql: null })).body.datamap.parameters).toEqual([]);
  });
});
