import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditRecords, get, type LoggedIn, logInAs, seedTable } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';

const fileOf = (path: string, problem: string | null = null) => ({
  path,
  state: problem === null ? 'served' : 'problem',
  view: problem === null ? `files.main.${path.slice(0, -4)}` : null,
  rows: problem === null ? 2 : null,
  columns: problem === null ? 1 : null,
  bytes: 6,
  modified_ts: 1_700_000_000_000,
  format: 'csv',
  compression: null,
  separator: problem === null ? ',' : null,
  header: problem === null ? true : null,
  encoding: problem === null ? 'UTF-8' : null,
  problem,
});
const FILES = [fileOf('a.csv'), fileOf('b.csv', 'line 3 has 4 values, the header has 3.'), fileOf('ü.csv')];

let folder: string;
let report: string;
let test: TestHost;
let reader: LoggedIn;
let nobody: LoggedIn;
let otherTenant: LoggedIn;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-report-'));
  report = join(folder, 'files.json');
  test = await startTestHost({ FILES_CATALOG: join(folder, 'files.duckdb'), FILES_REPORT: report });
  reader = await logInAs(test, ['analyst'], test.acme);
  nobody = await logInAs(test, [], test.acme);
  otherTenant = await logInAs(test, ['analyst'], test.globex);
}, 120_000);
afterAll(async () => {
  await test?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const replaceReport = async (files: unknown): Promise<void> => {
  await writeFile(`${report}.new`, JSON.stringify(files));
  await rename(`${report}.new`, report);
};

describe('GET /catalog/files', () => {
  it('lists no files before there is a report, and those of each new report', async () => {
    const none = { data: [], files: [], file_count: 0, problem_count: 0 };
    expect((await get(test, reader, '/catalog/files')).body).toEqual(none);
    await replaceReport(FILES.slice(1));
    expect((await get(test, reader, '/catalog/files')).body).toMatchObject({ file_count: 2 });
    await replaceReport(FILES);
    expect((await get(test, reader, '/catalog/files')).body).toEqual({
      data: [],
      files: FILES,
      file_count: 3,
      problem_count: 1,
    });
  });

  it('pages over files, keeps those in a state, and records the read', async () => {
    await replaceReport(FILES);
    const first = await get(test, reader, '/catalog/files?size=2');
    expect(first.body).toMatchObject({ files: FILES.slice(0, 2), next_files_after: 'b.csv', file_count: 3 });
    const second = await get(test, reader, '/catalog/files?size=2&files_after=b.csv');
    expect(second.body.files).toEqual(FILES.slice(2));
    expect(second.body).not.toHaveProperty('next_files_after');
    const problems = await get(test, reader, '/catalog/files?state=problem');
    expect(problems.body).toMatchObject({ files: [FILES[1]], file_count: 3, problem_count: 1 });
    expect(await auditRecords(test, first)).toMatchObject([
      { action: 'READ_CATALOG', target: 'files', metadata: { catalog: 'files', size: 2 } },
    ]);
  });

  it('lists the schemas of the catalog files as any catalog, also when the tenant has no files', async () => {
    await seedTable(test, test.acme, { catalog: 'files', schema: 'main', name: 'a' });
    await seedTable(test, test.acme, { catalog: 'files', schema: 'other', name: 'b' });
    const { body } = await get(test, reader, '/catalog/files?size=1');
    expect(body.data).toEqual([{ name: 'main', table_count: 1 }]);
    const next = await get(test, reader, `/catalog/files?size=1&page_token=${body.next_page_token}`);
    expect(next.body.data).toEqual([{ name: 'other', table_count: 1 }]);
    expect((await get(test, reader, '/catalog/files?prefix=ot')).body.data).toEqual(next.body.data);
    expect((await get(test, reader, '/catalog/files/main')).body.data).toMatchObject([{ name: 'a' }]);
    expect((await get(test, otherTenant, '/catalog/files')).status).toBe(404);
    await seedTable(test, test.globex, { catalog: 'files', schema: 'theirs', name: 'c' });
    expect((await get(test, otherTenant, '/catalog/files')).body).toEqual({
      data: [{ name: 'theirs', table_count: 1 }],
      files: [],
      file_count: 0,
      problem_count: 0,
    });
  });

  it('returns 400 for a wrong state, and 403 without datamap:read', async () => {
    expect((await get(test, reader, '/catalog/files?state=bad')).status).toBe(400);
    expect((await get(test, reader, '/catalog/files?files_after=%00')).status).toBe(400);
    expect((await get(test, nobody, '/catalog/files')).status).toBe(403);
  });
});
