import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, eventsOf, post, queryIdOf } from '@sluice/testkit/requests';

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const PATHS = ['/query', '/query/download/csv', '/query/download/json', '/query/download/xlsx'] as const;
const run = (sql: string, parameters: unknown, path: string = '/query/download/csv') =>
  post(`${hosts.url}${path}`, { sql, parameters }, ann);
const EVERY_KIND =
  'SELECT $text AS text, $whole AS whole, $part AS part, $double AS double, $yes AS yes, $none AS none';
const VALUES =
  '{"text": "it\'s $whole", "whole": 9007199254740993, "part": 1.10, "double": 1e2, "yes": true, "none": null}';

describe('parameters', () => {
  it('are bound with every digit of their numbers, in a stream and in each download', async () => {
    const body = `{"sql": ${JSON.stringify(EVERY_KIND)}, "parameters": ${VALUES}}`;
    const stream = await post(`${hosts.url}/query`, body, ann);
    expect(stream.text).toContain(
      '{"text":"it\'s $whole","whole":9007199254740993,"part":1.10,"double":100.0,"yes":true,"none":null}',
    );
    const [metadata] = await eventsOf(stream);
    expect(metadata).toMatchObject({
      columns: [
        { type: 'varchar' },
        { type: 'bigint' },
        { type: 'decimal(3,2)' },
        { type: 'double' },
        { type: 'boolean' },
        {},
      ],
    });
    const csv = await post(`${hosts.url}/query/download/csv`, body, ann);
    expect(csv.text).toBe("text,whole,part,double,yes,none\nit's $whole,9007199254740993,1.10,100.0,true,\n");
    for (const format of ['json', 'ndjson', 'xlsx', 'parquet'])
      expect([(await post(`${hosts.url}/query/download/${format}`, body, ann)).status, format]).toEqual([200, format]);
  });

  it('are recorded in the audit log and listed in the history, in a form that can be sent again', async () => {
    const body = `{"sql": ${JSON.stringify(EVERY_KIND)}, "parameters": ${VALUES}}`;
    const id = queryIdOf(await post(`${hosts.url}/query/download/csv`, body, ann));
    const parameters = {
      text: "it's $whole",
      whole: { type: 'bigint', value: '9007199254740993' },
      part: { type: 'decimal(3,2)', value: '1.10' },
      double: { type: 'double', value: '100' },
      yes: true,
      none: null,
    };
    const [record] = await hosts.rows<{ metadata: object }>(
      'select metadata from audit_log where query_id = $1 and record_id is null',
      [id],
    );
    expect(record?.metadata).toMatchObject({ sql: EVERY_KIND, parameters });
    const { body: history } = await send(`${hosts.url}/query/history?size=1`, { headers: ann });
    expect(history.data[0]).toMatchObject({ query_id: id, parameters });
    expect((await run(EVERY_KIND, history.data[0].parameters)).text).toContain(
      "it's $whole,9007199254740993,1.10,100.0,true,",
    );
  });

  it('filter a table, each request with its own values', async () => {
    const names = async (id: number) => (await run('SELECT id FROM items WHERE id = $id', { id })).text;
    expect([await names(1), await names(2), await names(1)]).toEqual(['id\n1\n', 'id\n2\n', 'id\n1\n']);
  });

  it('have the type that they name', async () => {
    const { text } = await run('SELECT $day + INTERVAL 1 DAY AS next, typeof($id) AS id, $at AS at', {
      day: { type: 'date', value: '2010-02-28' },
      id: { type: 'uuid', value: '6FA459EA-EE8A-3CA4-894E-DB77E160355E' },
      at: { type: 'timestamp(3)', value: '2010-01-31T10:00' },
    });
    expect(text).toBe('next,id,at\n2010-03-01 00:00:00.000000,UUID,2010-01-31 10:00:00.000000\n');
  });

  it('are not found in string literals, quoted names, comments and dollar quotes', async () => {
    const sql = 'SELECT \'$a\' AS x, "$b", $$ $c $$ AS y, $q$ $d $q$ AS z FROM (SELECT 1 AS "$b") -- $e\n /* $f */';
    expect((await run(sql, undefined)).text).toBe('x,$b,y,z\n$a,1, $c , $d \n');
    expect((await run(sql, { a: 1 })).body.details).toEqual([
      { path: 'body.parameters.a', message: expect.stringContaining('is not used') },
    ]);
  });

  it.each([...PATHS])('that are missing or not used are all reported before anything runs: %s', async (path) => {
    const before = await hosts.rows('select count(*) from queries');
    const { status, body } = await run('SELECT $a,\n  $b, $a', { c: 1, d: 'x' }, path);
    expect([status, body.error, body.details]).toEqual([
      400,
      'invalid_request',
      [
        { path: 'body.parameters.a', message: 'is missing: the SQL names $a at line 1, column 8' },
        { path: 'body.parameters.b', message: 'is missing: the SQL names $b at line 2, column 3' },
        { path: 'body.parameters.c', message: expect.stringContaining('is not used') },
        { path: 'body.parameters.d', message: expect.stringContaining('is not used') },
      ],
    ]);
    expect(await hosts.rows('select count(*) from queries')).toEqual(before);
  });

  it.each([
    ['SELECT $1', '$1', 8],
    ['SELECT  ?', '?', 9],
    ['SELECT $A', '$A', 8],
    ['SELECT $a$', '$a$', 8],
    ['SELECT $"a b"', '$"a b"', 8],
    ['SELECT $ä', '$ä', 8],
  ])('must be of the form $name: %s', async (sql, mark, column) => {
    const { status, body } = await run(sql, { a: 1 });
    expect(status).toBe(400);
    if (mark !== '$a$')
      expect(body.message).toContain(`${mark} at line 1, column ${column}: write a parameter as $name`);
  });

  it.each([
    ['a list', [], 'parameters must be an object'],
    ['a string', 'x', 'parameters must be an object'],
    ['a name with a capital letter', { A: 1 }, 'must be 1 to 128 of a-z'],
    ['a name that begins with a digit', { '1a': 1 }, 'must be 1 to 128 of a-z'],
    ['a list of lists', { a: [[1]] }, 'body.parameters.a[0]'],
    ['an object as an item', { a: ['x', { type: 'date', value: '2010-01-31' }] }, 'body.parameters.a[1]'],
    ['a list that shows no type', { a: [] }, 'must name its type'],
    ['a list of NULL only', { a: [null] }, 'must name its type'],
    ['a list of several types', { a: ['x', 1] }, 'is a number, but the first item is a varchar'],
    ['a list of lists by its type', { a: { type: 'array(array(bigint))', value: [] } }, 'must have the type boolean'],
    ['one value as a list', { a: { type: 'array(bigint)', value: 1 } }, 'must be an array of items (array(bigint))'],
    ['a list as one value', { a: { type: 'bigint', value: [1] } }, 'must have a value that is a string'],
    ['10,001 items', { a: Array.from({ length: 10_001 }, () => 'x') }, 'must hold at most 10000 items'],
    ['items of more than 256 KiB', { a: Array.from({ length: 9 }, () => 'x'.repeat(30_000)) }, '262144 bytes'],
    ['more than 33,100 values', { a: Array.from({ length: 33_101 }, () => 'x') }, 'more than 33100 values'],
    ['an object without a type', { a: { value: 1 } }, 'exactly type and value'],
    ['an unknown type', { a: { type: 'blob', value: 'x' } }, 'must have the type boolean, integer'],
    ['an integer that is too large', { a: { type: 'integer', value: '2147483648' } }, 'an integer of 32 bits'],
    [
      'a decimal with too many digits',
      { a: { type: 'decimal(3,1)', value: '123.4' } },
      'at most 2 digits before the point',
    ],
    ['a day that does not exist', { a: { type: 'date', value: '2010-02-30' } }, 'must be a date'],
    ['a time of day that does not exist', { a: { type: 'time', value: '24:00:00' } }, 'must be a time'],
    [
      'a timestamp without a zone',
      { a: { type: 'timestamp(3) with time zone', value: '2010-01-01 10:00:00' } },
      'UTC or an offset',
    ],
    ['SQL instead of a number', { a: { type: 'bigint', value: '1 OR 1=1' } }, 'an integer of 64 bits'],
    ['NUL', { a: '\0' }, 'NUL'],
    ['a lone surrogate', { a: '\ud800' }, 'surrogate'],
    [
      '1,001 of them',
      Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`p${n}`, n])),
      'at most 1000 parameters',
    ],
    ['more than 256 KiB', { a: 'x'.repeat(262_144) }, '262144 bytes'],
  ])('that are not valid return 400 and say what to change: %s', async (_what, parameters, message) => {
    const { status, body } = await run('SELECT $a AS a', parameters);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(JSON.stringify(body.details)).toContain(message);
  });

  it('that are not valid are all reported', async () => {
    const { body } = await run('SELECT $a', { a: [], b: { type: 'date', value: 'x' }, C: 1 });
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
      'body.parameters.a',
      'body.parameters.b',
      'body.parameters.C',
    ]);
  });

  it('that are lists have a detail for each item that is not valid', async () => {
    const { body } = await run('SELECT $a', { a: { type: 'array(date)', value: ['x', '2010-01-31', '2010-02-30'] } });
    expect(body.details).toEqual([
      { path: 'body.parameters.a[0]', message: expect.stringContaining('must be a date') },
      { path: 'body.parameters.a[2]', message: expect.stringContaining('must be a date') },
    ]);
  });

  it('given twice return 400', async () => {
    const answer = await post(`${hosts.url}/query`, '{"sql": "SELECT $a", "parameters": {"a": 1, "a": 2}}', ann);
    expect([answer.status, answer.body.details]).toEqual([
      400,
      [{ path: 'body.parameters.a', message: 'must not be given twice' }],
    ]);
  });

  it('may be 1,000, and named like keywords and members of objects', async () => {
    const names = ['select', 'from', 'constructor', '__proto__', ...Array.from({ length: 996 }, (_, n) => `p${n}`)];
    const sql = `SELECT len([${names.map((name) => `$${name}`).join()}]) AS total`;
    const body = `{"sql": ${JSON.stringify(sql)}, "parameters": {${names.map((name) => `"${name}": 1`).join()}}}`;
    expect((await post(`${hosts.url}/query/download/csv`, body, ann)).text).toBe('total\n1000\n');
  });

  it('are checked by value where they are patterns, each time', async () => {
    const sql = "SELECT regexp_replace('aéb', $p, '-') AS x";
    expect((await run(sql, { p: 'é' })).text).toBe('x\na-b\n');
    const refused = await run(sql, { p: '\\C' });
    expect([refused.status, refused.body.error]).toEqual([400, 'not_supported']);
    expect((await run(sql, { p: 'b' })).text).toBe('x\naé-\n');
  });

  it('cannot name what the guard rejects', async () => {
    for (const sql of ['SELECT * FROM query($a)', 'SELECT * FROM read_text($a)', 'SELECT * FROM query_table($a)']) {
      const { status, body } = await run(sql, { a: '/etc/passwd' });
      expect([status, body.error]).toEqual([400, 'read_only']);
    }
  });

  it('do not change where an error is', async () => {
    const { body } = await run('SELECT $a,\n  nope FROM items', { a: "x\n'" });
    expect([body.error, body.location]).toEqual(['column_not_found', { line: 2, column: 3 }]);
  });
});

