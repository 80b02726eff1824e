import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Client,
  createClient,
  IncompleteResultError,
  ResponseError,
  type Resumption,
  type RowText,
  toBlob,
} from '@sluice/client';
import { partFactsPathOf, toFile } from '@sluice/client/node';
import { type CuttingProxy, shortOrLong, startCuttingProxy } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { countTo } from '@sluice/testkit/statements';
import { createResultFolder, type ResultFolder } from '../create-result-folder.ts';

const ROWS = 5_000;
const EXACT = `SELECT 9007199254740993 + range AS n, 0.10 AS price, 'a "b", ' || chr(10) || 'é' AS t FROM range(2500)`;
const FORMATS = ['csv', 'json', 'ndjson', 'xlsx', 'parquet'] as const;
const CUTS = shortOrLong(6, 60);

let results: ResultFolder;
let hosts: TestHosts;
let proxy: CuttingProxy;
let client: Client;
let folder: string;
const clientOf = ({ email, password }: { readonly email: string; readonly password: string }): Client =>
  createClient({ tenant: 'acme', streamUrl: proxy.url, apiUrl: hosts.api.url, auth: { email, password } });
beforeAll(async () => {
  results = await createResultFolder();
  hosts = await startHosts(results.settings);
  proxy = await startCuttingProxy(hosts.url);
  client = clientOf(hosts.ann);
  folder = await mkdtemp(join(tmpdir(), 'sluice-client-'));
}, 120_000);
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
  await results?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  proxy.reset();
  for (const name of await readdir(folder)) await rm(join(folder, name));
});

/** Runs a statement, keeps its result and returns the id. */
async function keep(sql: string): Promise<string> {
  const query = client.query(sql, { keep: '1h' });
  for await (const _batch of query.batches());
  expect(query.summary).toMatchObject({ keptUntil: expect.any(Number) });
  return await query.id;
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );

async function collect<R>(pages: AsyncIterable<readonly R[]>): Promise<{ rows: R[]; sizes: number[] }> {
  const [rows, sizes]: [R[], number[]] = [[], []];
  for await (const page of pages) {
    rows.push(...page);
    sizes.push(page.length);
  }
  return { rows, sizes };
}

describe('pages of a kept result', () => {
  let id: string;
  beforeAll(async () => {
    id = await keep(EXACT);
  });

  it('are those of the query, with every digit', async () => {
    const direct = await client.rows(EXACT);
    const { rows, sizes } = await collect(client.result(id).rows());
    expect(rows).toEqual(direct);
    expect(sizes).toEqual([1000, 1000, 500]);
    expect(rows[1]).toMatchObject({ n: 9007199254740994n, t: 'a "b", \né' });
    const { rows: texts } = await collect<RowText>(client.result(id).rows({ rows: 'text' }));
    expect(texts).toEqual(await client.rows(EXACT, { rows: 'text' }));
    expect(texts[1]).toEqual(['9007199254740994', '0.10', JSON.stringify('a "b", \né')]);
    const strings = await collect(client.result(id).rows({ to: 1, numbers: 'string' }));
    expect(strings.rows).toMatchObject([{ n: '9007199254740993' }]);
  });

  it.each([
    [{ from: 0, to: 0 }, 0, 0],
    [{ from: 2499 }, 2499, 1],
    [{ from: 2500 }, 0, 0],
    [{ from: 999_999_999 }, 0, 0],
    [{ from: 10, to: 2490, pageRows: 7 }, 10, 2480],
    [{ from: 10, to: 1_000_000, pageRows: 10_000 }, 10, 2490],
  ])('are those of the range %j', async (range, first, count) => {
    const { rows } = await collect(client.result(id).rows<{ n: bigint }>(range));
    expect(rows).toHaveLength(count);
    expect(rows.every(({ n }, index) => n === 9007199254740993n + BigInt(first + index))).toBe(true);
  });

  it.each([{ from: -1 }, { from: 1.5 }, { from: 5, to: 4 }, { pageRows: 0 }, { pageRows: 10_001 }, { to: Number.NaN }])(
    'reject %j',
    async (options) => {
      await expect(collect(client.result(id).rows(options))).rejects.toBeInstanceOf(TypeError);
    },
  );

  it.each(['cut', 'end'] as const)('are whole after a cut (%s), as often as the caller allows', async (kind) => {
    proxy.damage(`/query/${id}/rows`, { kind, afterBytes: 5_000, times: 2 });
    const resumptions: Resumption[] = [];
    const onResume = (resumption: Resumption): void => void resumptions.push(resumption);
    const { rows } = await collect(client.result(id).rows({ onResume }));
    expect([rows.length, resumptions.length]).toEqual([2500, 2]);
    proxy.damage(`/query/${id}/rows`, { kind, afterBytes: 5_000 });
    const cut = await failureOf(collect(client.result(id).rows({ resumeAttempts: 1 })));
    expect(cut).toBeInstanceOf(IncompleteResultError);
    expect(cut).toMatchObject({ reason: 'cut', queryId: id });
  });

  it('of a result that is not kept are not_found', async () => {
    const query = client.query('SELECT 1');
    for await (const _row of query);
    const error = await failureOf(collect(client.result(await query.id).rows()));
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ code: 'not_found', status: 404 });
    expect(() => client.result('../x')).toThrow(TypeError);
  });
});

