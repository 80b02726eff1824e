import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { declareParameters, publishDatamap } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, queryIdOf } from '@sluice/testkit/requests';
import { unzip } from '../results/unzip.ts';

let hosts: TestHosts;
let ann: Credential;
let link: string;
const SQL = `SELECT $day AS "day", $region AS region, $miles AS miles, $note AS note`;
const DECLARED = [
  { name: 'day', type: 'date' },
  { name: 'region', type: 'varchar', default: 'EU', allowed_values: ['EU', 'US'] },
  { name: 'miles', type: 'decimal(10,2)', default: '1.50' },
  { name: 'note', type: 'varchar', required: false },
];
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
  const id = await publishDatamap(hosts, hosts.acme, SQL);
  await declareParameters(hosts, id, DECLARED);
  link = `/datamap/${id}/download`;
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const ask = (path: string, method = 'GET', credential: Credential = ann) =>
  send(`${hosts.url}${path}`, { method, headers: { ...credential } });
const createTicket = (path: string) =>
  send(`${hosts.url}/tickets`, {
    method: 'POST',
    headers: { ...ann, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'GET', path }),
  });
const pathsOf = ({ body }: ReceivedResponse): string[] => body.details.map(({ path }: { path: string }) => path);
const messagesOf = ({ body }: ReceivedResponse): string[] =>
  body.details.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`);

describe('GET /datamap/{id}/download/{format} with parameters', () => {
  it('binds each value as its declared type, and defaults for the others', async () => {
    const answer = await ask(`${link}/csv?p.day=2010-01-31&p.miles=2.25&p.note=it%27s%20%24day%3B--`);
    expect([answer.status, answer.text]).toEqual([200, "day,region,miles,note\n2010-01-31,EU,2.25,it's $day;--\n"]);
    const others = await ask(`${link}/csv?p.day=2010-01-31&p.region=US`);
    expect(others.text).toBe('day,region,miles,note\n2010-01-31,US,1.50,\n');
  });

  it('holds the values in the audit record, the history, and the workbook', async () => {
    const own = basicOf(await hosts.build.user(hosts.acme));
    const answer = await ask(`${link}/xlsx?p.day=2010-01-31`, 'GET', own);
    const values = {
      day: { type: 'date', value: '2010-01-31' },
      region: 'EU',
      miles: { type: 'decimal(10,2)', value: '1.50' },
      note: { type: 'varchar', value: null },
    };
    const query_id = queryIdOf(answer);
    const [record] = await hosts.rows<{ metadata: { parameters: unknown } }>(
      'select metadata from audit_log where query_id = $1 and record_id is null',
      [query_id],
    );
    expect(record?.metadata.parameters).toEqual(values);
    const history = await ask('/query/history?kind=DATAMAP', 'GET', own);
    expect(history.body.data).toEqual([expect.objectContaining({ query_id, parameters: values })]);
    const text = [...(await unzip(answer.bytes)).values()].join('\n').replaceAll('&quot;', '"');
    expect(text).toContain('{"day":{"type":"date","value":"2010-01-31"},"region":"EU"');
  });

  it('returns 400 with each problem, and records nothing', async () => {
    const own = await hosts.build.user(hosts.acme);
    const get = (query: string) => ask(`${link}/csv?${query}`, 'GET', basicOf(own));
    const answer = await get('p.region=ASIA&p.miles=cheap&p.nope=1&p.=1');
    expect(answer.status).toBe(400);
    expect(messagesOf(answer)).toEqual([
      'query.p.nope is not a declared parameter: those are day, region, miles, note',
      'query.p. is not a declared parameter: those are day, region, miles, note',
      'query.p.day is missing: send a value of type date',
      'query.p.region must be one of EU, US',
      expect.stringMatching(/^query\.p\.miles must .*\(decimal\(10,2\)\)$/),
    ]);
    for (const [query, path] of [
      ['', 'query.p.day'],
      ['p.day=2010-02-30', 'query.p.day'],
      ['p.day=', 'query.p.day'],
      ['p.day=2010-01-31&p.day=2010-01-31', 'query.p.day'],
      ['p.day=2010-01-31&p.note=%00', 'query.p.note'],
      ['p.day=2010-01-31&size=1', 'query.size'],
      ['p.day=2010-01-31&day=2010-01-31', 'query.day'],
      ['p.day=2010-01-31&P.region=EU', 'query.P.region'],
      ['p.day=2010-01-31&p.__proto__=1', 'query.p.__proto__'],
    ] as const)
      expect([query, (await get(query)).status, pathsOf(await get(query))]).toEqual([query, 400, [path]]);
    expect(await hosts.rows('select 1 from audit_log where user_name = $1', [own.email])).toEqual([]);
  });

  it('returns 400 for 1,001 of them, and at most 100 problems', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `p.a${index}=1`).join('&');
    const answer = await ask(`${link}/csv?${many(1_001)}`);
    expect([answer.status, messagesOf(answer)]).toEqual([400, ['query.p must hold at most 1000 parameters']]);
    const fewer = await ask(`${link}/csv?${many(200)}`);
    expect([fewer.status, fewer.body.details.length, messagesOf(fewer).at(-1)]).toEqual([
      400,
      101,
      'request has 101 more violations',
    ]);
  });

  it('checks them for HEAD', async () => {
    expect([
      (await ask(`${link}/csv?p.day=2010-01-31`, 'HEAD')).status,
      (await ask(`${link}/csv`, 'HEAD')).status,
    ]).toEqual([200, 400]);
  });

  it('does not describe the datamap of another tenant', async () => {
    const credential = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
    expect((await ask(`${link}/csv?p.nope=1`, 'GET', credential)).status).toBe(404);
    expect((await ask(`/datamap/${randomUUID()}/download/csv?p.day=2010-01-31`)).status).toBe(404);
  });
});

describe('a link with a list', () => {
  let lists: string;
  beforeAll(async () => {
    const id = await publishDatamap(hosts, hosts.acme, 'SELECT $ids AS ids, len($codes) AS n');
    await declareParameters(hosts, id, [
      { name: 'ids', type: 'array(bigint)' },
      { name: 'codes', type: 'array(varchar)', default: ['EU'], allowed_values: ['EU', 'US'] },
    ]);
    lists = `/datamap/${id}/download`;
  });

  it('repeats the name for each item', async () => {
    const answer = await ask(`${lists}/csv?p.ids=1&p.codes=EU&p.ids=9007199254740993&p.codes=US&p.codes=US`);
    expect([answer.status, answer.text]).toEqual([200, 'ids,n\n"[1,9007199254740993]",3\n']);
    expect((await ask(`${lists}/csv?p.ids=-7`)).text).toBe('ids,n\n[-7],1\n');
    const [record] = await hosts.rows<{ metadata: { parameters: unknown } }>(
      'select metadata from audit_log where query_id = $1 and record_id is null',
      [queryIdOf(answer)],
    );
    expect(record?.metadata.parameters).toEqual({
      ids: { type: 'array(bigint)', value: ['1', '9007199254740993'] },
      codes: ['EU', 'US', 'US'],
    });
  });

  it('returns 400 with each item that does not fit', async () => {
    const answer = await ask(`${lists}/csv?p.ids=1&p.ids=x&p.codes=ASIA&p.codes=US&p.ids=%00`);
    expect([answer.status, messagesOf(answer)]).toEqual([400, ['query.p.ids must not contain the NUL character']]);
    const others = await ask(`${lists}/csv?p.ids=1&p.ids=x&p.codes=ASIA&p.codes=US`);
    expect([others.status, messagesOf(others)]).toEqual([
      400,
      [expect.stringMatching(/^query\.p\.ids\[1\] must be an integer/), 'query.p.codes[0] must be one of EU, US'],
    ]);
    expect(messagesOf(await ask(`${lists}/csv?p.codes=EU`))).toEqual([
      'query.p.ids is missing: send a value of type array(bigint)',
    ]);
    expect(messagesOf(await ask(`${lists}/csv?p.ids=1&size=1&size=2`))).toEqual(['query.size must be given only once']);
  });

  it('works by a ticket', async () => {
    const made = await createTicket(`${lists}/csv?p.ids=3&p.ids=4`);
    expect((await ask(made.body.url, 'GET', {})).text).toBe('ids,n\n"[3,4]",1\n');
  });
});

describe('a ticket for a link with parameters', () => {
  it('downloads the file with the values', async () => {
    const made = await createTicket(`${link}/csv?p.day=2010-01-31&p.region=US`);
    expect(made.status).toBe(201);
    const answer = await ask(made.body.url, 'GET', {});
    expect([answer.status, answer.text]).toEqual([200, 'day,region,miles,note\n2010-01-31,US,1.50,\n']);
  });

  it('is rejected immediately for values that do not fit, with the name of each parameter', async () => {
    const made = await createTicket(`${link}/csv?p.region=ASIA&p.nope=1`);
    expect([made.status, messagesOf(made)]).toEqual([
      400,
      [
        'body.path query.p.nope is not a declared parameter: those are day, region, miles, note',
        'body.path query.p.day is missing: send a value of type date',
        'body.path query.p.region must be one of EU, US',
      ],
    ]);
  });
});