describe('lists', () => {
  const sendJson = (sql: string, parameters: string, path: string = '/query/download/csv') =>
    post(`${hosts.url}${path}`, `{"sql": ${JSON.stringify(sql)}, "parameters": ${parameters}}`, ann);
  const EXACT = '{"ids": [1, null, 9007199254740993], "prices": [5, 1.10], "names": ["it\'s", "$ids", ""]}';
  const SELECTED = 'SELECT $ids AS ids, $prices AS prices, $names AS names';

  it('are bound with every digit of their items, in a stream and in each download', async () => {
    const stream = await sendJson(SELECTED, EXACT, '/query');
    expect(stream.text).toContain('{"ids":[1,null,9007199254740993],"prices":[5.00,1.10],"names":["it\'s","$ids",""]}');
    const [metadata] = await eventsOf(stream);
    expect(metadata).toMatchObject({
      columns: [{ type: 'array(bigint)' }, { type: 'array(decimal(3,2))' }, { type: 'array(varchar)' }],
    });
    for (const format of ['json', 'ndjson', 'xlsx', 'parquet', 'csv'])
      expect([(await sendJson(SELECTED, EXACT, `/query/download/${format}`)).status, format]).toEqual([200, format]);
  });

  it('filter a table, each request with its own items', async () => {
    const found = async (parameters: object) => {
      const conditions = ['id IN (SELECT unnest($ids))', 'contains($ids, id)', 'id IN $ids'];
      const texts = conditions.map(
        async (condition) => (await run(`SELECT id FROM items WHERE ${condition} ORDER BY id`, parameters)).text,
      );
      return [...new Set(await Promise.all(texts))];
    };
    expect(await found({ ids: [2, 1, 1] })).toEqual(['id\n1\n2\n']);
    expect(await found({ ids: [2] })).toEqual(['id\n2\n']);
    expect(await found({ ids: { type: 'array(bigint)', value: [] } })).toEqual(['id\n']);
    expect(await found({ ids: { type: 'array(bigint)', value: [null, '1'] } })).toEqual(['id\n1\n']);
  });

  it('have items of the type that they name', async () => {
    const { text } = await run('SELECT typeof($days) AS t, $days[1] + INTERVAL 1 DAY AS next, $none IS NULL AS none', {
      days: { type: 'array(date)', value: ['2010-02-28', null] },
      none: { type: 'array(uuid)', value: null },
    });
    expect(text).toBe('t,next,none\nDATE[],2010-03-01 00:00:00.000000,true\n');
  });

  it('are recorded in the audit log and listed in the history, in a form that can be sent again', async () => {
    const answer = await sendJson(SELECTED, EXACT);
    const parameters = {
      ids: { type: 'array(bigint)', value: ['1', null, '9007199254740993'] },
      prices: { type: 'array(decimal(3,2))', value: ['5.00', '1.10'] },
      names: ["it's", '$ids', ''],
    };
    const [record] = await hosts.rows<{ metadata: object }>(
      'select metadata from audit_log where query_id = $1 and record_id is null',
      [queryIdOf(answer)],
    );
    expect(record?.metadata).toMatchObject({ sql: SELECTED, parameters });
    const { body: history } = await send(`${hosts.url}/query/history?size=1`, { headers: ann });
    expect(history.data[0]).toMatchObject({ query_id: queryIdOf(answer), parameters });
    expect((await run(SELECTED, history.data[0].parameters)).text).toBe(answer.text);
  });

  it('may have 10,000 items', async () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => index + 1);
    expect((await run('SELECT len($ids) AS n, list_sum($ids) AS total', { ids })).text).toBe(
      'n,total\n10000,50005000\n',
    );
  });

  it('cannot be patterns', async () => {
    const refused = await run("SELECT regexp_replace('a', $p, '-') AS x", { p: ['\\C'] });
    expect([refused.status, refused.body.error, refused.body.message]).toEqual([
      400,
      'not_supported',
      'The pattern of regexp_replace must be one string, not a list.',
    ]);
    const item = await run("SELECT regexp_replace('a', $p[1], '-') AS x", { p: ['\\C'] });
    expect([item.status, item.body.error]).toEqual([400, 'not_supported']);
  });
});
