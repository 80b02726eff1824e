import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, until } from '@sluice/testkit';
import { type ChildHost, startChildHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, post, queryIdOf } from '@sluice/testkit/requests';

const QUERIES = 1_000;
const PATHS = ['/query', '/query/download/json', '/query/download/csv'];
const USERS = 5;
const AT_ONCE_PER_USER = 5;

let hosts: TestHosts;
let host: ChildHost;
let credentials: Credential[];
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '2', WORKERS_WARM: '0' });
  host = await startChildHost(hosts, { WORKERS_MAX: '6', WORKERS_WARM: '4', QUEUE_TIMEOUT: '30s' });
  credentials = await Promise.all(
    Array.from({ length: USERS }, async () => basicOf(await hosts.build.user(hosts.acme))),
  );
}, 120_000);
afterAll(async () => {
  host?.child.kill('SIGKILL');
  await hosts?.[Symbol.asyncDispose]();
});

interface RecordedQuery extends Record<string, unknown> {
  readonly query_id: string;
  readonly records: string;
  readonly states: (string | null)[];
}

/** Returns all queries of the log with their records and the states of their outcomes. */
const recorded = () =>
  hosts.rows<RecordedQuery>(
    `select query_id, count(*) filter (where record_id is null) as records,
       coalesce(array_agg(metadata ->> 'state') filter (where record_id is not null), '{}') as states
     from audit_log where query_id is not null group by query_id`,
  );

/** Sends queries and kills the host after this many complete responses. Returns all responses with a head. */
async function sendAndKill(killAfter: number): Promise<readonly ReceivedResponse[]> {
  const answers: ReceivedResponse[] = [];
  let left = QUERIES;
  const client = async (credential: Credential): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const path = PATHS[left % PATHS.length];
      const sql = `SELECT i, repeat('x', 200) AS filler FROM range(${left % 7 === 0 ? 5_000 : 20}) AS t(i)`;
      const answer = await post(`${host.url}${path}`, { sql }, credential).catch(() => undefined);
      if (answer !== undefined) answers.push(answer);
      if (answers.length === killAfter) host.child.kill('SIGKILL');
    }
  };
  await Promise.all(
    credentials.flatMap((credential) => Array.from({ length: AT_ONCE_PER_USER }, () => client(credential))),
  );
  return answers;
}

describe('a host that is killed during a thousand queries', () => {
  it('has a record of every received response, and outcomes of all records within a minute', async () => {
    const answers = await sendAndKill(QUERIES / 2);
    const killedAt = performance.now();
    const seen = answers.filter(({ status }) => status === 200);
    expect(seen.length).toBeGreaterThan(QUERIES / 3);

    const atOnce = new Map((await recorded()).map((query) => [query.query_id, query]));
    expect(seen.filter((answer) => atOnce.get(queryIdOf(answer))?.records !== '1').map(queryIdOf)).toEqual([]);
    // The outcome of a complete result was recorded before its last byte was sent.
    const whole = seen.filter(({ isWhole }) => isWhole);
    expect(whole.filter((answer) => atOnce.get(queryIdOf(answer))?.states[0] !== 'FINISHED').map(queryIdOf)).toEqual(
      [],
    );

    await until(async () => ((await recorded()).every(({ states }) => states.length > 0) ? true : undefined), {
      what: 'an outcome of every query',
      withinMs: 60_000 - (performance.now() - killedAt),
    });
    const inTheEnd = await recorded();
    expect(inTheEnd.filter(({ records, states }) => records !== '1' || states.length !== 1)).toEqual([]);
    expect(inTheEnd.some(({ states }) => states[0] === 'UNKNOWN')).toBe(true);
  }, 180_000);
});