describe('a kept result', () => {
  it('has facts, can be shared, and is gone when it is deleted', async () => {
    const id = await keep('SELECT 1 AS a');
    const result = client.result(id);
    expect(await result.facts()).toMatchObject({
      query_id: id,
      sql: 'SELECT 1 AS a',
      columns: [{ name: 'a', type: 'integer' }],
      rows: 1,
      limited: false,
      is_own: true,
      shares: [],
      formats: expect.arrayContaining([...FORMATS]),
    });
    const bob = await hosts.build.user(hosts.acme);
    const other = clientOf(bob).result(id);
    expect(await failureOf(other.facts())).toMatchObject({ status: 404 });
    const shares = [{ kind: 'user' as const, name: bob.email }];
    expect(await result.share(shares)).toEqual(shares);
    expect(await other.facts()).toMatchObject({ is_own: false, shares: null, rows: 1 });
    expect((await collect(other.rows())).rows).toEqual([{ a: 1 }]);
    expect(await result.share([])).toEqual([]);
    expect(await failureOf(other.facts())).toMatchObject({ status: 404 });
    await result.delete();
    for (const failure of [result.facts(), collect(result.rows()), result.download('csv', toBlob()), result.delete()])
      expect(await failureOf(failure)).toMatchObject({ status: 404 });
    expect(await failureOf(result.follow().batches().next())).toMatchObject({ status: 404 });
  });

  it('is followed from any row on, and leaving the loop cancels nothing', async () => {
    const id = await keep(countTo(ROWS));
    const followed = client.result(id).follow<{ n: bigint }>({ after: 4_990 });
    expect(await followed.columns).toMatchObject([{ name: 'n' }]);
    const rows: bigint[] = [];
    for await (const { n } of followed) rows.push(n);
    expect(rows).toEqual(Array.from({ length: 10 }, (_, n) => BigInt(4_990 + n)));
    expect(followed.summary).toMatchObject({ queryId: id, rows: ROWS, asOf: expect.any(Number) });
    for await (const _row of client.result(id).follow()) break;
    expect((await client.result(id).facts()).rows).toBe(ROWS);

    proxy.damage(`/query/${id}/events`, { kind: 'cut', afterBytes: 40_000, times: 2 });
    const again: bigint[] = [];
    for await (const { n } of client.result(id).follow<{ n: bigint }>()) again.push(n);
    expect(again).toHaveLength(ROWS);
    expect(again.every((n, index) => n === BigInt(index))).toBe(true);
    expect(() => client.result(id).follow({ after: -1 })).toThrow(TypeError);
  });

  it('is followed while its query runs', async () => {
    const sql = `SELECT n, CASE WHEN n < 50000 THEN 0
      ELSE levenshtein(repeat('a', 5000 + (n % 2)::INTEGER), repeat('b', 5000)) END AS d FROM range(50050) t(n)`;
    const query = client.query(sql, { keep: '1h', resumeAttempts: 0 });
    const id = await query.id;
    proxy.damage('/query', undefined);
    const counts = { own: 0, followed: 0 };
    await query.columns;
    const own = (async () => {
      for await (const batch of query.batches()) counts.own += batch.length;
    })();
    const followed = client.result(id).follow();
    for await (const batch of followed.batches()) counts.followed += batch.length;
    await own;
    expect(counts).toEqual({ own: 50_050, followed: 50_050 });
  });
});

