import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { createItem, createSendRequest, declareParameters, type SendRequest } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, queryIdOf } from '@sluice/testkit/requests';
import { unzip } from '../results/unzip.ts';

let hosts: TestHosts;
let ask: SendRequest;
let ann: Credential;
const DAYS = 'SELECT $day AS "day", $region AS region';
const REGIONS = 'SELECT $region AS region, $miles AS miles';
const LISTS = 'SELECT $codes AS codes, $prices AS prices';
const DAY = { name: 'day', type: 'date' };
const REGION = { name: 'region', type: 'varchar', default: 'EU', allowed_values: ['EU', 'US'] };
const MILES = { name: 'miles', type: 'decimal(10,2)', default: '1.50' };
const ONE = '/marketplace/one/download';
const PACK = '/marketplace/pack/download';
const VALUES = { day: { type: 'date', value: '2010-01-31' }, region: 'US' };
const MILES_VALUE = { type: 'decimal(10,2)', value: '1.50' };
beforeAll(async () => {
  hosts = await startHosts();
  ask = createSendRequest(hosts);
  ann = basicOf(hosts.ann);
  const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  await createItem(hosts, admin, { id: 'one', queries: { days: DAYS } });
  await createItem(hosts, admin, { id: 'lists', queries: { lists: LISTS } });
  await createItem(hosts, admin, { id: 'plain', queries: { one: 'SELECT 1 AS one' } });
  await createItem(hosts, admin, { id: 'pack', queries: { days: DAYS, regions: REGIONS, none: 'SELECT 1 AS one' } });
  const datamaps = await hosts.rows<{ id: string; sql: string }>('select fact_id as id, sql from datamaps');
  const declared = new Map<string, readonly unknown[]>([
    [DAYS, [DAY, REGION]],
    [REGIONS, [REGION, MILES]],
    [
      LISTS,
      [
        { name: 'codes', type: 'array(varchar)' },
        { name: 'prices', type: 'array(decimal(5,2))', default: [] },
      ],
    ],
  ]);
  for (const { id, sql } of datamaps) await declareParameters(hosts, id, declared.get(sql) ?? []);
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const get = (path: string, credential: Credential = ann) => ask('GET', path, { credential });
const post = (path: string, parameters?: unknown) =>
  ask('POST', path, { credential: ann, ...(parameters === undefined ? {} : { body: { parameters } }) });
const ticketFor = (method: string, path: string, body?: unknown) =>
  ask('POST', '/tickets', { credential: ann, body: { method, path, ...(body === undefined ? {} : { body }) } });
const recordedParameters = async (answer: ReceivedResponse): Promise<unknown> => {
  const [record] = await hosts.rows<{ metadata: { parameters?: unknown } }>(
    'select metadata from audit_log where query_id = $1 and record_id is null',
    [queryIdOf(answer)],
  );
  return record?.metadata.parameters;
};
const problemsOf = ({ body }: ReceivedResponse): string[] =>
  body.details.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`);

it('an item tells the parameters of its queries', async () => {
  const declared = async () => {
    const { queries } = (await get('/marketplace/pack')).body;
    return queries.map(({ name, parameters }: { name: string; parameters: unknown }) => [name, parameters]);
  };
  const withAll = (declarations: readonly object[]) => declarations.map((each) => expect.objectContaining(each));
  expect(await declared()).toEqual([
    ['days', withAll([DAY, REGION])],
    ['regions', withAll([REGION, MILES])],
    ['none', []],
  ]);
});

describe('downloads of an item whose datamap declares parameters', () => {
  it('take the values by GET and by POST, with the same file and record', async () => {
    const answers = [
      await get(`${ONE}/csv?p.day=2010-01-31&p.region=US`),
      await post(`${ONE}/csv`, { day: '2010-01-31', region: 'US' }),
      await post('/marketplace/download?id=one&format=csv', VALUES),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([200, 'day,region\n2010-01-31,US\n']);
      expect(await recordedParameters(answer)).toEqual(VALUES);
    }
    const history = await get('/query/history?kind=MARKETPLACE');
    expect(history.body.data[0]).toMatchObject({
      query_id: queryIdOf(answers[2] as ReceivedResponse),
      parameters: VALUES,
    });
  });

  it.each([
    ['text/plain', 'x'],
    ['application/x-www-form-urlencoded', 'parameters=1'],
    ['application/json', '["parameters"]'],
    ['application/json; charset=utf-8', '{"id":"one"}'],
  ])('ignore a body without parameters, such as %s %s', async (type, body) => {
    const answer = await send(`${hosts.url}/marketplace/plain/download/csv`, {
      method: 'POST',
      headers: { ...ann, 'content-type': type },
      body,
    });
    expect([answer.status, answer.text]).toEqual([200, 'one\n1\n']);
  });

  it('use defaults, and keep working without a body', async () => {
    expect((await get(`${ONE}/ndjson?p.day=2010-01-31`)).text).toBe('{"day":"2010-01-31","region":"EU"}\n');
    const answer = await post(`${ONE}/csv`);
    expect([answer.status, problemsOf(answer)]).toEqual([
      400,
      ['body.parameters.day is missing: send a value of type date'],
    ]);
  });

  it('write the values into the manifest of an archive, each query with its own', async () => {
    const answer = await get(`${PACK}/csv?p.day=2010-01-31&p.region=US&compression=store`);
    const members = await unzip(answer.bytes);
    expect([...members].slice(0, 3).map(([name, bytes]) => [name, bytes.toString()])).toEqual([
      ['days.csv', 'day,region\n2010-01-31,US\n'],
      ['regions.csv', 'region,miles\nUS,1.50\n'],
      ['none.csv', 'one\n1\n'],
    ]);
    const manifest = JSON.parse(String(members.get('manifest.json')));
    expect(manifest.files.map(({ parameters }: { parameters: unknown }) => parameters)).toEqual([
      VALUES,
      { region: 'US', miles: MILES_VALUE },
      {},
    ]);
    expect(await recordedParameters(answer)).toEqual({ ...VALUES, miles: MILES_VALUE });
  });

  it('write the values into About of a workbook', async () => {
    const answer = await get(`${ONE}/xlsx?p.day=2010-01-31`);
    const text = [...(await unzip(answer.bytes)).values()].join('\n').replaceAll('&quot;', '"');
    expect(text).toContain('{"day":{"type":"date","value":"2010-01-31"},"region":"EU"}');
  });

  it('return 400 with each problem once', async () => {
    const got = await get(`${PACK}/csv?p.region=ASIA&p.miles=far&p.nope=1`);
    expect([got.status, problemsOf(got)]).toEqual([
      400,
      [
        'query.p.nope is not a declared parameter: those are day, region, miles',
        'query.p.day is missing: send a value of type date',
        'query.p.region must be one of EU, US',
        expect.stringMatching(/^query\.p\.miles must .*\(decimal\(10,2\)\)$/),
      ],
    ]);
    const posted = await post(`${PACK}/csv`, { day: 1, region: 'ASIA', miles: true, nope: null });
    expect([posted.status, problemsOf(posted)]).toEqual([
      400,
      [
        'body.parameters.nope is not a declared parameter: those are day, region, miles',
        'body.parameters.day must be of type date, not bigint',
        'body.parameters.region must be one of EU, US',
        'body.parameters.miles must be of type decimal(10,2), not boolean',
      ],
    ]);
    const many = Array.from({ length: 1_001 }, (_, index) => `a${index}`);
    for (const answer of [
      await get(`${ONE}/csv?${many.map((name) => `p.${name}=1`).join('&')}`),
      await post(`${ONE}/csv`, Object.fromEntries(many.map((name) => [name, 1]))),
    ])
      expect([answer.status, problemsOf(answer)]).toEqual([
        400,
        [expect.stringContaining('must hold at most 1000 parameters')],
      ]);
    expect((await get(`${ONE}/csv?p.day=2010-01-31&p.day=2010-01-31`)).status).toBe(400);
    expect((await post(`${ONE}/csv`, [1])).status).toBe(400);
    const unknown = await ask('POST', `${ONE}/csv`, { credential: ann, body: { parameters: VALUES, parameter: {} } });
    expect([unknown.status, problemsOf(unknown)]).toEqual([400, ['body.parameter is not a known key']]);
  });

  it('are checked after the grant', async () => {
    const auditor = basicOf(await hosts.build.user(hosts.acme, { roles: ['auditor'] }));
    expect((await get(`${ONE}/csv?p.nope=1`, auditor)).status).toBe(403);
  });
});

describe('lists of an item', () => {
  it('are an array of a body, or repeated in a link', async () => {
    const found = '[{"codes":["SFO","JFK"],"prices":[1.10,2.00]}]';
    for (const answer of [
      await get('/marketplace/lists/download/json?p.codes=SFO&p.prices=1.1&p.codes=JFK&p.prices=2'),
      await post('/marketplace/lists/download/json', { codes: ['SFO', 'JFK'], prices: [1.1, 2] }),
      await post('/marketplace/download?id=lists&format=json', {
        codes: ['SFO', 'JFK'],
        prices: { type: 'array(decimal(5,2))', value: ['1.10', '2'] },
      }),
    ]) {
      expect([answer.status, answer.text.replaceAll(/\s/g, '')]).toEqual([
        200,
        expect.stringContaining(`"data":${found}`),
      ]);
      expect(await recordedParameters(answer)).toEqual({
        codes: ['SFO', 'JFK'],
        prices: { type: 'array(decimal(5,2))', value: ['1.10', '2.00'] },
      });
    }
  });

  it('have the declared type where they show none, and each item must fit it', async () => {
    expect((await post('/marketplace/lists/download/csv', { codes: [], prices: [null] })).text).toBe(
      'codes,prices\n[],[null]\n',
    );
    const refused = await post('/marketplace/lists/download/csv', { codes: 'SFO', prices: ['1', 'x'] });
    expect([refused.status, problemsOf(refused)]).toEqual([
      400,
      [
        'body.parameters.codes must be of type array(varchar), not varchar',
        expect.stringMatching(/^body\.parameters\.prices\[1\] must be a decimal/),
      ],
    ]);
  });

  it('are kept by a ticket', async () => {
    const made = await ticketFor('POST', '/marketplace/lists/download/csv', { parameters: { codes: [] } });
    expect((await get(made.body.url, {})).text).toBe('codes,prices\n[],[]\n');
  });
});

describe('a ticket for an item with parameters', () => {
  it.each([
    ['GET', `${ONE}/csv?p.day=2010-01-31&p.region=US`, undefined],
    ['POST', `${ONE}/csv`, { parameters: VALUES }],
  ])('of %s downloads the file with the values', async (method, path, body) => {
    const made = await ticketFor(method, path, body);
    expect(made.status).toBe(201);
    expect((await get(made.body.url, {})).text).toBe('day,region\n2010-01-31,US\n');
  });

  it('keeps every digit of a number', async () => {
    const path = `${PACK}/csv`;
    const made = await ticketFor('POST', path, { parameters: { day: '2010-01-31', miles: 12345678.91 } });
    const members = await unzip((await get(made.body.url, {})).bytes);
    expect(String(members.get('regions.csv'))).toBe('region,miles\nEU,12345678.91\n');
  });

  it('is rejected immediately, with the name of each parameter', async () => {
    expect(problemsOf(await ticketFor('GET', `${ONE}/csv?p.nope=1`))).toEqual([
      'body.path query.p.nope is not a declared parameter: those are day, region',
      'body.path query.p.day is missing: send a value of type date',
    ]);
    expect(problemsOf(await ticketFor('POST', `${ONE}/csv`))).toEqual([
      'body.body.parameters.day is missing: send a value of type date',
    ]);
  });
});
