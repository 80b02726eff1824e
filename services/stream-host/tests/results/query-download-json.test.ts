import { describe, expect, it } from '@jest/globals';
import { queryIdOf, receiptOf } from '@sluice/testkit/requests';
import { ENDLESS, NOON, UNINTERRUPTIBLE } from '@sluice/testkit/statements';
import { describeDownload } from './describe-download.ts';

const json = describeDownload('json', {
  mediaType: 'application/json',
  extension: 'json',
  options: ['time_zone', 'big_numbers'],
  assertItems: ({ text }) =>
    expect(text).toBe(
      [
        '{"metadata":{"columns":[{"name":"id","type":"bigint"},{"name":"name","type":"varchar"},{"name":"price","type":"decimal(10,2)"}],"type":"metadata"},"data":[',
        '{"id":1,"name":"nut","price":0.10},',
        '{"id":2,"name":"bolt, long","price":250.00},',
        '{"id":9223372036854775807,"name":null,"price":null}',
        ']}',
      ].join('\n'),
    ),
  assertNoRows: ({ body }) =>
    expect(body).toEqual({
      metadata: {
        columns: [
          { name: 'id', type: 'bigint' },
          { name: 'name', type: 'varchar' },
        ],
        type: 'metadata',
      },
      data: [],
    }),
});

it('has every row of a large result', async () => {
  expect((await json.download({ sql: 'SELECT * FROM numbers' })).body.data).toHaveLength(100_000);
});

it('applies big_numbers and time_zone as a stream does', async () => {
  const sql = `SELECT CAST(5 AS BIGINT) AS b, h FROM (${NOON.sql}) AS noon`;
  const response = await json.download({ sql, big_numbers: 'string', time_zone: 'Asia/Tokyo' });
  expect(response.text).toContain('{"b":"5","h":"21"}');
});

it('returns 504 TIME_LIMIT after the time limit of its tenant, also when the engine cannot be interrupted', async () => {
  for (const sql of [ENDLESS, UNINTERRUPTIBLE]) {
    const response = await json.download({ sql }, json.timeLimited);
    expect([response.status, response.body.code]).toEqual([504, 'TIME_LIMIT']);
    expect(await receiptOf(json.hosts.url, queryIdOf(response), json.timeLimited)).toMatchObject({ state: 'FAILED' });
  }
});

it('is valid JSON with the limit of its tenant as its error', async () => {
  const { body } = await json.download({ sql: 'SELECT * FROM numbers' }, json.rowLimited);
  expect([body.code, body.error]).toEqual(['RESOURCE_LIMIT', expect.stringContaining('1000 rows')]);
  const allowed = await json.download({ sql: 'SELECT * FROM numbers LIMIT 1000' }, json.rowLimited);
  expect(allowed.body.data).toHaveLength(1000);
});

describe('the file name', () => {
  it.each([
    ['report', 'attachment; filename=report.json'],
    ['report.json', 'attachment; filename=report.json'],
    ['REPORT.JSON', 'attachment; filename=REPORT.JSON'],
    ['report.csv', 'attachment; filename=report.csv.json'],
    ['my report', 'attachment; filename="my report.json"'],
    [
      'a"; filename=evil.sh',
      /^attachment; filename="a_; filename=evil.sh.json"; filename\*=UTF-8''a%22%3B%20filename%3Devil.sh.json$/,
    ],
    ['naïve €', /^attachment; filename="na_ve _.json"; filename\*=UTF-8''na%C3%AFve%20%E2%82%AC.json$/],
    ['\u{1f600}', /filename\*=UTF-8''%F0%9F%98%80.json$/],
    ['x'.repeat(200), `attachment; filename=${'x'.repeat(200)}.json`],
  ])('%j is sent in a form that all browsers read', async (filename, disposition) => {
    const { status, headers } = await json.download({ sql: 'SELECT 1', filename });
    expect(status).toBe(200);
    if (typeof disposition === 'string') expect(headers['content-disposition']).toBe(disposition);
    else expect(headers['content-disposition']).toMatch(disposition);
  });

  it.each([
    '',
    'a/b',
    '../../etc/passwd',
    'a\\b',
    'a\r\nset-cookie: x',
    'a\0',
    '\u0085',
    '..',
    '\ud800',
    'x'.repeat(201),
    5,
    null,
  ])('%j returns 400 and runs nothing', async (filename) => {
    const answer = await json.download(JSON.stringify({ sql: 'SELECT 1', filename }));
    expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, 'body.filename']);
    expect(answer.headers['x-query-id']).toBeUndefined();
  });
});
