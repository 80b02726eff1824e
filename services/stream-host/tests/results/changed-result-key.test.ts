import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/observability';
import { type StreamHost, startStreamHost } from '@sluice/stream-host';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { basicOf, type Credential, eventsOf, post, queryIdOf } from '@sluice/testkit/requests';
import { type KeepingHosts, startKeepingHosts } from './resume-fixture.ts';

const SQL = 'SELECT n FROM range(5) t(n)';
const MESSAGE = 'The result was kept under another key and can no longer be read: run the statement again.';

let keeping: KeepingHosts;
/** A host of the same deployment, whose RESULT_KEY was changed. */
let changed: StreamHost;
let ann: Credential;
beforeAll(async () => {
  keeping = await startKeepingHosts();
  const { hosts } = keeping;
  ann = basicOf(hosts.ann);
  changed = await startStreamHost({
    environment: { ...hosts.environment, STREAM_PORT: '0', RESULT_KEY: randomBytes(32).toString('base64') },
    overrides: { log: createLogger({ service: 'test', level: 'silent' }) },
  });
}, 120_000);
afterAll(async () => {
  await changed?.drain();
  await keeping?.[Symbol.asyncDispose]();
});

const keepQuery = async (url: string): Promise<string> =>
  queryIdOf(await post(`${url}/query`, { sql: SQL, keep: '1h' }, ann));
const view = (url: string, path: string, headers: Credential = ann, method = 'GET'): Promise<ReceivedResponse> =>
  send(`${url}/query/${path}`, { method, headers });
const codeOf = ({ status, body }: ReceivedResponse): readonly unknown[] => [status, body.error, body.message];

describe('a result that was kept under another RESULT_KEY', () => {
  it('is gone, in each view and in one sentence', async () => {
    const id = await keepQuery(keeping.hosts.url);
    const views = ['result', 'rows', 'rows?from=2&size=1', 'events', 'events?after=2'];
    const files = ['csv', 'json', 'ndjson', 'xlsx', 'parquet'].map((format) => `download/${format}`);
    for (const path of [...views, ...files])
      expect([path, ...codeOf(await view(changed.url, `${id}/${path}`))]).toEqual([path, 410, 'gone', MESSAGE]);
    expect((await view(changed.url, `${id}/download/csv`, ann, 'HEAD')).status).toBe(410);
    const range = await view(changed.url, `${id}/download/csv`, { ...ann, range: 'bytes=1-' });
    expect(codeOf(range)).toEqual([410, 'gone', MESSAGE]);
  });

  it('is not there for an account that may not view it', async () => {
    const id = await keepQuery(keeping.hosts.url);
    const bob = basicOf(await keeping.hosts.build.user(keeping.hosts.acme));
    for (const path of ['result', 'rows', 'events', 'download/csv'])
      expect([path, (await view(changed.url, `${id}/${path}`, bob)).status]).toEqual([path, 404]);
  });

  it('is not used again, so its statement runs', async () => {
    const id = await keepQuery(keeping.hosts.url);
    const answer = await post(`${changed.url}/query`, { sql: SQL, keep: '1h', reuse: '1h' }, ann);
    expect([answer.status, queryIdOf(answer) === id]).toEqual([200, false]);
    expect((await eventsOf(answer)).at(-1)).toMatchObject({ type: 'complete' });
    expect((await view(changed.url, `${queryIdOf(answer)}/rows`)).status).toBe(200);
  });

  it('can be deleted, and stays readable under its own key until then', async () => {
    const id = await keepQuery(keeping.hosts.url);
    expect((await view(changed.url, `${id}/rows`)).status).toBe(410);
    expect((await view(keeping.hosts.url, `${id}/rows`)).status).toBe(200);
    expect((await view(changed.url, `${id}/result`, ann, 'DELETE')).status).toBe(204);
    for (const url of [changed.url, keeping.hosts.url]) expect((await view(url, `${id}/rows`)).status).toBe(404);
    expect((await keeping.files()).filter((file) => file.endsWith(id))).toEqual([]);
  });
});
