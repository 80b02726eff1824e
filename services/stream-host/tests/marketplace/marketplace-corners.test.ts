import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allCases, type ReceivedResponse } from '@sluice/testkit';
import { createItem, createSendRequest, type SendRequest } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, finalReceipt, listOf, post, queryIdOf } from '@sluice/testkit/requests';
import { PAUSING } from '@sluice/testkit/statements';
import { unzip } from '../results/unzip.ts';
import { readByExceljs } from '../results/workbook-readers.ts';

let hosts: TestHosts;
let ask: SendRequest;
let admin: Credential;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ask = createSendRequest(hosts);
  admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  ann = basicOf(hosts.ann);
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const download = (id: string, format: string): Promise<ReceivedResponse> =>
  ask('POST', `/marketplace/download?id=${id}&format=${format}`, { credential: ann });

const names = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`query ${at}`, `SELECT ${at} AS n`]));

describe('an item', () => {
  it.each(['csv', 'json', 'xlsx'])('is sent before its last row is computed (%s)', async (format) => {
    const id = await createItem(hosts, admin, {
      id: `pausing-${format}`,
      queries: { first: 'SELECT * FROM items', second: PAUSING },
    });
    const leaving = new AbortController();
    const response = await fetch(`${hosts.url}/marketplace/download?id=${id}&format=${format}`, {
      method: 'POST',
      headers: { ...ann },
      signal: leaving.signal,
    });
    const first = await response.body?.getReader().read();
    expect([response.status, first?.done, Buffer.from(first?.value ?? []).toString('latin1', 0, 2)]).toEqual([
      ...[200, false, 'PK'],
    ]);
    const queryId = response.headers.get('x-query-id') ?? '';
    expect((await listOf(hosts.url, ann)).map(({ query_id }) => query_id)).toEqual([queryId]);
    leaving.abort();
    const receipt = await finalReceipt(hosts.url, queryId, { credential: ann });
    expect(receipt).toMatchObject({ state: 'CANCELLED', sha256: null });
  });

  it('with 40 queries is complete as an archive and as a workbook', async () => {
    await createItem(hosts, admin, { id: 'forty', queries: names(40) });
    const members = await unzip((await download('forty', 'csv')).bytes);
    expect([...members.keys()]).toEqual([...Object.keys(names(40)).map((name) => `${name}.csv`), 'manifest.json']);
    expect(members.get('query 39.csv')?.toString()).toBe('n\n39\n');
    const sheets = await readByExceljs((await download('forty', 'xlsx')).bytes);
    expect(sheets.map(({ name }) => name)).toEqual([...Object.keys(names(40)), 'About']);
    expect(sheets[39]?.rows).toEqual([[{ text: 'n' }], [{ number: 39 }]]);
  });

  it('with names and values that contain XML syntax or invalid file names is valid XML and ZIP', async () => {
    const value = `=cmd|'/c calc'!A1, "quoted"]]>&amp;<b>`;
    const sql = `SELECT '${value.replaceAll("'", "''")}' || chr(10) || chr(1) AS "../../<a>&""]]>"`;
    const queries = { '../../etc/passwd': sql, CON: sql, 'a:b*?"<>|\\c': sql, [`${'é'.repeat(200)}`]: sql, '.': sql };
    await createItem(hosts, admin, { id: 'hostile', queries });
    const files = [...(await unzip((await download('hostile', 'csv')).bytes)).entries()];
    expect(files).toHaveLength(6);
    for (const [name, bytes] of files.slice(0, 5)) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among those that no file name may contain
      expect(name).not.toMatch(/[\\/:*?"<>|\u0000-\u001f]|^\.|^con\.csv$/i);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(bytes.toString()).toBe(`"../../<a>&""]]>"\n"${value.replaceAll('"', '""')}\n\u0001"\n`);
    }
    const [sheet] = await readByExceljs((await download('hostile', 'xlsx')).bytes);
    expect(sheet?.rows).toEqual([[{ text: '../../<a>&"]]>' }], [{ text: `${value}\n\u0001` }]]);
  });

  it.each(['csv', 'json', 'xlsx'])('that fails at its last row never looks complete (%s)', async (format) => {
    const sql = `SELECT CASE WHEN range = 199999 THEN error('the last row') ELSE range END AS n FROM range(200000)`;
    const id = await createItem(hosts, admin, { id: `fails-late-${format}`, queries: { one: sql } });
    const answer = await download(id, format);
    expect([answer.status, answer.isWhole]).toEqual([200, format === 'json']);
    if (format === 'json') expect(answer.body).toMatchObject({ code: 'DATA_ERROR', error: 'the last row' });
    if (format === 'xlsx') await expect(unzip(answer.bytes)).rejects.toThrow(/BadZipFile/);
    const receipt = await finalReceipt(hosts.url, queryIdOf(answer), { credential: ann });
    expect(receipt).toMatchObject({ state: 'FAILED', error: { code: 'DATA_ERROR' } });
  });
});

describe('16,385 columns', () => {
  const sql = `SELECT ${Array.from({ length: 16_385 }, (_, at) => `${at}`).join(',')}`;

  it('are rejected as a workbook before the first byte, for a statement and for an item', async () => {
    await createItem(hosts, admin, { id: 'wide', queries: { wide: sql } });
    // Planning this statement takes seconds of processor time.
    const ofStatement = allCases ? [await post(`${hosts.url}/query/download/xlsx`, { sql }, ann)] : [];
    for (const answer of [...ofStatement, await download('wide', 'xlsx')]) {
      expect([answer.status, answer.body.error]).toEqual([400, 'resource_limit']);
    }
  });
});