describe.each(FORMATS)('a download of a kept result as %s', (format) => {
  let id: string;
  let direct: Buffer;
  beforeAll(async () => {
    id = await keep(countTo(ROWS));
    const downloaded = await client.result(id).download(format, toBlob());
    direct = Buffer.from(await downloaded.result.arrayBuffer());
    // A workbook has the time of its execution.
    const { result } = await client.download({ format, sql: countTo(ROWS) }, toBlob());
    if (format !== 'xlsx') expect(direct.equals(Buffer.from(await result.arrayBuffer()))).toBe(true);
  });

  it('is a file whose bytes are verified', async () => {
    const path = join(folder, `out.${format}`);
    const seen: number[] = [];
    const onProgress = ({ bytes }: { readonly bytes: number }): void => void seen.push(bytes);
    const { result, bytes, sha256, queryId } = await client.result(id).download(format, toFile(path), { onProgress });
    expect([result, bytes, sha256, queryId]).toEqual([path, direct.length, sha256Of(direct), id]);
    expect(seen.at(-1)).toBe(bytes);
    expect(await readdir(folder)).toEqual([`out.${format}`]);
    expect((await readFile(path)).equals(direct)).toBe(true);
  });

  it.each(['cut', 'end', 'reset'] as const)('continues after a cut at any byte (%s)', async (kind) => {
    const path = `/query/${id}/download`;
    for (let round = 0; round <= CUTS; round += 1) {
      const afterBytes = Math.min(direct.length - 1, Math.floor((direct.length * round) / CUTS));
      proxy.damage(path, { kind, afterBytes, times: 2 });
      const resumptions: Resumption[] = [];
      const onResume = (resumption: Resumption): void => void resumptions.push(resumption);
      const { result } = await client.result(id).download(format, toBlob(), { onResume });
      const isEqual = Buffer.from(await result.arrayBuffer()).equals(direct);
      expect({ afterBytes, isEqual }).toEqual({ afterBytes, isEqual: true });
      // A reset may overtake the headers, and the request is then sent again.
      if (kind !== 'reset') expect(resumptions.length).toBeGreaterThan(0);
      expect(resumptions.map(({ attempt }) => attempt)).toEqual(resumptions.map((_, index) => index + 1));
      proxy.reset();
    }
  });
});

