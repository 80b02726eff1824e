import { expect, it } from '@jest/globals';
import { basicOf, queryIdOf, receiptOf } from '@sluice/testkit/requests';
import { describeDownload } from './describe-download.ts';

const csv = describeDownload('csv', {
  assertItems: ({ text }) =>
    expect(text).toBe('id,name,price\n1,nut,0.10\n2,"bolt, long",250.00\n9223372036854775807,,\n'),
  assertNoRows: ({ text }) => expect(text).toBe('id,name\n'),
});

it('writes quotes, line ends, empty strings and nested values as in RFC 4180', async () => {
  const sql = `SELECT 'say "hi"' AS a, 'two' || chr(10) || 'lines' AS b, '' AS c, ARRAY[1, 2] AS d, 'é' AS "e,f"`;
  expect((await csv.download({ sql })).text).toBe('a,b,c,d,"e,f"\n"say ""hi""","two\nlines","","[1,2]",é\n');
});

it('prefixes formula cells only with excel_safe', async () => {
  const sql = `SELECT '=1+1' AS a, -5 AS b, '-x' AS c, '@y' AS "=cmd", 'plain' AS d`;
  expect((await csv.download({ sql })).text).toBe('a,b,c,=cmd,d\n=1+1,-5,-x,@y,plain\n');
  expect((await csv.download({ sql, excel_safe: false })).text).toBe('a,b,c,=cmd,d\n=1+1,-5,-x,@y,plain\n');
  expect((await csv.download({ sql, excel_safe: true })).text).toBe("a,b,c,'=cmd,d\n'=1+1,-5,'-x,'@y,plain\n");
});

it('is cut at the byte limit of its tenant, or fails before its first byte', async () => {
  const tenant = await csv.hosts.build.tenant({ name: 'byte-limited', settings: { bytesMax: 100_000 } });
  const limited = { ...basicOf(await csv.hosts.build.user(tenant)), host: 'byte-limited-stream.localhost' };
  const response = await csv.download({ sql: 'SELECT * FROM numbers' }, limited);
  if (response.status === 200) expect(response.isWhole).toBe(false);
  else expect(response.body.error).toBe('resource_limit');
  const receipt = await receiptOf(csv.hosts.url, queryIdOf(response), limited);
  expect(receipt).toMatchObject({ state: 'FAILED', error: { code: 'RESOURCE_LIMIT' } });
});
