import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMetadataImportStore } from '@sluice/store/catalog';
import { until } from '@sluice/testkit';
import { type LoggedIn, logInAs, seedTable, storedMetadata } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { HEADER, JSON_TYPE, NDJSON, ndjsonOf, sendDeclared, sendFile } from './metadata-files.ts';

let test: TestHost;
let steward: LoggedIn;
let table: string;
beforeAll(async () => {
  test = await startTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  table = await seedTable(test, test.acme, { name: 'target', columns: ['a'] });
}, 120_000);
afterAll(async () => {
  await expectNothingKept();
  await test[Symbol.asyncDispose]();
});

const ROW = 'TABLE,demo.vega.target,,,changed,,';

/** No rejected file leaves an import, staged objects, a record or a change. */
async function expectNothingKept(): Promise<void> {
  expect(await test.rows('select import_id from metadata_imports')).toEqual([]);
  expect(await test.rows('select number from metadata_import_batches')).toEqual([]);
  expect(
    await test.rows(`select 1 from audit_log where action in ('START_METADATA_IMPORT', 'IMPORT_METADATA')`),
  ).toEqual([]);
  expect(await storedMetadata(test, table)).toMatchObject({ description: null, tags: [] });
}

describe('POST /metadata/imports', () => {
  it.each([
    ['a wrong header', `name,comment\n${ROW}\n`, 'line 1: has an unknown column "name"'],
    ['a broken quote', `${HEADER}\n${ROW}\nTABLE,demo.vega.target,a,,"x"y,,\n`, 'line 3: is not valid CSV'],
    [
      'a NUL character',
      `${HEADER}\n${ROW}\nTABLE,demo.vega.target,a,,x\0y,,\n`,
      'line 3, description: must not contain the NUL',
    ],
    [
      'a second row of a field',
      `${HEADER}\nTABLE,demo.vega.target,a,,x,,\nTABLE,demo.vega.target,a,,y,,\n`,
      'line 3: is a second row of the field "a"',
    ],
    ['no object', `${HEADER}\n`, 'file: has no objects; send at least one'],
    ['no byte', '', 'file: has no objects; send at least one'],
  ])('rejects %s, names the line and applies nothing', async (_what, file, message) => {
    const { status, body } = await sendFile(test, steward, file);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.message).toContain(`The file is not valid: ${message}`);
    expect(body.details[0]).toEqual({ path: expect.stringMatching(/^line \d+|^file/), message: expect.any(String) });
    await expectNothingKept();
  });

  it.each([
    ['an alias', '- id: &x a\n- id: *x\n', 'line 1, column 10', 'the anchor &x is not accepted'],
    ['another document', 'type: TABLE\n', 'line 1, column 1', 'this is not a list of objects'],
    ['deep nesting', `- ${'['.repeat(100_000)}\n`, 'line 1', 'is nested too deep'],
    ['a workbook', 'PK\u0003\u0004', 'file', 'is a workbook or ZIP file'],
  ])('rejects YAML with %s, names its position and applies nothing', async (_what, file, path, message) => {
    const { status, body } = await sendFile(test, steward, file, { type: 'application/yaml' });
    expect([status, body.details[0]]).toEqual([400, { path, message: expect.stringContaining(message) }]);
    await expectNothingKept();
  });

  it('names line 50,000 of a file that is broken there, and keeps nothing of the lines before it', async () => {
    const objects = Array.from({ length: 50_010 }, () => ({
      type: 'TABLE',
      id: 'demo.vega.target',
      description: 'changed',
    }));
    const lines = ndjsonOf(objects).split('\n');
    lines[49_999] = '{"type":"TABLE",';
    const { status, body } = await sendFile(test, steward, lines.join('\n'), { type: NDJSON });
    expect([status, body.details]).toEqual([
      400,
      [{ path: 'line 50000', message: expect.stringContaining('is not valid JSON') }],
    ]);
    await expectNothingKept();
  });

  it('rejects object 100,001 and names its line', async () => {
    const line = `${JSON.stringify({ type: 'TABLE', id: 'demo.vega.target' })}\n`;
    const { status, body } = await sendFile(test, steward, line.repeat(100_001), { type: NDJSON });
    expect([status, body.details]).toEqual([
      400,
      [{ path: 'line 100001', message: 'starts object 100001; a file has at most 100000' }],
    ]);
    await expectNothingKept();
  }, 120_000);

  it('rejects a declared length of 2 GB immediately, without reading a byte', async () => {
    const { status, text } = await sendDeclared(test, steward, {
      headers: { 'content-type': 'text/csv', 'content-length': '2147483648' },
    });
    expect([status, JSON.parse(text).error]).toEqual([413, 'payload_too_large']);
    expect(JSON.parse(text).message).toContain('67108864 bytes');
  });

  it('rejects a body beyond 64 MiB whose length is not declared', async () => {
    const row = `${HEADER}\n${`${ROW}${' '.repeat(2_000_000)}\n`.repeat(36)}`;
    const { status, body } = await sendFile(test, steward, row);
    expect(status).toBe(413);
    const chunked = await sendChunked(row);
    expect([chunked, body.error]).toEqual([413, 'payload_too_large']);
  }, 120_000);

  it('rejects another media type, another charset and a compressed body with 415', async () => {
    for (const headers of [
      { 'content-type': 'application/xml' },
      { 'content-type': 'text/csv; charset=latin1' },
      { 'content-type': 'text/csv', 'content-encoding': 'gzip' },
    ]) {
      const { status, text } = await sendDeclared(test, steward, { headers: { ...headers, 'content-length': '10' } });
      expect([status, JSON.parse(text).error]).toEqual([415, 'unsupported_media_type']);
    }
  });

  it('rejects unknown parameters, and keeps nothing of a client that disconnects', async () => {
    expect((await sendFile(test, steward, `${HEADER}\n${ROW}\n`, { query: '?dryrun=true' })).status).toBe(400);
    expect((await sendFile(test, steward, `${HEADER}\n${ROW}\n`, { query: '?dry_run=yes' })).status).toBe(400);
    expect((await sendFile(test, steward, '{"metadata_objects":[', { type: JSON_TYPE })).status).toBe(400);
    await sendAndLeave(`${HEADER}\n${ROW}\n`.repeat(10));
    // The log line may be that of the request before, so the host may still be deleting what it received.
    await until(async () => (await test.rows('select import_id from metadata_imports')).length === 0 || undefined, {
      what: 'the end of the import',
    });
    await expectNothingKept();
  });

  it('has at most 20 imports of a tenant open', async () => {
    await test.rows(
      `insert into metadata_imports (tenant_id, import_id, state, format, account_kind, account_id, account_name, permissions,
        address, held_until)
      select $1, gen_random_uuid(), 'QUEUED', 'csv', 'user', gen_random_uuid(), 'full', '{}', 'a', now() + interval '1 day'
      from generate_series(1, 20)`,
      [test.acme.tenantId],
    );
    const { status, headers, body } = await sendFile(test, steward, `${HEADER}\n${ROW}\n`);
    expect([status, body.error, headers['retry-after']]).toEqual([429, 'too_many_requests', '10']);
    await test.rows(`delete from metadata_imports where account_name = 'full'`);
  });

  it('deletes a file that was never received completely', async () => {
    await test.rows(
      `insert into metadata_imports (tenant_id, import_id, state, format, account_kind, account_id, account_name, permissions,
        address, received, ended)
      select $1, gen_random_uuid(), state, 'csv', 'user', gen_random_uuid(), 'old', '{}', 'a', received, ended
      from (values ('UPLOADING', now() - interval '16 minutes', null), ('FINISHED', now(), now() - interval '8 days'),
        ('FINISHED', now(), now())) as w (state, received, ended)`,
      [test.acme.tenantId],
    );
    await createMetadataImportStore(test.database).deleteOld();
    const kept = await test.rows<{ state: string }>(
      `delete from metadata_imports where account_name = 'old' returning state`,
    );
    expect(kept).toEqual([{ state: 'FINISHED' }]);
  });
});

/** Sends a body without Content-Length. */
const sendChunked = (body: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${test.url}/metadata/imports`,
      {
        method: 'POST',
        headers: { idtoken: steward.idToken, 'content-type': 'text/csv', 'transfer-encoding': 'chunked' },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

/** Disconnects in the middle of a body, and waits until the host has noticed. */
async function sendAndLeave(part: string): Promise<void> {
  const lines = test.logLines.length;
  await new Promise<void>((resolve) => {
    const sent = request(`${test.url}/metadata/imports`, {
      method: 'POST',
      headers: { idtoken: steward.idToken, 'content-type': 'text/csv', 'content-length': '1000000' },
    });
    sent.on('error', () => resolve());
    sent.write(part, () => setTimeout(() => sent.destroy(new Error('gone')), 100));
  });
  await until(
    () => (test.logLines.slice(lines).some((line) => line.includes('startMetadataImport')) ? true : undefined),
    { what: 'the end of the request' },
  );
}
