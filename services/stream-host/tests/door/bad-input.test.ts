import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, idtoken, logIn } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';
import { rawRequest, requestText } from './raw-request.ts';
import { begin, begun, get, rowsOf, run } from './trino-client.ts';

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts({ TRINO_DOOR: 'true' });
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const prepared = (statements: Readonly<Record<string, string>>): Credential => ({
  'x-trino-prepared-statement': Object.entries(statements)
    .map(([name, sql]) => `${name}=${encodeURIComponent(sql)}`)
    .join(','),
});

interface Counts {
  readonly queries: number;
  readonly records: number;
}

/** Counts what is on record of statements, but not of logins. */
async function counts(): Promise<Counts> {
  const [counted] = await hosts.rows<Counts>(
    `select (select count(*)::int from queries) as queries,
      (select count(*)::int from audit_log where record_id is null and action in ('RUN_QUERY', 'READ_CATALOG', 'DESCRIBE_QUERY')) as records`,
  );
  if (counted === undefined) throw new Error('nothing was counted');
  return counted;
}

const refusalOf = ({ status, body, text }: ReceivedResponse): readonly unknown[] => {
  // Neither the inside of the service nor its machine is in an error.
  expect(text).not.toMatch(/\bat [\w.<>]+ \(|node_modules|\/tmp\//);
  return [status, body?.error];
};

describe('a request that is refused before anything runs has a status, and no statement is on record', () => {
  const tooMany = Array.from({ length: 5_000 }, (_, n) => `s${n}=a`).join();
  const cases: readonly (readonly [what: string, headers: Credential, status: number, code: string])[] = [
    ['another user', { 'x-trino-user': 'bob@example.com' }, 403, 'access_denied'],
    ['another original user', { 'x-trino-original-user': 'bob@example.com' }, 403, 'access_denied'],
    ['a prepared statement twice', { 'x-trino-prepared-statement': 's=SELECT+1,s=SELECT+2' }, 400, 'invalid_request'],
    ['a prepared statement without a value', { 'x-trino-prepared-statement': 's' }, 400, 'invalid_request'],
    ['5,000 prepared statements', { 'x-trino-prepared-statement': tooMany }, 400, 'invalid_request'],
    ['10,000 prepared statements', { 'x-trino-prepared-statement': `${tooMany},${tooMany}` }, 431, 'headers_too_large'],
    ['a NUL in a prepared statement', { 'x-trino-prepared-statement': 's=SELECT+%00' }, 400, 'invalid_request'],
    ['a NUL in the name of one', { 'x-trino-prepared-statement': 'a%00b=SELECT+1' }, 400, 'invalid_request'],
    [
      'a lone surrogate in the name of one',
      { 'x-trino-prepared-statement': '%ED%A0%80=SELECT+1' },
      400,
      'invalid_request',
    ],
    ['half an escape', { 'x-trino-session': 'a=%2' }, 400, 'invalid_request'],
    ['a property without a value', { 'x-trino-session': 'a' }, 400, 'invalid_request'],
    ['a catalog of 300 characters', { 'x-trino-catalog': 'a'.repeat(300) }, 400, 'invalid_request'],
    ['a schema that is not ASCII', { 'x-trino-schema': 'm\u00fcll' }, 400, 'invalid_request'],
    ['a transaction of nonsense', { 'x-trino-transaction-id': 'x y' }, 400, 'invalid_request'],
    ['a role of nonsense', { 'x-trino-role': 'system=admin' }, 400, 'invalid_request'],
    ['101 tags', { 'x-trino-client-tags': 'a,'.repeat(101) }, 400, 'invalid_request'],
    ['a tenant that does not exist', { host: 'unknown-stream.localhost' }, 404, 'not_found'],
    ['a host that is not a name', { host: 'a@b' }, 400, 'invalid_request'],
  ];
  it.each(cases)('%s', async (_what, headers, status, code) => {
    const before = await counts();
    expect(refusalOf(await begin(hosts.url, 'SELECT 1', { ...ann, ...headers }))).toEqual([status, code]);
    expect(await counts()).toEqual(before);
  });

  it('no credential, and two of them', async () => {
    const before = await counts();
    const refused = await begin(hosts.url, 'SELECT 1', {});
    expect(refusalOf(refused)).toEqual([401, 'unauthorized']);
    // Drivers that do not follow the challenge show this sentence.
    expect(refused.body.message).toContain('--external-authentication');
    expect(refusalOf(await begin(hosts.url, 'SELECT 1', { 'x-trino-user': hosts.ann.email }))).toEqual([
      401,
      'unauthorized',
    ]);
    const { id_token } = await logIn(hosts, hosts.ann);
    expect(refusalOf(await begin(hosts.url, 'SELECT 1', { ...ann, ...idtoken(id_token) }))).toEqual([
      400,
      'ambiguous_credentials',
    ]);
    expect(await counts()).toEqual(before);
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \r\n\t'],
    ['bytes that are not UTF-8', Buffer.from([0x53, 0xff])],
    ['a lone surrogate', Buffer.from([0x53, 0xed, 0xa0, 0x80])],
    ['a NUL in a string', "SELECT '\0'"],
    ['a NUL in a name', 'SELECT 1 AS "a\0b"'],
    ['a NUL in the name of a prepared statement', 'PREPARE "a\0b" FROM SELECT 1'],
  ])('a body of %s', async (_what, body) => {
    const before = await counts();
    const answer = await send(`${hosts.url}/v1/statement`, { method: 'POST', headers: { ...ann }, body });
    expect(refusalOf(answer)).toEqual([400, 'invalid_request']);
    expect(await counts()).toEqual(before);
  });
});

describe('a statement that is refused ends with Trino’s error, and has one record', () => {
  const handles = { s: 'SELECT ?, ?', write: 'DROP TABLE items', forged: '$sluice1:AAAA', nested: 'EXECUTE s' };
  it.each<[what: string, sql: string, headers: Credential, errorName: string]>([
    ['an unknown catalog', 'SELECT * FROM items', { 'x-trino-catalog': 'nowhere' }, 'CATALOG_NOT_FOUND'],
    ['an unknown schema', 'SELECT * FROM items', { 'x-trino-schema': 'nowhere' }, 'SCHEMA_NOT_FOUND'],
    ['an unknown time zone', 'SELECT 1', { 'x-trino-time-zone': 'Nowhere/At_All' }, 'INVALID_SESSION_PROPERTY'],
    [
      'a duration of nonsense',
      'SELECT 1',
      { 'x-trino-session': 'query_max_run_time=soon' },
      'INVALID_SESSION_PROPERTY',
    ],
    ['a property that changes results', 'SELECT 1', { 'x-trino-session': 'legacy_timestamp=true' }, 'NOT_SUPPORTED'],
    ['a prepared statement that is absent', 'EXECUTE absent', {}, 'NOT_FOUND'],
    ['one that is forged', 'EXECUTE forged', {}, 'INVALID_ARGUMENTS'],
    ['too few parameters', 'EXECUTE s USING 1', {}, 'INVALID_PARAMETER_USAGE'],
    ['too many parameters', 'EXECUTE s USING 1, 2, 3', {}, 'INVALID_PARAMETER_USAGE'],
    ['a parameter as a value', 'EXECUTE s USING ?, 1', {}, 'INVALID_PARAMETER_USAGE'],
    ['PREPARE of PREPARE', 'PREPARE a FROM PREPARE b FROM SELECT 1', {}, 'NOT_SUPPORTED'],
    ['EXECUTE of EXECUTE', 'EXECUTE nested', {}, 'NOT_SUPPORTED'],
    ['EXECUTE IMMEDIATE of EXECUTE', "EXECUTE IMMEDIATE 'EXECUTE s USING 1, 2'", {}, 'NOT_SUPPORTED'],
    ['EXECUTE of a write', 'EXECUTE write', {}, 'READ_ONLY_VIOLATION'],
    ['EXECUTE IMMEDIATE of a write', "EXECUTE IMMEDIATE 'DELETE FROM items'", {}, 'READ_ONLY_VIOLATION'],
    ['a write', 'INSERT INTO items SELECT * FROM items', {}, 'READ_ONLY_VIOLATION'],
    ['two statements', 'SELECT 1; SELECT 2', {}, 'SYNTAX_ERROR'],
    ['a comment alone', '-- SELECT 1', {}, 'SYNTAX_ERROR'],
    ['a semicolon alone', ';', {}, 'SYNTAX_ERROR'],
    ['a string without an end', "SELECT 'a", {}, 'SYNTAX_ERROR'],
    ['a mark without EXECUTE', 'SELECT ?', {}, 'INVALID_PARAMETER_USAGE'],
    ['a name of a parameter', 'SELECT $a', {}, 'INVALID_PARAMETER_USAGE'],
    ['a file', "SELECT * FROM '/etc/passwd'", {}, 'READ_ONLY_VIOLATION'],
    ['a schema that is not there', 'USE nowhere.nothing', {}, 'CATALOG_NOT_FOUND'],
    ['the session of another user', "SET SESSION AUTHORIZATION 'bob@example.com'", {}, 'PERMISSION_DENIED'],
    ['a role', 'SET ROLE admin', {}, 'ROLE_NOT_FOUND'],
    ['a name that no header can hold', 'SET SESSION "\u65e5\u672c" = 1', {}, 'NOT_SUPPORTED'],
    ['a property with a comma in its name', 'SET SESSION "a,b" = 1', {}, 'INVALID_SESSION_PROPERTY'],
    ['COMMIT of nothing', 'COMMIT', {}, 'NOT_IN_TRANSACTION'],
    ['another procedure', 'CALL system.sync_partition_metadata()', {}, 'READ_ONLY_VIOLATION'],
    ['kill_query without a query', 'CALL system.runtime.kill_query()', {}, 'INVALID_PROCEDURE_ARGUMENT'],
    ['statistics of a query', 'SHOW STATS FOR (SELECT * FROM items)', {}, 'NOT_SUPPORTED'],
    ['a table of system that is not there', 'SELECT * FROM system.runtime.queries', {}, 'NOT_SUPPORTED'],
    ['a table that system never has', 'SELECT * FROM system.jdbc.nothing', {}, 'TABLE_NOT_FOUND'],
    ['partitions', 'SELECT * FROM "items$partitions"', {}, 'TABLE_NOT_FOUND'],
    ['a mixture of the catalogue and data', 'SELECT * FROM system.jdbc.catalogs, items', {}, 'NOT_SUPPORTED'],
  ])('%s: %s', async (_what, sql, headers, errorName) => {
    const before = await counts();
    const { last, pages } = await run(hosts.url, sql, { ...ann, ...prepared(handles), ...headers });
    expect(last.error).toMatchObject({ errorName, errorType: 'USER_ERROR' });
    expect(pages.flatMap(({ data = [] }) => data)).toEqual([]);
    expect(last.error?.message).not.toMatch(/\bat [\w.<>]+ \(|node_modules|\/tmp\//);
    expect((await counts()).records - before.records).toBe(1);
  });

  it.each(['x', '00000000-0000-4000-8000-000000000000', '\u65e5'])(
    'kill_query of a query that does not exist is NOT_FOUND: %s',
    async (id) => {
      const before = await counts();
      const { last } = await run(hosts.url, `CALL system.runtime.kill_query(query_id => '${id}', message => 'm')`, ann);
      expect(last.error).toMatchObject({ errorName: 'NOT_FOUND', errorType: 'USER_ERROR' });
      expect((await counts()).records - before.records).toBe(1);
    },
  );

  it('counts no question marks in strings, names and comments as parameters', async () => {
    const sql = `SELECT '?' AS "a?", ? AS b /* ? */ -- ?`;
    const found = await run(hosts.url, 'EXECUTE s USING 7', { ...ann, ...prepared({ s: sql }) });
    expect([rowsOf(found), found.last.columns?.map(({ name }) => name)]).toEqual([[['?', 7]], ['a?', 'b']]);
  });

  it('ignores capabilities of nonsense', async () => {
    const headers = { 'x-trino-client-capabilities': 'NONSENSE, ,parametric_datetime\u00ff' };
    const { last } = await run(hosts.url, "SELECT TIMESTAMP '2026-01-02 03:04:05' AS t", { ...ann, ...headers });
    expect(last.columns?.map(({ type }) => type)).toEqual(['timestamp']);
  });
});

describe('an address of a page', () => {
  it('that no host has given out is not found, and another tenant finds none', async () => {
    const one = await begun(hosts.url, ENDLESS, ann);
    const other = await begun(hosts.url, ENDLESS, ann);
    const { nextUri = '' } = one;
    const [mark = '', position = ''] = nextUri.split('/').slice(-2);
    const base = `${hosts.url}/v1/statement/executing`;
    const cases = [
      [`${base}/${other.id}/${mark}/${position}`, 404],
      [`${base}/${one.id}/${mark}/-1`, 400],
      [`${base}/${one.id}/${mark}/2`, 404],
      [`${base}/${one.id}/${mark}/1000000000`, 404],
      [`${base}/${one.id}/${mark}/1e9`, 400],
      [`${base}/${one.id}/${mark}/9007199254740993`, 400],
      [`${base}/${one.id}/${'a'.repeat(65)}/0`, 400],
      [`${base}/%00/${mark}/0`, 400],
      [`${base}/nothing/at/0`, 404],
      [`${hosts.url}/v1/query/nothing`, 404],
      [`${hosts.url}/v1/query/%00`, 400],
    ] as const;
    for (const [uri, status] of cases)
      for (const method of ['GET', 'HEAD', 'DELETE']) {
        const answer = await get(uri, ann, { method });
        expect([uri, method, answer.status]).toEqual([uri, method, status]);
      }
    const eve = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
    for (const method of ['GET', 'HEAD', 'DELETE']) expect((await get(nextUri, eve, { method })).status).toBe(404);
    for (const { nextUri: uri = '' } of [one, other])
      for (let count = 0; count < 2; count += 1) expect((await get(uri, ann, { method: 'DELETE' })).status).toBe(204);
  });
});

describe('a request that no library sends', () => {
  const authorization = () => `authorization: ${ann['authorization']}`;
  const line = 'POST /v1/statement HTTP/1.1';
  const answerTo = (headers: readonly string[], body = 'SELECT 1', requestLine = line) =>
    rawRequest({ url: hosts.url, text: requestText(requestLine, { headers, body }) });

  it('is refused without a host, with two of them, and with another one in its target', async () => {
    const host = `host: ${new URL(hosts.url).host}`;
    const before = await counts();
    expect((await answerTo([authorization()])).status).toBe(400);
    expect((await answerTo([host, 'host: globex-stream.localhost', authorization()])).status).toBe(400);
    const elsewhere = 'POST http://globex-stream.localhost/v1/statement HTTP/1.1';
    expect((await answerTo([host, authorization()], 'SELECT 1', elsewhere)).status).toBe(400);
    expect(await counts()).toEqual(before);
  });

  it('gets whole answers over HTTP/1.0, whose JSON shows a cut', async () => {
    const headers = [`host: ${new URL(hosts.url).host}`, authorization()];
    const answer = await answerTo(headers, 'SELECT 1 AS one', 'POST /v1/statement HTTP/1.0');
    expect(answer.status).toBe(200);
    const first = JSON.parse(answer.text.slice(answer.text.indexOf('{')));
    const page = await answerTo(headers, '', `GET ${new URL(first.nextUri).pathname} HTTP/1.0`);
    expect(JSON.parse(page.text.slice(page.text.indexOf('{')))).toMatchObject({ data: [[1]] });
  });

  it('is refused for a header of a mebibyte', async () => {
    const { status } = await answerTo([
      `host: ${new URL(hosts.url).host}`,
      authorization(),
      `x-trino-session: a=${'x'.repeat(1024 * 1024)}`,
    ]);
    // 0: the host has closed the connection before it had read the header.
    expect([431, 0]).toContain(status);
  });

  it('is refused for a body that never ends, when it is too large', async () => {
    const before = await counts();
    const headers = [`host: ${new URL(hosts.url).host}`, authorization(), 'transfer-encoding: chunked'];
    const text = [line, ...headers, 'connection: close', '', ''].join('\r\n');
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    expect((await rawRequest({ url: hosts.url, text, more: chunk })).status).toBe(413);
    expect(await counts()).toEqual(before);
  }, 30_000);

  it('is refused for a body that stops, after 30 s', async () => {
    const before = await counts();
    const headers = [`host: ${new URL(hosts.url).host}`, authorization(), 'content-length: 100'];
    const text = [line, ...headers, 'connection: close', '', 'SELECT'].join('\r\n');
    expect((await rawRequest({ url: hosts.url, text })).status).toBe(408);
    expect(await counts()).toEqual(before);
  }, 60_000);
});

it('leaves the host ready, with no error in its log', async () => {
  expect((await send(`${hosts.url}/ready`)).status).toBe(200);
  expect(rowsOf(await run(hosts.url, 'SELECT count(*) AS n FROM items', ann))).toEqual([[3]]);
  expect(hosts.logLines.filter((text) => text.includes('"level":"error"'))).toEqual([]);
});
