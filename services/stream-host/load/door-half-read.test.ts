import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { type ChildHost, residentBytes, startChildHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { assertWithin, basicOf, type Credential, probeWorker, sha256Of } from '@sluice/testkit/requests';
import { wideRows } from '@sluice/testkit/statements';
import { begin, type Followed, follow, get, rowsOf, run, type TrinoPage } from '../tests/door/trino-client.ts';

const MIB = 1024 * 1024;
const RESULTS = 200;
/** Statements that ann begins at the same time, as many as an account may run. */
const LANES = 8;
/** 1.3 MB: a first page of 256 KiB, and further ones. */
const ROWS = 12_000;
const SQL = wideRows(100, ROWS);
/** Memory of all ended results of a host is 32 MiB. The rest is for the code that is compiled and for garbage. */
const GROWTH_MAX = 160 * MIB;
const OTHERS_WITHIN_MS = 5_000;

let folder: string;
let hosts: TestHosts;
let host: ChildHost;
let ann: Credential;
let bob: Credential;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-half-read-'));
  hosts = await startHosts({
    TRINO_DOOR: 'true',
    RESULT_FOLDER: join(folder, 'results'),
    RESULT_KEY: randomBytes(32).toString('base64'),
    RESULT_KEEP_MAX: '24h',
  });
  host = await startChildHost(hosts, { WORKERS_MAX: '2' });
  ann = basicOf(hosts.ann);
  bob = basicOf(await hosts.build.user(hosts.acme));
}, 180_000);
afterAll(async () => {
  host?.child.kill('SIGKILL');
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A half-read result: the rows of its first page, and the address of the next one. */
interface HalfRead {
  readonly id: string;
  readonly nextUri: string;
  readonly rows: number;
}

/** Begins a statement and reads its first page with rows. Repeats what is refused because of a limit, as drivers do. */
async function readHalf(refusals: Map<number, number>): Promise<HalfRead> {
  for (;;) {
    const answer = await begin(host.url, SQL, ann);
    if (answer.status === 200) return await firstRows(answer.body as TrinoPage);
    expect([429, 503]).toContain(answer.status);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.body.message).toMatch(/quer|worker/);
    refusals.set(answer.status, (refusals.get(answer.status) ?? 0) + 1);
    await wait(200);
  }
}

async function firstRows({ id, nextUri: first = '' }: TrinoPage): Promise<HalfRead> {
  for (let uri = first; ; ) {
    const { body, status } = await get(uri, ann);
    expect(status).toBe(200);
    const { nextUri = '', data, error } = body as TrinoPage;
    expect(error).toBeUndefined();
    if (data !== undefined) return { id, nextUri, rows: data.length };
    uri = nextUri;
  }
}

const memory = (): Promise<number> => residentBytes(host.child.pid ?? -1);

it('200 half-read results of one user leave workers, memory and the queries of others alone, and can be read to their ends', async () => {
  const whole = await run(host.url, SQL, ann);
  expect(await run(host.url, 'SELECT count(*) AS n FROM items', bob).then(rowsOf)).toEqual([[3]]);
  const before = await memory();
  const refusals = new Map<number, number>();
  const halves: HalfRead[] = [];
  const lane = async (): Promise<void> => {
    while (halves.length < RESULTS) halves.push(await readHalf(refusals));
  };
  await Promise.all(Array.from({ length: LANES }, lane));

  await assertWithin({ what: 'a query of another user', withinMs: OTHERS_WITHIN_MS }, async () => {
    expect(rowsOf(await run(host.url, 'SELECT count(*) AS n FROM items', bob))).toEqual([[3]]);
  });
  // Both workers are free, although no client reads on.
  await until(
    async () => ((await hosts.rows("select 1 from queries where state <> 'FINISHED'")).length === 0 ? true : undefined),
    { what: 'the ends of all queries', withinMs: 60_000 },
  );
  expect(await Promise.all([probeWorker(host.url, bob), probeWorker(host.url, ann)])).toEqual([true, true]);
  expect((await memory()) - before).toBeLessThan(GROWTH_MAX);

  const expected = sha256Of(Buffer.from(whole.rowsText));
  for (const { id, nextUri, rows } of halves) {
    const rest: Followed = await follow({ id, nextUri }, ann);
    expect(rows + rowsOf(rest).length).toBe(ROWS);
    expect(rows).toBeLessThan(ROWS);
    expect(whole.rowsText.endsWith(rest.rowsText)).toBe(true);
  }
  const receipts = await hosts.rows<{ sha256: string; n: number }>(
    'select sha256, count(*)::int as n from queries where rows = $1 group by sha256',
    [ROWS],
  );
  expect(receipts).toEqual([{ sha256: expected, n: halves.length + 1 }]);
}, 600_000);
