import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { verifyLog } from '@sluice/testkit/fixtures';
import { type ChildHost, startChildHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, post, queryIdOf } from '@sluice/testkit/requests';

const ASKERS = 8;
/** Responses that are received before the host is killed during others. */
const ANSWERS = 200;

let hosts: TestHosts;
let ann: Credential;
let suspended: SuspendedHost;
beforeAll(async () => {
  hosts = await startHosts({ HOST_SILENCE: '5s' });
  ann = basicOf(hosts.ann);
  // Its heartbeat timeout passes while the test of a killed host waits for that of another.
  suspended = await suspendHost();
}, 120_000);
afterAll(async () => {
  suspended?.child.kill('SIGKILL');
  await hosts?.[Symbol.asyncDispose]();
});

/**
 * Rows at the pace of their reader, for longer than the heartbeat timeout of a host. They are wide, so that the result is many times as
 * long as what the kernel takes for a reader that waits (37 MB on Linux 6.18).
 */
const LONG = `SELECT a.n AS i, b.n AS j, repeat('x', 500) AS wide FROM numbers a, numbers b`;

/** A host process that is stopped while it sends the rows of a query. */
interface SuspendedHost extends Pick<ChildHost, 'child'> {
  readonly queryId: string;
  readonly reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
}

async function suspendHost(): Promise<SuspendedHost> {
  const { url, child } = await startChildHost(hosts);
  const response = await fetch(`${url}/query`, {
    method: 'POST',
    headers: { ...ann, 'content-type': 'application/json' },
    body: JSON.stringify({ sql: LONG, size: 1_000_000 }),
  });
  const queryId = response.headers.get('x-query-id') ?? '';
  const rowsOf = async () =>
    (await hosts.rows<{ rows: number }>('select rows::int as rows from queries where query_id = $1', [queryId]))[0]
      ?.rows;
  const reader = response.body?.getReader();
  await reader?.read();
  await until(async () => ((await rowsOf()) ? true : undefined), { what: 'progress' });
  child.kill('SIGSTOP');
  return { child, queryId, reader };
}

/** Returns the records of queries without outcome. */
const unsettled = (): Promise<object[]> =>
  hosts.rows(`select 1 from audit_log l where l.record_id is null and l.action = 'RUN_QUERY'
    and not exists (select from audit_log o where o.record_id = l.id)`);

it('has a record of every received response after kill -9, and an outcome of each within a minute', async () => {
  const { url, child, exited } = await startChildHost(hosts);
  const seen: ReceivedResponse[] = [];
  const ask = async (): Promise<void> => {
    for (;;) {
      const answer = await post(`${url}/query`, { sql: 'SELECT * FROM numbers LIMIT 500' }, ann).catch(() => undefined);
      if (answer === undefined) return; // the host was killed
      seen.push(answer);
      if (seen.length === ANSWERS) child.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: ASKERS }, ask));
  await exited;
  const served = seen.filter(({ status }) => status === 200);
  const ids = served.map(queryIdOf);
  const whole = served.filter(({ text }) => text.includes('"type":"complete"')).map(queryIdOf);
  expect(whole.length).toBeGreaterThanOrEqual(ANSWERS / 2);
  const recorded = await hosts.rows<{ query_id: string; is_outcome: boolean }>(
    'select query_id, record_id is not null as is_outcome from audit_log where query_id = any ($1)',
    [ids],
  );
  const of = (isOutcome: boolean) =>
    recorded.filter((row) => row.is_outcome === isOutcome).map(({ query_id }) => query_id);
  expect(of(false).sort()).toEqual([...ids].sort());
  expect(of(true)).toEqual(expect.arrayContaining(whole));
  await until(async () => ((await unsettled()).length === 0 ? true : undefined), {
    what: 'the outcome of every record',
  });
  expect(await verifyLog(hosts)).toContain('are verified');
}, 120_000);

it('fails a query with host_suspended after a suspension, and keeps its live counts meanwhile', async () => {
  const { child, queryId, reader } = suspended;
  const receipt = await until(
    async () => {
      const { body } = await send(`${hosts.url}/query/${queryId}`, { headers: ann });
      return body.state === 'UNKNOWN' ? body : undefined;
    },
    { what: 'the end of the query', withinMs: 90_000 },
  );
  expect(receipt).toMatchObject({ at_least: true, sha256: null });
  expect(receipt.rows).toBeGreaterThan(0);
  child.kill('SIGCONT');
  let end = '';
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    end = (end + Buffer.from(part.value).toString()).slice(-1000);
  }
  expect(end).toContain('"code":"HOST_SUSPENDED"');
  expect(end).toMatch(/suspended for \d+ s/);
  expect(await verifyLog(hosts)).toContain('are verified');
}, 180_000);
