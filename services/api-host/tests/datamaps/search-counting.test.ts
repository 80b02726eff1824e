import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { refreshSearch } from '@sluice/store/search';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import pg from 'pg';
import { madeDatamap, searchDatamaps, sendAs } from './datamap-requests.ts';

/** More matches than are fetched and sorted at once, so they must be counted; for each word and for both. */
const MANY = 260;
const GATE = 720_581_200;

jest.setTimeout(120_000);

let test: TestHost;
let analyst: LoggedIn;
let steward: LoggedIn;
let gate: pg.Client;

beforeAll(async () => {
  // Statement timeout of a search, so no statement can wait for a longer count.
  test = await startTestHost({ DATABASE_TIMEOUT: '1s' });
  analyst = await logInAs(test, ['analyst'], test.acme);
  steward = await logInAs(test, ['steward'], test.acme);
  await seed('flights of birds', MANY, true);
  await seed('flights of insects', 40, false);
  await seed('departures', MANY + 20, true);
  await seed('arrivals', MANY + 30, true);
  await makeCountingWaitForTheGate();
  gate = new pg.Client({ connectionString: test.testDatabase.superuserUrl });
  await gate.connect();
}, 120_000);
afterEach(async () => void (await gate.query('select pg_advisory_unlock_all()')));
afterAll(async () => {
  await gate.end();
  await test[Symbol.asyncDispose]();
});

async function seed(name: string, count: number, isPublic: boolean): Promise<void> {
  const { tenantId, userId } = test.acme;
  const ids = Array.from({ length: count }, () => randomUUID());
  await test.rows(`insert into facts (tenant_id, fact_id, type) select $1, id, 'DATAMAP' from unnest($2::uuid[]) id`, [
    tenantId,
    ids,
  ]);
  await test.rows(
    `insert into datamaps (tenant_id, fact_id, name, display_name, state, owner_kind, owner_id, owner_name, created_by)
     select $1, id, $3, $3, $4, 'user', $5, 'o', 'o' from unnest($2::uuid[]) id`,
    [tenantId, ids, name, isPublic ? 'PUBLISHED' : 'DRAFT', userId],
  );
  await test.rows('insert into fact_counters (tenant_id, fact_id) select $1, id from unnest($2::uuid[]) id', [
    tenantId,
    ids,
  ]);
  await test.database.withTenant(tenantId, (transaction) => refreshSearch(transaction, tenantId, ids));
}

/** While the gate is closed, counting blocks; the rest of a search is unaffected. */
async function makeCountingWaitForTheGate(): Promise<void> {
  const [found] = await test.rows<{ source: string }>(
    `select pg_get_functiondef('search_count(text, text, tsquery)'::regprocedure) as source`,
  );
  const source = found?.source.replace('search_count(', 'counted_at_once(').replace(' STABLE ', ' VOLATILE ');
  await test.rows(String(source));
  await test.rows(`
    create or replace function search_count(wanted_type text, wanted_audience text, wanted tsquery) returns bigint
      language plpgsql stable security definer set search_path = pg_catalog, public as $body$
    begin
      perform pg_advisory_lock_shared(${GATE});
      perform pg_advisory_unlock_shared(${GATE});
      return counted_at_once(wanted_type, wanted_audience, wanted);
    end $body$`);
}

const closeGate = () => gate.query('select pg_advisory_lock($1)', [GATE]);
const openGate = () => gate.query('select pg_advisory_unlock($1)', [GATE]);

const countsUnderWay = async (): Promise<number> => {
  const [found] = await test.rows<{ n: string }>(
    `select count(*) as n from pg_locks where locktype = 'advisory' and not granted and objid = ${GATE}`,
  );
  return Number(found?.n);
};

async function untilCounting(counts: number): Promise<void> {
  for (const giveUpAt = performance.now() + 30_000; performance.now() < giveUpAt; await wait(20)) {
    if ((await countsUnderWay()) === counts) return;
  }
  throw new Error(`${await countsUnderWay()} counts are under way, not ${counts}`);
}

const find = (q: string, who = analyst, more: object = {}) => searchDatamaps(test, who, { q, ...more });

describe('the first search with very many matches', () => {
  it('waits for its exact total beyond the usual statement timeout, and counts once for all requests', async () => {
    await closeGate();
    const asked = Array.from({ length: 12 }, (_, index) => find('flights', analyst, { from: index * 10 }));
    await untilCounting(1);
    // Longer than the statement timeout of a search.
    await wait(1_500);
    expect(await countsUnderWay()).toBe(1);
    await openGate();
    const answers = await Promise.all(asked);
    expect(answers.map(({ status, body }) => [status, body.total, body.data.length])).toEqual(
      answers.map(() => [200, MANY, 10]),
    );
    const ids = answers.flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id));
    expect(new Set(ids).size).toBe(120);
  });

  it('does not delay other searches and requests', async () => {
    await closeGate();
    const asked = Array.from({ length: 15 }, () => find('departures'));
    const others = Array.from({ length: 15 }, () => find('departures', steward));
    await untilCounting(2);
    for (let index = 0; index < 5; index += 1) {
      expect((await find('nowhere')).body.total).toBe(0);
      const id = await madeDatamap(test, steward, { name: `unique${index}` }, ['publish']);
      expect((await find(`unique${index}`)).body.total).toBe(1);
      expect((await sendAs(test, analyst, { method: 'GET', path: `/datamap/${id}` })).status).toBe(200);
    }
    await openGate();
    for (const { status, body } of await Promise.all([...asked, ...others])) {
      expect([status, body.total]).toEqual([200, MANY + 20]);
    }
  });

  it('reuses its count the next time, exact after changes and per visibility', async () => {
    expect((await find('arr')).body.total).toBe(MANY + 30);
    expect((await find('arr', steward)).body.total).toBe(MANY + 30);
    await closeGate();
    await madeDatamap(test, steward, { name: 'arrivals of mine' });
    expect((await find('arr')).body.total).toBe(MANY + 30);
    expect((await find('arr', steward)).body.total).toBe(MANY + 31);
    expect((await find('arr', steward, { from: 200 })).body.total).toBe(MANY + 31);
  });
});
