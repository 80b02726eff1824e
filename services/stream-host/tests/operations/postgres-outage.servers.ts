import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { allCases, migrateOwnServer, type ReceivedResponse, send, until } from '@sluice/testkit';
import { createItem } from '@sluice/testkit/fixtures';
import { type ChildHost, startChildHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  assertLostPostgres,
  assertUnavailable,
  basic,
  basicOf,
  bearer,
  type Credential,
  clientToken,
  finalReceipt,
  type HeldTransfer,
  idtoken,
  logIn,
  openHeldTransfer,
  post,
  queryIdOf,
  receiptOf,
  sha256Of,
} from '@sluice/testkit/requests';
import { wideRows } from '@sluice/testkit/statements';
import {
  type ComponentServer,
  runStatements,
  startComponentServer,
} from '../../../../packages/store/testing/component-server.ts';
import { assertRecordedQueries } from '../audit/assert-recorded-queries.ts';

/** The default time limit, unlike that of other tests. */
const DEFAULTS = { DATABASE_TIMEOUT: '3s' };
const [ROWS, ROWS_LONGER] = [40_000, 120_000];
const BEGUN_BYTES = 1_000_000;
/** Much more than sockets buffer for a client that reads nothing. */
const SENT_BYTES = 60_000_000;
/** All except what the sockets certainly buffer: the host has only its last bytes left to send. */
const NEARLY_ALL_BYTES = 40_000_000;

/** Promised, and tested with all cases, when nothing else runs. */
const [REJECTED_MS, RECOVERED_MS] = [3_000, 5_000];
const LOSSES_MAX = 4;
/** Only ends a run that hangs. */
const HANG_MS = 60_000;

let server: ComponentServer;
let hosts: TestHosts;
/** The tested stream host: the built program with its default timeouts. */
let host: ChildHost;
let ann: Credential;
let etl: Credential;
let loggedOut: Credential;
/** Another account each time, because an account with many failed logins is rejected for a while. */
let wrongPassword: Credential;
/** Ids of the queries that ended correctly, and of those without a receipt in time. */
const [whole, failed]: [string[], string[]] = [[], []];

