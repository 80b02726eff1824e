import { gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { failedResultSetBody } from '@sluice/contract';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { TESTED_ENGINE } from '@sluice/testkit/hosts';
import { finalReceipt, queryIdOf, receiptOf, sha256Of, untilRunning } from '@sluice/testkit/requests';
import { ENDLESS, FAILING_ROW, FAILS_AT_ONCE, FAILS_LATE, LONG } from '@sluice/testkit/statements';
import type { DownloadFixture } from './download-fixture.ts';

/** Expectations about a failure after the first byte that `DOWNLOAD_FORMATS` does not contain. */
export interface LateFailureExpectations {
  /** Asserts that readers of the format reject the cut bytes. */
  readonly assertCut?: (bytes: Buffer) => Promise<void>;
  /** A statement that fails after the first byte. The default is too short for formats with large blocks. */
  readonly failsLate?: { readonly sql: string; readonly message: string };
}

/** Returns the code of an error response, in upper case. */
const codeOf = ({ name }: DownloadFixture, { body }: ReceivedResponse): string =>
  name === 'json' ? body.code : body.error.toUpperCase();

export function describeEarlyFailure(fixture: DownloadFixture): void {
  it.each([
    ['SELECT * FRM items', 'SYNTAX_ERROR'],
    ['SELECT wrong FROM items', 'COLUMN_NOT_FOUND'],
    ['SELECT * FROM nowhere', 'TABLE_NOT_FOUND'],
    ['CREATE TABLE t (i INTEGER)', 'READ_ONLY'],
    ['DROP TABLE items', 'READ_ONLY'],
    [`SELECT CAST('x' AS INTEGER)`, 'DATA_ERROR'],
    [FAILS_AT_ONCE, 'DATA_ERROR'],
  ])('%s: with 400, %s and a receipt', async (sql, code) => {
    const response = await fixture.download({ sql });
    const { status, headers, body } = response;
    expect([status, headers['content-type'], codeOf(fixture, response)]).toEqual([400, 'application/json', code]);
    expect(headers['content-disposition']).toBeUndefined();
    expect(body).toMatchObject({ message: expect.any(String), request_id: headers['x-request-id'] });
    expect(queryIdOf(response)).toMatch(/^[0-9a-f-]{36}$/);
    const failed = { state: 'FAILED', rows: 0, error: { code, message: body.message } };
    expect(await receiptOf(fixture.hosts.url, queryIdOf(response), fixture.ann)).toMatchObject(failed);
    if (fixture.name === 'json') await expectFailedResultSet(fixture, response);
  });

  it('with the position in the caller’s SQL', async () => {
    expect((await fixture.download({ sql: 'SELECT *\nFROM nowhere' })).body.location).toEqual({ line: 2, column: 6 });
  });

  it('with 504 after the time limit of its tenant', async () => {
    const response = await fixture.download({ sql: ENDLESS }, fixture.timeLimited);
    expect([response.status, codeOf(fixture, response)]).toEqual([504, 'TIME_LIMIT']);
    const receipt = await receiptOf(fixture.hosts.url, queryIdOf(response), fixture.timeLimited);
    expect(receipt).toMatchObject({ state: 'FAILED' });
  });

  it('with 409 when its caller cancels it', async () => {
    const { hosts, ann } = fixture;
    const downloaded = fixture.download({ sql: ENDLESS });
    const { query_id } = await untilRunning(hosts.url, ann);
    expect((await send(`${hosts.url}/query/${query_id}`, { method: 'DELETE', headers: { ...ann } })).status).toBe(202);
    const response = await downloaded;
    const ended = [response.status, codeOf(fixture, response), queryIdOf(response)];
    expect(ended).toEqual([409, 'QUERY_CANCELLED', query_id]);
    expect(await receiptOf(hosts.url, query_id, ann)).toMatchObject({ state: 'CANCELLED', rows: 0 });
  });
}

/** Asserts the body of a failed JSON download, which has a receipt of its own bytes. */
async function expectFailedResultSet({ hosts, ann }: DownloadFixture, response: ReceivedResponse): Promise<void> {
  const { body, bytes } = response;
  const metadata = { columns: [], type: 'metadata' };
  const query_id = queryIdOf(response);
  expect(body).toMatchObject({ metadata, data: [], error: expect.any(String), query_id, message: body.error });
  expect(failedResultSetBody.strict().safeParse(body).error).toBeUndefined();
  const receipt = await receiptOf(hosts.url, query_id, ann);
  expect(receipt).toMatchObject({ bytes: bytes.length, sha256: sha256Of(bytes) });
}

/**
 * Whether the statement failed before its first page was read: Trino runs on while it waits for the host, so on a busy machine both a
 * complete error response and a cut transfer are right.
 */
const failedBeforeFirstPage = ({ status }: Pick<ReceivedResponse, 'status'>): boolean =>
  TESTED_ENGINE === 'trino' && status === 400;

export function describeLateFailure(fixture: DownloadFixture, { assertCut, failsLate }: LateFailureExpectations): void {
  const { sql, message } = failsLate ?? { sql: FAILS_LATE, message: `boom at ${FAILING_ROW}` };
  const receipt = (queryId: string) => receiptOf(fixture.hosts.url, queryId, fixture.ann);
  const error = { code: 'DATA_ERROR', message: expect.stringContaining(message) };

  if (fixture.name === 'json') {
    it('as valid JSON that ends with the error', async () => {
      const response = await fixture.download({ sql });
      if (failedBeforeFirstPage(response)) return await expectFailedResultSet(fixture, response);
      expect([response.status, response.isWhole]).toEqual([200, true]);
      const { metadata, data, error: text, code, query_id } = response.body;
      expect(metadata.columns).toEqual([{ name: 'n', type: 'bigint' }]);
      expect(data.length).toBeGreaterThan(0);
      expect([text, code, query_id]).toEqual([error.message, 'DATA_ERROR', queryIdOf(response)]);
      const { length: bytes } = response.bytes;
      const failed = { state: 'FAILED', rows: data.length, bytes, sha256: sha256Of(response.bytes) };
      expect(await receipt(query_id)).toMatchObject(failed);
    });
  } else {
    it('as a failed transfer, with a receipt without digest', async () => {
      const response = await fixture.download({ sql });
      expect(await receipt(queryIdOf(response))).toMatchObject({ state: 'FAILED', sha256: null, error });
      if (failedBeforeFirstPage(response)) return expect(codeOf(fixture, response)).toBe('DATA_ERROR');
      expect([response.status, response.isWhole]).toEqual([200, false]);
      await assertCut?.(response.bytes);
    });
  }

  if (fixture.format.assembly === 'text' && fixture.name !== 'json') {
    it('as a transfer that curl and fetch report as failed', async () => {
      const outcome = await fixture.curl(sql);
      if (TESTED_ENGINE === 'trino' && outcome.exitCode === 0)
        expect(JSON.parse(outcome.bytes.toString()).error).toBe('data_error');
      else expect([outcome.exitCode, outcome.bytes.length > 0]).toEqual([18, true]);
      const response = await fixture.fetch(sql);
      if (failedBeforeFirstPage(response)) return;
      expect(response.status).toBe(200);
      await expect(response.arrayBuffer()).rejects.toThrow();
    });

    it('as a failed transfer when it is compressed', async () => {
      const outcome = await fixture.curl(sql, '--compressed');
      if (TESTED_ENGINE === 'trino' && outcome.exitCode === 0)
        expect(JSON.parse(outcome.bytes.toString()).error).toBe('data_error');
      else expect(outcome.exitCode).not.toBe(0);
      const packed = await fixture.download({ sql }, { ...fixture.ann, 'accept-encoding': 'gzip' });
      if (failedBeforeFirstPage(packed)) return;
      expect(packed.isWhole).toBe(false);
      expect(() => gunzipSync(packed.bytes)).toThrow();
    });
  }

  it('at a limit of its tenant, never as a shorter success', async () => {
    const response = await fixture.download({ sql: 'SELECT * FROM numbers' }, fixture.rowLimited);
    if (response.isWhole) expect(codeOf(fixture, response)).toBe('RESOURCE_LIMIT');
    const ended = await receiptOf(fixture.hosts.url, queryIdOf(response), fixture.rowLimited);
    const limit = { code: 'RESOURCE_LIMIT', message: expect.stringContaining('1000 rows') };
    expect(ended).toMatchObject({ state: 'FAILED', error: limit });
    const allowed = await fixture.download({ sql: 'SELECT * FROM numbers LIMIT 1000' }, fixture.rowLimited);
    const receiptOfAllowed = await receiptOf(fixture.hosts.url, queryIdOf(allowed), fixture.rowLimited);
    expect(receiptOfAllowed).toMatchObject({ state: 'FINISHED', rows: 1000, sha256: sha256Of(allowed.bytes) });
  });
}

export function describeClient(fixture: DownloadFixture): void {
  const untilCancelled = async (queryId: string) => {
    const receipt = await finalReceipt(fixture.hosts.url, queryId, {
      credential: fixture.ann,
    });
    expect(receipt).toMatchObject({ state: 'CANCELLED', error: { code: 'QUERY_CANCELLED' } });
    return receipt;
  };

  it('disconnects: its query is cancelled, with a receipt without digest', async () => {
    const disconnect = new AbortController();
    const response = await fixture.fetch(LONG, disconnect.signal);
    await response.body?.getReader().read();
    disconnect.abort();
    const receipt = await untilCancelled(response.headers.get('x-query-id') ?? '');
    expect(receipt.sha256).toBeNull();
    // The first bytes of the other formats have no rows.
    if (fixture.format.assembly === 'text') expect(receipt.rows).toBeGreaterThan(0);
  });

  it('disconnects before the first byte: its query is cancelled too', async () => {
    const disconnect = new AbortController();
    const response = fixture.fetch(ENDLESS, disconnect.signal);
    const rejected = expect(response).rejects.toThrow();
    const { query_id } = await untilRunning(fixture.hosts.url, fixture.ann);
    disconnect.abort();
    await rejected;
    // The body of a failed JSON download has a receipt, even when its client has disconnected.
    const sha256 = fixture.name === 'json' ? expect.any(String) : null;
    expect(await untilCancelled(query_id)).toMatchObject({ rows: 0, sha256 });
  });

  it('uses HTTP/1.0: it is rejected, because it could not detect a cut file', async () => {
    const { bytes } = await fixture.curl(FAILS_LATE, '--http1.0');
    expect(JSON.parse(bytes.toString())).toMatchObject({ error: 'http_version_not_supported' });
    expect((await fixture.curl(FAILS_LATE, '--http1.0', '--fail')).exitCode).toBe(22);
  });
}
