import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, until } from '@sluice/testkit';
import {
  type ChildHost,
  HOST_PROGRAMS,
  startApiChildHost,
  startChildHost,
  startHosts,
  type TestHosts,
} from '@sluice/testkit/hosts';
import { basicOf, post } from '@sluice/testkit/requests';

let test: TestHosts;
/** The programs of the images and of `npm run`, each in a process of its own. */
let api: ChildHost;
let stream: ChildHost;
let collector: Server;
const tracePaths: string[] = [];
beforeAll(async () => {
  test = await startHosts();
  api = await startApiChildHost({ environment: test.apiEnvironment }, { STREAM_PUBLIC_URL: test.url });
  const traces = createServer((request, response) => {
    tracePaths.push(request.url ?? '');
    request.resume().on('end', () => response.end('{}'));
  });
  collector = traces.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  stream = await startChildHost(test, { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  for (const host of [stream, api]) await host?.kill();
  collector?.close();
  await test?.[Symbol.asyncDispose]();
});

const filesMappedBy = (pid: number | undefined): Promise<string> => readFile(`/proc/${pid}/maps`, 'utf8');

describe('the bundled hosts', () => {
  it('find the files of packages that are not in the bundle', async () => {
    for (const { url } of [api, stream]) {
      expect((await send(`${url}/docs/swagger-ui.css`)).status).toBe(200);
      expect((await send(`${url}/docs/swagger-ui-bundle.js`)).status).toBe(200);
    }
    const page = await send(`${api.url}/console/`);
    expect(page.status).toBe(200);
    const [script = ''] = /\/console\/assets\/[\w.-]+\.js/.exec(page.text) ?? [];
    expect((await send(`${api.url}${script}`)).status).toBe(200);
  });

  it('load the binding of DuckDB in query workers only', async () => {
    const { status, text } = await post(`${stream.url}/query`, { sql: 'SELECT 1 AS one' }, basicOf(test.ann));
    expect({ status, end: text.trimEnd().split('\n').at(-1) }).toEqual({
      status: 200,
      end: 'data: {"type":"complete"}',
    });
    const workers = await stream.workerPids();
    expect(workers.length).toBeGreaterThan(0);
    for (const pid of workers) expect(await filesMappedBy(pid)).toContain('/@duckdb/');
    for (const { child } of [api, stream]) expect(await filesMappedBy(child.pid)).not.toContain('duckdb');
  });

  it('load the library of traces from its own chunk, and send them', async () => {
    await until(() => (tracePaths.length > 0 ? true : undefined), { what: 'traces', withinMs: 60_000 });
    expect(new Set(tracePaths)).toEqual(new Set(['/v1/traces']));
  });

  it('print no warnings of Node.js', () => {
    for (const { stdout, stderr } of [api, stream]) expect(stdout + stderr).not.toContain('Warning: ');
  });

  it.each(Object.values(HOST_PROGRAMS))(
    'carry the licences of the packages that they contain ($portSetting)',
    async ({ main }) => {
      const text = await readFile(new URL('third-party-licenses.md', `file://${main}`), 'utf8');
      const names = [...text.matchAll(/^## (\S+) - \d+\.\d+\.\S+ \(.+\)$/gm)].map(([, name]) => name);
      expect(names).toEqual(expect.arrayContaining(['express', 'jose', 'pg', 'pino', 'zod']));
      expect(names.filter((name) => name?.startsWith('@sluice/'))).toEqual([]);
      for (const name of ['express', 'isarray', 'pause']) {
        // The last two have no file with their licence.
        const [, section = ''] = new RegExp(`^## ${name} - ([^]*?)(?=^## )`, 'm').exec(text) ?? [];
        expect(section.trim().split('\n').length).toBeGreaterThan(10);
      }
    },
  );
});
