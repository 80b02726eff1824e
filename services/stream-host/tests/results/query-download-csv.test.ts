import { expect, it } from '@jest/globals';
import { basicOf, queryIdOf, receiptOf, sha256Of } from '@sluice/testkit/requests';
import { describeDownload } from './describe-download.ts';

const csv = describeDownload('csv', {
  mediaType: 'text/csv',
  extension: 'csv',
  options: ['excel_safe', 'separator', 'bom', 'time_zone', 'big_numbers'],
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
  expect((await csv.download({ sql, excel_safe: true, bom: false })).text).toBe(
    "a,b,c,'=cmd,d\n'=1+1,-5,'-x,'@y,plain\n",
  );
});

it('begins with a byte order mark with excel_safe or bom, also without rows, and counts it in the receipt', async () => {
  const sql = `SELECT 'née' AS name`;
  const bytesOf = async (body: object) => (await csv.download({ sql, ...body })).bytes;
  const [plain, marked] = [Buffer.from('name\nnée\n'), Buffer.from('\ufeffname\nnée\n')];
  for (const body of [{}, { bom: false }, { excel_safe: true, bom: false }, { excel_safe: false }])
    expect([body, await bytesOf(body)]).toEqual([body, plain]);
  for (const body of [{ excel_safe: true }, { bom: true }, { excel_safe: false, bom: true }])
    expect([body, await bytesOf(body)]).toEqual([body, marked]);
  const none = await csv.download({ sql: 'SELECT * FROM nothing', excel_safe: true });
  expect(none.bytes).toEqual(Buffer.from('\ufeffid,name\n'));
  const receipt = await receiptOf(csv.hosts.url, queryIdOf(none), csv.ann);
  expect(receipt).toMatchObject({ rows: 0, bytes: none.bytes.length, sha256: sha256Of(none.bytes) });
});

it('separates fields with the chosen character, and quotes only fields that contain it', async () => {
  const sql = `SELECT 'a,b' AS a, 'c;d' AS b, 'e|f' AS c, 'g' || chr(9) AS "d;e", ARRAY[1, 2] AS e, 2.50 AS f`;
  const textWith = async (separator: string) => (await csv.download({ sql, separator })).text;
  expect(await textWith(',')).toBe('a,b,c,d;e,e,f\n"a,b",c;d,e|f,g\t,"[1,2]",2.50\n');
  expect(await textWith(';')).toBe('a;b;c;"d;e";e;f\na,b;"c;d";e|f;g\t;[1,2];2.50\n');
  expect(await textWith('|')).toBe('a|b|c|d;e|e|f\na,b|c;d|"e|f"|g\t|[1,2]|2.50\n');
  expect(await textWith('\t')).toBe('a\tb\tc\td;e\te\tf\na,b\tc;d\te|f\t"g\t"\t[1,2]\t2.50\n');
  for (const separator of ['', ',,', ':', 'tab', 1]) {
    const { status, body } = await csv.download({ sql, separator });
    expect([status, body.details]).toEqual([400, [expect.objectContaining({ path: 'body.separator' })]]);
  }
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
