import { expect } from '@jest/globals';
import type { DownloadFormatName } from '@sluice/contract';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { type Credential, eventsOf, post, queryIdOf } from '@sluice/testkit/requests';
import { unzip } from './unzip.ts';

/** A stream host that keeps results, and a user of it. */
export interface KeepingHost {
  readonly url: string;
  readonly credential: Credential;
}

type Options = Readonly<Record<string, string | boolean>>;

/** Every format, with options that change its bytes. */
const VARIANTS: readonly (readonly [DownloadFormatName, Options])[] = [
  ['csv', {}],
  ['csv', { separator: ';', bom: true, excel_safe: true, big_numbers: 'string' }],
  ['csv', { separator: '\t', excel_safe: true, bom: false }],
  ['json', {}],
  ['json', { big_numbers: 'string' }],
  ['ndjson', {}],
  ['ndjson', { big_numbers: 'string' }],
  ['xlsx', { filename: 'all rows' }],
  ['xlsx', { excel_dates: true }],
  ['parquet', {}],
];

/** Runs a statement as a stream, and returns its id when its result is kept. */
export async function keepResult({ url, credential }: KeepingHost, sql: string, more: object = {}): Promise<string> {
  const answer = await post(`${url}/query`, { sql, keep: '1h', ...more }, credential);
  expect((await eventsOf(answer)).at(-1)).toMatchObject({ type: 'complete', kept_until: expect.any(Number) });
  return queryIdOf(answer);
}

const searchOf = (options: Options): string => {
  const search = new URLSearchParams(
    Object.entries(options).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return search === '' ? '' : `?${search}`;
};

export const downloadKept = (
  { url, credential }: KeepingHost,
  id: string,
  format: string,
  { options = {}, headers = {}, method = 'GET' }: { options?: Options; headers?: Credential; method?: string } = {},
): Promise<ReceivedResponse> =>
  send(`${url}/query/${id}/download/${format}${searchOf(options)}`, { method, headers: { ...credential, ...headers } });

/** Asserts that the files of a kept result have the bytes of direct downloads of its statement. `parquet`: whether the engine writes it directly. */
export async function assertKeptFiles(
  host: KeepingHost,
  sql: string,
  { timeZone = 'UTC', parquet = true }: { readonly timeZone?: string; readonly parquet?: boolean } = {},
): Promise<void> {
  const { url, credential } = host;
  const id = await keepResult(host, sql, { time_zone: timeZone });
  for (const [format, options] of VARIANTS) {
    if (format === 'parquet' && !parquet) continue;
    const keep = format === 'parquet' ? {} : { keep: '1h' };
    const body = { sql, time_zone: timeZone, ...keep, ...options };
    const direct = await post(`${url}/query/download/${format}`, body, credential);
    expect([format, direct.status, direct.isWhole]).toEqual([format, 200, true]);
    const ofStream = await downloadKept(host, id, format, { options });
    const ofDownload =
      keep.keep === undefined ? ofStream : await downloadKept(host, queryIdOf(direct), format, { options });
    const facts = ({ status, isWhole, bytes }: ReceivedResponse) => [
      sql,
      format,
      options,
      status,
      isWhole,
      bytes.length,
    ];
    expect(facts(ofDownload)).toEqual([sql, format, options, 200, true, direct.bytes.length]);
    expect([sql, format, options, ofDownload.bytes.equals(direct.bytes)]).toEqual([sql, format, options, true]);
    if (format === 'xlsx') await assertSameSheets(ofStream.bytes, direct.bytes);
    else expect([sql, format, options, ofStream.bytes.equals(direct.bytes)]).toEqual([sql, format, options, true]);
  }
}

/** Compares two workbooks of the same rows, each of which has the id of its execution on the sheet About. */
async function assertSameSheets(ofStream: Buffer, direct: Buffer): Promise<void> {
  const [kept, other] = [await unzip(ofStream), await unzip(direct)];
  expect([...kept.keys()]).toEqual([...other.keys()]);
  const first = 'xl/worksheets/sheet1.xml';
  expect(kept.get(first)?.equals(other.get(first) ?? Buffer.alloc(0))).toBe(true);
}
