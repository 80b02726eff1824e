import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FakePage, type FakeTrinoOptions, numberedResult } from '@sluice/engine/testing';
import { type ReceivedResponse, readServerSentEvents, type ServerSentItem, until } from '@sluice/testkit';
import { listOf, post, queryIdOf, receiptOf, sha256Of } from '@sluice/testkit/requests';
import { startTrinoTenants, type TrinoTenants } from './trino-tenants.ts';

const HEARTBEAT_MS = 100;
const QUEUED_PAGES = 5;
/** Trino responds to a queued query after a second, which is several heartbeat intervals here. */
const QUEUED_PAGE_MS = 4 * HEARTBEAT_MS;
const ROWS = 3_000;

const QUEUED: FakePage = { state: 'QUEUED', isWithoutColumns: true };
const RESULT = numberedResult(ROWS, 1_000);
const fake: FakeTrinoOptions = {
  result: { ...RESULT, pages: [...Array<FakePage>(QUEUED_PAGES).fill(QUEUED), ...RESULT.pages] },
  fault: ({ kind, page }) =>
    kind === 'page' && page <= QUEUED_PAGES ? { kind: 'late', ms: QUEUED_PAGE_MS } : undefined,
};

let tenants: TrinoTenants<'busy'>;
beforeAll(async () => {
  tenants = await startTrinoTenants({ busy: { fake } }, { SSE_HEARTBEAT_INTERVAL: `${HEARTBEAT_MS}ms` });
}, 120_000);
afterAll(async () => await tenants?.[Symbol.asyncDispose]());

const ask = (path: string, more: object = {}): Promise<ReceivedResponse> =>
  post(`${tenants.hosts.url}${path}`, { sql: 'SELECT * FROM busy', ...more }, tenants.callers.busy);

type Event = Record<string, unknown>;

interface Parts {
  readonly beforeColumns: readonly ServerSentItem[];
  /** Events from the columns on, without comments and progress. */
  readonly result: readonly Event[];
}

const eventOf = (item: ServerSentItem): Event | undefined =>
  item.kind === 'event' ? (JSON.parse(item.data) as Event) : undefined;

async function partsOf({ bytes }: ReceivedResponse): Promise<Parts> {
  const items: ServerSentItem[] = [];
  for await (const item of readServerSentEvents(new Blob([bytes]).stream())) items.push(item);
  const columnsAt = items.findIndex((item) => eventOf(item)?.['type'] === 'metadata');
  const result = items
    .slice(columnsAt)
    .map(eventOf)
    .filter((event) => event !== undefined);
  return { beforeColumns: items.slice(0, columnsAt), result: result.filter(({ type }) => type !== 'progress') };
}

async function expectWhole(answer: ReceivedResponse, { result }: Parts): Promise<void> {
  expect([answer.status, answer.isWhole]).toEqual([200, true]);
  const [metadata, ...rows] = result;
  const complete = rows.pop();
  expect([metadata?.['type'], complete?.['type']]).toEqual(['metadata', 'complete']);
  expect(rows).toEqual(Array.from({ length: ROWS }, (_, id) => ({ type: 'row', data: { id, label: `row ${id}` } })));
  expect(await receiptOf(tenants.hosts.url, queryIdOf(answer), tenants.callers.busy)).toMatchObject({
    state: 'FINISHED',
    rows: ROWS,
    bytes: answer.bytes.length,
    sha256: sha256Of(answer.bytes),
  });
}

describe('a query that waits in Trino’s queue', () => {
  it('sends heartbeats until its first row, then all rows and the end', async () => {
    const answer = await ask('/query');
    const parts = await partsOf(answer);
    expect(parts.beforeColumns.length).toBeGreaterThanOrEqual(QUEUED_PAGES);
    expect(new Set(parts.beforeColumns.map((item) => JSON.stringify(item)))).toEqual(
      new Set([JSON.stringify({ kind: 'comment', text: 'keep-alive' })]),
    );
    await expectWhole(answer, parts);
  });

  it('reports QUEUED with progress, then all rows and the end', async () => {
    const answer = await ask('/query', { progress: true });
    const parts = await partsOf(answer);
    const progress = parts.beforeColumns.map(eventOf);
    const queued = { type: 'progress', state: 'QUEUED', rows: 0 };
    expect(progress.filter((event) => event?.['state'] === 'QUEUED').length).toBeGreaterThanOrEqual(QUEUED_PAGES);
    expect(progress.at(-1)).toMatchObject(queued);
    await expectWhole(answer, parts);
  });

  it('is listed as QUEUED to its caller', async () => {
    const answer = ask('/query/download/json');
    const listed = await until(
      async () => (await listOf(tenants.hosts.url, tenants.callers.busy)).find(({ state }) => state === 'QUEUED'),
      { what: 'a queued query', withinMs: QUEUED_PAGES * QUEUED_PAGE_MS },
    );
    expect(listed.rows).toBe(0);
    const { status, isWhole, body } = await answer;
    expect([status, isWhole, body.data.length]).toEqual([200, true, ROWS]);
  });
});
