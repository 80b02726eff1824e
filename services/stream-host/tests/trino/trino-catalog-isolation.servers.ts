import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, eventsOf, post } from '@sluice/testkit/requests';
import { catalogStatements } from './catalog-statements.ts';

const TENANTS = { acme: { catalogs: ['tpch'], schema: 'tiny' }, globex: { catalogs: ['tpcds'], schema: 'tiny' } };
/** Tables of globex, with a table that the caller may read. */
const FOREIGN = { catalog: 'tpcds', table: 'reason', column: 'r_reason_sk' };
/** Names that occur only in results from globex's catalog. An error message may quote the statement. */
const FOREIGN_WORDS = /r_reason_desc|r_reason_id|call_center|web_site|store_sales/;
const SIDE_BY_SIDE = 4;

let hosts: TestHosts;
let ann: Credential;
let gus: Credential;
beforeAll(async () => {
  hosts = await startHosts({ ENGINE_TENANTS: JSON.stringify(TENANTS), QUEUE_TIMEOUT: '60s' }, { engine: 'trino' });
  ann = basicOf(hosts.ann);
  gus = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

interface Outcome {
  readonly sql: string;
  readonly code: unknown;
  readonly hasColumns: boolean;
  readonly text: string;
}

async function outcomesOf(statements: readonly string[], credential: Credential): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = statements.values();
  const runAll = async (): Promise<void> => {
    for (const sql of waiting) {
      const answer = await post(`${hosts.url}/query`, { sql, size: 3 }, credential);
      const events = await eventsOf(answer);
      const hasColumns = events.some(({ type }) => type === 'metadata' || type === 'row');
      // A parameter without a value is rejected before the stream begins.
      const code = answer.status === 200 ? events.at(-1)?.['code'] : answer.body.error;
      outcomes.push({ sql, code, hasColumns, text: answer.text });
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, runAll));
  return outcomes;
}

const named = ({ sql, code }: Outcome): string => `${String(code)}: ${sql}`;

it('rejects every statement that names the catalog of another tenant', async () => {
  const { reads, others } = catalogStatements({ ...FOREIGN, own: 'tpch.tiny.region' });
  const statements = [...new Set([...reads, ...others])];
  expect(statements.length).toBeGreaterThanOrEqual(300);
  const outcomes = await outcomesOf(statements, ann);
  const wrong = outcomes.filter(
    ({ code, hasColumns, text }) => code === undefined || hasColumns || FOREIGN_WORDS.test(text),
  );
  expect(wrong.map(named)).toEqual([]);
  // Trino has no access rules here, so the guard rejected each of these statements.
  const byName = new Map(outcomes.map((outcome) => [outcome.sql, outcome]));
  expect(reads.filter((sql) => byName.get(sql)?.code !== 'PERMISSION_DENIED')).toEqual([]);
});

it('runs each of the reads for the tenant of the catalog', async () => {
  const ofGlobex = catalogStatements({ ...FOREIGN, own: 'tpcds.tiny.warehouse' }).reads;
  expect((await outcomesOf(ofGlobex, gus)).filter(({ code }) => code !== undefined).map(named)).toEqual([]);
  const ofAcme = catalogStatements({
    catalog: 'tpch',
    table: 'nation',
    column: 'n_nationkey',
    own: 'tpch.tiny.region',
  }).reads;
  const someOfAcme = ofAcme.filter((_, index) => index % 4 === 0);
  expect((await outcomesOf(someOfAcme, ann)).filter(({ code }) => code !== undefined).map(named)).toEqual([]);
});
