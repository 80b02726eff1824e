import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { DownloadFormat, DownloadFormatName } from '@sluice/contract';
import type { ReceivedResponse } from '@sluice/testkit';
import { basicOf, queryIdOf, receiptOf, sha256Of } from '@sluice/testkit/requests';
import {
  describeClient,
  describeEarlyFailure,
  describeLateFailure,
  type LateFailureExpectations,
} from './describe-download-failures.ts';
import { createDownloadFixture, type DownloadFixture, type DownloadFixtureOptions } from './download-fixture.ts';

/** Expectations about a format. They repeat the table `DOWNLOAD_FORMATS` where a change of the table would break clients. */
interface DownloadExpectations extends DownloadFixtureOptions, LateFailureExpectations {
  readonly mediaType: string;
  readonly extension: string;
  /** Options of its body. The others are rejected. */
  readonly options: readonly DownloadOption[];
  /** Asserts the body of `SELECT * FROM items ORDER BY id`. */
  readonly assertItems: (response: ReceivedResponse) => Promise<void> | void;
  /** Asserts the body of `SELECT * FROM nothing`. */
  readonly assertNoRows: (response: ReceivedResponse) => Promise<void> | void;
}

type DownloadOption = DownloadFormat['options'][number];

/** Valid values of all options. */
const OPTIONS: Readonly<Record<DownloadOption, unknown>> = {
  excel_safe: true,
  separator: ';',
  bom: true,
  excel_dates: true,
  time_zone: 'Asia/Tokyo',
  big_numbers: 'string',
};

/** Describes what holds for every format of the table of formats. The returned fixture serves further tests of the same file. */
export function describeDownload(name: DownloadFormatName, expectations: DownloadExpectations): DownloadFixture {
  const fixture = createDownloadFixture(name, expectations);
  describe(`POST /query/download/${name}`, () => {
    describe('succeeds', () => describeSuccess(fixture, expectations));
    describe('fails before the first byte', () => describeEarlyFailure(fixture));
    describe('fails after the first byte', () => describeLateFailure(fixture, expectations));
    describe('when its client', () => describeClient(fixture));
    describe('rejects', () => describeRejection(fixture, expectations));
  });
  return fixture;
}

function describeSuccess(fixture: DownloadFixture, expectations: DownloadExpectations): void {
  const { mediaType, extension, assertItems, assertNoRows } = expectations;
  const { assembly } = fixture.format;
  const receipt = (response: ReceivedResponse) => receiptOf(fixture.hosts.url, queryIdOf(response), fixture.ann);
  const numbers = 'SELECT * FROM numbers ORDER BY n';

  it('with the rows and the headers of a file', async () => {
    const response = await fixture.download({ sql: 'SELECT * FROM items ORDER BY id', filename: 'items' });
    expect([response.status, response.isWhole]).toEqual([200, true]);
    expect(response.headers).toMatchObject({
      'content-type': mediaType,
      'content-disposition': `attachment; filename=items.${extension}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-query-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await assertItems(response);
  });

  it('with the default name download, and never with the extension twice', async () => {
    for (const [filename, sent] of [
      [undefined, 'download'],
      [`a.${extension}`, 'a'],
    ]) {
      const { headers } = await fixture.download({ sql: 'SELECT 1 AS one', filename });
      expect(headers['content-disposition']).toBe(`attachment; filename=${sent}.${extension}`);
    }
  });

  it('for a result without rows, with a receipt', async () => {
    const response = await fixture.download({ sql: 'SELECT * FROM nothing' });
    expect([response.status, response.isWhole]).toEqual([200, true]);
    await assertNoRows(response);
    const { length: bytes } = response.bytes;
    const ended = { state: 'FINISHED', rows: 0, bytes, sha256: sha256Of(response.bytes) };
    expect(await receipt(response)).toMatchObject(ended);
  });

  it('with a receipt of the exact bytes', async () => {
    const response = await fixture.download({ sql: numbers });
    const [sha256, { length: bytes }] = [sha256Of(response.bytes), response.bytes];
    const ended = { state: 'FINISHED', rows: 100_000, bytes, sha256, limited: false, error: null };
    expect(await receipt(response)).toMatchObject(ended);
    // The other formats contain the query id or the time.
    if (assembly !== 'text') return;
    const outcome = await fixture.curl(numbers);
    expect([outcome.exitCode, sha256Of(outcome.bytes)]).toEqual([0, sha256]);
  });

  it('with gzip only for text and clients that accept it, with a receipt of the decompressed bytes', async () => {
    const isPacked = assembly === 'text';
    const sql = isPacked ? numbers : 'SELECT * FROM items';
    const packed = await fixture.download({ sql }, { ...fixture.ann, 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe(isPacked ? 'gzip' : undefined);
    const whole = isPacked ? gunzipSync(packed.bytes) : packed.bytes;
    if (isPacked) expect(whole.length).toBeGreaterThan(2 * packed.bytes.length);
    expect(await receipt(packed)).toMatchObject({ bytes: whole.length, sha256: sha256Of(whole) });
    expect((await fixture.download({ sql: 'SELECT * FROM items' })).headers['content-encoding']).toBeUndefined();
  });
}

function describeRejection(fixture: DownloadFixture, { options }: DownloadExpectations): void {
  const invalidFields = async (body: object): Promise<readonly string[]> => {
    const response = await fixture.download(body);
    expect(response.status).toBe(400);
    expect(response.headers['x-query-id']).toBeUndefined();
    return response.body.details.map(({ path }: { path: string }) => path.slice('body.'.length)).sort();
  };

  it.each<[string, object, readonly string[]]>([
    [
      'fields of wrong types',
      { sql: 7, excel_safe: 'yes', size: 1, filename: '' },
      ['excel_safe', 'filename', 'size', 'sql'],
    ],
    [
      'fields of other routes',
      { sql: '', size: 5, progress: true, filename: 'a/b' },
      ['filename', 'progress', 'size', 'sql'],
    ],
    ['an unknown key', { sql: 'SELECT 1', size: 5 }, ['size']],
    ['a blank statement', { sql: ' ' }, ['sql']],
    ['a path as file name', { sql: 'SELECT 1', filename: '../x' }, ['filename']],
  ])('%s and names all of them', async (_what, body, fields) => {
    expect(await invalidFields(body)).toEqual(fields);
  });

  it('options that the format does not have', async () => {
    const missing = Object.entries(OPTIONS).filter(([option]) => !options.includes(option as DownloadOption));
    for (const [option, value] of missing) {
      expect(await invalidFields({ sql: 'SELECT 1', [option]: value })).toEqual([option]);
    }
    const values = Object.fromEntries(options.map((option) => [option, OPTIONS[option]]));
    expect((await fixture.download({ sql: 'SELECT 1 AS one', ...values })).status).toBe(200);
  });

  it('requests without credential with 401, callers without query:run with 403, other media types with 415', async () => {
    const auditor = await fixture.hosts.build.user(fixture.hosts.acme, { roles: ['auditor'] });
    const statusWith = async (headers: Readonly<Record<string, string>>) =>
      (await fixture.download({ sql: 'SELECT 1' }, headers)).status;
    expect(await statusWith({})).toBe(401);
    expect(await statusWith(basicOf(auditor))).toBe(403);
    expect(await statusWith({ ...fixture.ann, 'content-type': 'text/csv' })).toBe(415);
  });
}
