import { expect, it } from '@jest/globals';
import { post } from '@sluice/testkit/requests';
import { describeDownload } from './describe-download.ts';

const ndjson = describeDownload('ndjson', {
  mediaType: 'application/x-ndjson',
  extension: 'ndjson',
  options: ['time_zone', 'big_numbers'],
  assertItems: ({ text }) =>
    expect(text).toBe(
      '{"id":1,"name":"nut","price":0.10}\n{"id":2,"name":"bolt, long","price":250.00}\n{"id":9223372036854775807,"name":null,"price":null}\n',
    ),
  assertNoRows: ({ bytes }) => expect(bytes).toHaveLength(0),
});

it('writes values as a JSON download does, for results on the small-result path and streamed ones', async () => {
  for (const sql of ['SELECT * FROM numbers ORDER BY n LIMIT 10', 'SELECT * FROM numbers ORDER BY n']) {
    const { text } = await ndjson.download({ sql });
    const json = await post(`${ndjson.hosts.url}/query/download/json`, { sql }, ndjson.ann);
    const rows = json.text.slice(json.text.indexOf('[\n') + 2, json.text.lastIndexOf('\n]'));
    expect(text).toBe(`${rows.replaceAll('},\n', '}\n')}\n`);
  }
});

it('applies big_numbers and time_zone, and keeps a line feed in a string within its line', async () => {
  const sql = `SELECT CAST(9223372036854775807 AS bigint) AS b, 'a' || chr(10) || 'b' AS t`;
  const { text } = await ndjson.download({ sql, big_numbers: 'string', time_zone: 'Europe/Berlin' });
  expect(text).toBe('{"b":"9223372036854775807","t":"a\\nb"}\n');
});