beforeAll(async () => {
  server = await startComponentServer({ major: 14, port: 26_541 });
  const database = await migrateOwnServer(server.superuserUrl);
  hosts = await startHosts(DEFAULTS, { database, apiSettings: DEFAULTS });
  host = await startChildHost(hosts, { DATABASE_URL: database.streamUrl });
  ann = basicOf(hosts.ann);
  etl = bearer(await clientToken(hosts, await hosts.build.client(hosts.acme)));
  loggedOut = idtoken((await logIn(hosts, await hosts.build.user(hosts.acme))).id_token);
  await send(`${hosts.api.url}/auth/logout/acme`, { headers: { ...loggedOut } });
  wrongPassword = basic((await hosts.build.user(hosts.acme)).email, 'wrong');
  const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  await createItem(hosts, admin, { id: 'shared', queries: { items: 'SELECT * FROM items' } });
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const select = (credential: Credential): Promise<ReceivedResponse> =>
  post(`${host.url}/query`, { sql: 'SELECT 42 AS n' }, credential);
const list = (credential: Credential): Promise<ReceivedResponse> =>
  send(`${host.url}/query`, { headers: { ...credential } });
const browse = (credential: Credential): Promise<ReceivedResponse> =>
  send(`${host.url}/marketplace`, { headers: { ...credential } });
const fetchItem = (credential: Credential): Promise<ReceivedResponse> =>
  send(`${host.url}/marketplace/shared/download/csv`, { method: 'POST', headers: { ...credential } });

const allowed = () => [
  ...[ann, etl].flatMap((credential) => [select(credential), list(credential)]),
  ...[browse(ann), fetchItem(ann)],
];
/** Requests that would be rejected, and must not be admitted while this cannot be checked. */
const forbidden = () => [select(wrongPassword), select(loggedOut)];

/** Returns the time of all of them together. */
async function refusedInMs(): Promise<number> {
  const begun = performance.now();
  const answers = await Promise.all([...allowed(), ...forbidden()]);
  const tookMs = performance.now() - begun;
  answers.forEach(assertUnavailable);
  return tookMs;
}

async function expectRecovery(): Promise<void> {
  const [begun, withinMs] = [performance.now(), allCases ? RECOVERED_MS : HANG_MS];
  for (;;) {
    const answers = await Promise.all([...allowed(), send(`${host.url}/ready`)]);
    const isBack = answers.every(({ status }) => status === 200);
    if (performance.now() - begun > withinMs) throw new Error(`no recovery within ${withinMs} ms`);
    for (const answer of answers) if (answer.status !== 200) expect(answer.status).toBe(503);
    if (!isBack) continue;
    for (const query of [answers[0], answers[2]]) expectWhole(query);
    expect(answers[5]?.text).toMatch(/^id,name,price\n1,nut,0\.10\n/);
    break;
  }
  for (const answer of await Promise.all(forbidden())) expect([401, 429]).toContain(answer.status);
}

/** Asserts a stream that was received completely. */
function expectWhole(answer: ReceivedResponse | undefined): void {
  if (answer === undefined) throw new Error('a response is missing');
  expect(answer.text).toContain('{"n":42}');
  expect(answer.text).toContain('"type":"complete"');
  whole.push(queryIdOf(answer));
}

const opened: HeldTransfer[] = [];

async function open(path: string, rows = ROWS): Promise<HeldTransfer> {
  const transfer = await openHeldTransfer(`${host.url}${path}`, wideRows(1000, rows), ann);
  opened.push(transfer);
  await transfer.readTo(BEGUN_BYTES);
  return transfer;
}

async function expectProperEnd(transfer: HeldTransfer, rows: number): Promise<void> {
  const { bytes, isWhole } = await transfer.readRest();
  expect([isWhole, bytes.subarray(-200).toString()]).toEqual([true, expect.stringContaining('"type":"complete"')]);
  const receipt = await finalReceipt(host.url, transfer.queryId, { credential: ann, withinMs: 5_000 });
  expect(receipt).toMatchObject({ state: 'FINISHED', rows, sha256: sha256Of(bytes), error: null });
  whole.push(transfer.queryId);
}

/** Waits for the failure. A server that hung executes an earlier write, which the host then corrects. */
async function expectFailedReceipt(queryId: string): Promise<void> {
  const receipt = await until(
    async () => {
      const found = await receiptOf(host.url, queryId, ann);
      return found.state === 'FAILED' ? found : undefined;
    },
    { what: `the failure of query ${queryId}`, withinMs: 10_000 },
  );
  expect(receipt).toMatchObject({ sha256: null, error: { code: 'RECEIPT_UNAVAILABLE' } });
  failed.push(queryId);
}

describe('a stream host with a PostgreSQL server', () => {
  afterEach(() => {
    for (const transfer of opened.splice(0)) transfer.disconnect();
    expect(host.child.exitCode).toBeNull();
  });

  const LOSSES = [
    ['stopped', () => server.stop(), () => server.start()],
    ['hung', () => server.hang(), () => server.resume()],
  ] as const;

  /** Returns the time of the slower rejection: the first is on open connections of the host, the second after it has closed them. */
  async function rejectedInMs(lose: () => void, restore: () => void): Promise<number> {
    lose();
    try {
      return Math.max(await refusedInMs(), await refusedInMs());
    } finally {
      await assertLostPostgres(host.url).finally(restore);
      await expectRecovery();
    }
  }

  it.each(LOSSES)('that is %s rejects all requests, stays up, and recovers', async (how, lose, restore) => {
    const took = [await rejectedInMs(lose, restore)];
    if (!allCases) return;
    // Other work on the machine only adds to the time of a rejection, so the best of a few outages counts.
    while (took.length < LOSSES_MAX && Math.min(...took) >= REJECTED_MS) took.push(await rejectedInMs(lose, restore));
    process.stdout.write(`rejected while PostgreSQL is ${how}: ${took.map(Math.round).join(', ')} ms\n`);
    expect(Math.min(...took)).toBeLessThan(REJECTED_MS);
  });

  it.each(LOSSES)(
    'that is %s continues running transfers, and never ends one as complete without a receipt',
    async (_how, lose, restore) => {
      const [longer, reported, cut] = [
        await open('/query', ROWS_LONGER),
        await open('/query'),
        await open('/query/download/csv'),
      ];
      lose();
      try {
        for (const transfer of [reported, cut]) await transfer.readTo(NEARLY_ALL_BYTES);
        const ends = Promise.all([reported.readRest(), cut.readRest()]);
        await longer.readTo(SENT_BYTES);
        const [stream, file] = await ends;
        expect(stream.bytes.subarray(-400).toString()).toMatch(
          /"type":"error","error":"All rows were sent[^"]+","code":"RECEIPT_UNAVAILABLE","query_id":"[^"]+"\}\n\n$/,
        );
        expect(stream.bytes.includes('"type":"complete"')).toBe(false);
        expect(file.isWhole).toBe(false);
      } finally {
        restore();
      }
      await expectRecovery();
      await expectProperEnd(longer, ROWS_LONGER);
      for (const { queryId } of [reported, cut]) await expectFailedReceipt(queryId);
      await assertRecordedQueries(hosts, { whole, failed });
    },
  );

  it('that is restarted completes queries that end meanwhile and later', async () => {
    const [longer, ending] = [await open('/query', ROWS_LONGER), await open('/query')];
    server.stop();
    try {
      await ending.readTo(NEARLY_ALL_BYTES);
      for (const answer of await Promise.all(allowed())) assertUnavailable(answer);
    } finally {
      server.start();
    }
    await Promise.all([expectProperEnd(ending, ROWS), expectRecovery()]);
    await expectProperEnd(longer, ROWS_LONGER);
    await assertRecordedQueries(hosts, { whole, failed });
  });

  it('that repeatedly ends its connections serves or rejects requests, and loses no query', async () => {
    const longer = await open('/query', ROWS_LONGER);
    for (let round = 0; round < 20; round += 1) {
      const pending = Promise.all(allowed());
      await runStatements(
        server.superuserUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'sluice_stream'`,
      );
      const answers = await pending;
      for (const answer of answers) if (answer.status !== 200) assertUnavailable(answer);
      for (const query of [answers[0], answers[2]]) if (query?.status === 200) expectWhole(query);
    }
    await expectRecovery();
    await expectProperEnd(longer, ROWS_LONGER);
    await assertRecordedQueries(hosts, { whole, failed });
  });
});

it('stops in order after all outages, without unexpected errors in its log', async () => {
  host.child.kill('SIGTERM');
  expect(await host.exited).toEqual({ code: 0, signal: null });
  expect(host.stdout + host.stderr).not.toMatch(/unhandled|"level":(50|60)|"error":"internal"/i);
});
