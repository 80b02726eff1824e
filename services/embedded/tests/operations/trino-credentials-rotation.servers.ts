import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { HarvestRunBody } from '@sluice/contract';
import { createResourceStack } from '@sluice/host-runtime';
import { send, until } from '@sluice/testkit';
import {
  type Account,
  type ReplaceableHosts,
  type SecuredTrino,
  startReplaceableHosts,
  startSecuredTrino,
} from '@sluice/testkit/hosts';
import { basicOf, idtoken, logIn, post } from '@sluice/testkit/requests';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const NATIONS = 'SELECT count(*) AS n FROM nation';

let trino: SecuredTrino;
let hosts: ReplaceableHosts;
/** Bodies of the requests with which Trino has sent its traces. */
const traces: Buffer[] = [];
const resources = createResourceStack();

/** The settings of a host whose tenant acme uses Trino with an account of its own. */
const engineOf = (account: Account) => ({
  ENGINE_URL: trino.url,
  ENGINE_CA: trino.authority,
  ENGINE_TENANTS: JSON.stringify({
    acme: { url: trino.url, ca: trino.authority, ...account, catalogs: ['tpch'], schema: 'tiny' },
  }),
});

/** Starts a collector for the traces of Trino. Returns its address. */
async function startCollector(): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    traces.push(Buffer.concat(chunks));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.add({
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
}

beforeAll(async () => {
  trino = resources.add(await startSecuredTrino(await startCollector()));
  const engine = engineOf(trino.first);
  hosts = resources.add(await startReplaceableHosts({ settings: engine, streamSettings: engine }));
}, 360_000);
afterAll(async () => await resources[Symbol.asyncDispose](), 120_000);

const countNations = (headers: Readonly<Record<string, string>> = {}) =>
  post(`${hosts.streamUrl}/query`, { sql: NATIONS }, { ...basicOf(hosts.ann), ...headers });

it('Trino continues the trace of the caller in its own spans', async () => {
  const answer = await countNations({ traceparent: `00-${TRACE}-00f067aa0ba902b7-01` });
  expect(answer.text).toContain('{"n":25}');
  // Protocol Buffers hold the 16 bytes of the id as they are (opentelemetry-proto, trace.proto).
  const id = Buffer.from(TRACE, 'hex');
  await until(() => (traces.some((body) => body.includes(id)) ? true : undefined), {
    what: 'a span of Trino in the trace of the caller',
    withinMs: 60_000,
  });
}, 90_000);

/** Runs a harvest, which an API host does as the account of the tenant, and returns it when it has ended. */
async function harvest(): Promise<HarvestRunBody> {
  const admin = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  const headers = idtoken((await logIn({ api: { url: hosts.apiUrl } }, admin)).id_token);
  const { body } = await send(`${hosts.apiUrl}/admin/harvest`, { method: 'POST', headers });
  return until(
    async () => {
      const { body: runs } = await send(`${hosts.apiUrl}/admin/harvest`, { headers });
      const run = (runs.data as HarvestRunBody[]).find(({ run_id }) => run_id === body.run_id);
      return run?.state === 'FINISHED' || run?.state === 'FAILED' ? run : undefined;
    },
    { what: 'the end of the harvest', withinMs: 120_000 },
  );
}

it('the account of a tenant at Trino is replaced while queries run, and none fails', async () => {
  expect((await countNations()).text).toContain('{"n":25}');
  const load = hosts.startLoad();
  await trino.addAccount(trino.second);
  const engine = engineOf(trino.second);
  await hosts.replaceApis(engine);
  await hosts.replaceStream(engine);
  await trino.removeAccount(trino.first);
  const before = load.count();
  await until(() => (load.count() > before + 10 ? true : undefined), {
    what: 'queries without the old account',
    withinMs: 60_000,
  });
  expect(await load.stop()).toEqual([]);
  expect((await countNations()).text).toContain('{"n":25}');
  expect(await harvest()).toMatchObject({ state: 'FINISHED', error: null });
}, 240_000);