describe('a download of a kept result', () => {
  let id: string;
  beforeAll(async () => {
    id = await keep(countTo(ROWS));
  });

  it('fails plainly when it is cut too often, stalls, or is not kept any more', async () => {
    const path = `/query/${id}/download`;
    const download = (options: object) =>
      failureOf(client.result(id).download('csv', toFile(join(folder, 'x.csv')), options));
    proxy.damage(path, { kind: 'cut', afterBytes: 100 });
    const cut = await download({ resumeAttempts: 1 });
    expect(cut).toBeInstanceOf(IncompleteResultError);
    expect(cut).toMatchObject({ reason: 'cut', message: expect.stringContaining('1 attempt') });
    proxy.damage(path, { kind: 'stall', afterBytes: 100 });
    expect(await download({ resumeAttempts: 0, idleTimeoutMs: 300 })).toMatchObject({ reason: 'stalled' });
    proxy.damage(path, { kind: 'cut', afterBytes: 100, times: 1 });
    const gone = {
      status: 404,
      headers: { 'content-type': 'application/json' },
      body: '{"error":"not_found","message":"Gone."}',
    };
    expect(await download({ onResume: () => proxy.reply(path, gone) })).toMatchObject({
      reason: 'cut',
      cause: { status: 404 },
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('fails plainly when the file is another one after a cut, and when a byte was changed on the way', async () => {
    const path = `/query/${id}/download`;
    const other = (body: string) => ({
      status: 200,
      headers: {
        etag: '"other"',
        'content-length': body.length,
        'repr-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
      },
      body,
    });
    proxy.damage(path, { kind: 'cut', afterBytes: 100, times: 1 });
    const changed = client.result(id).download('csv', toBlob(), { onResume: () => proxy.reply(path, other('n\n1\n')) });
    expect(await failureOf(changed)).toMatchObject({ code: 'incomplete_result', reason: 'hash' });
    const damaged = other('n\n1\n');
    proxy.reply(path, { ...damaged, body: 'n\n2\n' });
    expect(await failureOf(client.result(id).download('csv', toBlob()))).toMatchObject({ reason: 'hash' });
    proxy.reply(path, { status: 200, body: 'n\n2\n' });
    expect(await failureOf(client.result(id).download('csv', toBlob()))).toMatchObject({ code: 'unexpected_response' });
  });

  it('has the options of its format', async () => {
    const formula = await keep(`SELECT '=1+1' AS f, 9007199254740993 AS n`);
    const text = async (options: object) =>
      (await client.result(formula).download('csv', toBlob(), options)).result.text();
    expect(await text({ excelSafe: true, separator: ';' })).toBe("f;n\n'=1+1;9007199254740993\n");
    expect(await failureOf(client.result(formula).download('json', toBlob(), { excelSafe: true }))).toMatchObject({
      status: 400,
    });
  });

  it('continues the part that an earlier try has left, and begins anew where that is not possible', async () => {
    const path = join(folder, 'big.csv');
    const whole = await (await client.result(id).download('csv', toBlob())).result.text();
    const facts: string[] = [];
    const keepPart = ({ etag, startsAt }: { etag?: string | undefined; startsAt?: number | undefined }): string => {
      facts.push(`${etag} ${startsAt}`);
      return '{}';
    };
    // After a cut, Node.js may drop bytes that have arrived.
    proxy.damage(`/query/${id}/download`, { kind: 'end', afterBytes: 5_000, times: 1 });
    await failureOf(client.result(id).download('csv', toFile(path, { keepPart }), { resumeAttempts: 0 }));
    expect((await readdir(folder)).sort()).toEqual(['big.csv.part', 'big.csv.part.json']);
    const [, etag = ''] = /^("[^"]+") 0$/.exec(facts[0] ?? '') ?? [];
    const part = await readFile(`${path}.part`, 'utf8');
    expect([whole.startsWith(part), part.length]).toEqual([true, 5_000]);

    const before = proxy.seen.length;
    await client.result(id).download('csv', toFile(path, { keepPart, continuePart: { etag } }));
    expect(await readFile(path, 'utf8')).toBe(whole);
    expect(await readdir(folder)).toEqual(['big.csv']);
    expect(facts[1]).toBe(`${etag} ${part.length}`);
    expect(proxy.seen.length - before).toBe(1);

    // Another file, more bytes than the file has, no bytes, and all of them.
    for (const [tag, text] of [
      ['"other"', part],
      [etag, `${whole}more`],
      [etag, ''],
      [etag, whole],
    ] as const) {
      await writeFile(`${path}.part`, text);
      const target = toFile(path, { keepPart, continuePart: { etag: tag }, overwrite: true });
      await client.result(id).download('csv', target);
      expect(await readFile(path, 'utf8')).toBe(whole);
    }

    // Two that continue the same part do not write into the file of each other.
    await rm(path);
    await writeFile(`${path}.part`, part);
    const both = await Promise.allSettled(
      [1, 2].map(() => client.result(id).download('csv', toFile(path, { keepPart, continuePart: { etag } }))),
    );
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe(whole);

    // A damaged part is found by the hash of the whole file, and removed.
    await rm(path);
    await writeFile(`${path}.part`, part.replace('7', '8'));
    await writeFile(partFactsPathOf(path), '{}');
    const target = toFile(path, { keepPart, continuePart: { etag } });
    expect(await failureOf(client.result(id).download('csv', target))).toMatchObject({ reason: 'hash' });
    expect(await readdir(folder)).toEqual([]);
  });
});
