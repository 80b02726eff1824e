import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { AuditAction } from '@sluice/contract';
import { declareParameters, publishDatamap } from '@sluice/testkit/fixtures';
import { queryIdOf, sha256Of } from '@sluice/testkit/requests';
import type { Actor, AuditedRequest, ScenarioRunner, Scenarios } from './scenario-runner.ts';

const SQL = 'SELECT * FROM items ORDER BY id';

interface MadeItem {
  readonly id: string;
  readonly datamapId: string;
  readonly owner: Actor;
}

const presentItem = ({ datamapId, owner }: Omit<MadeItem, 'id'>, version: number, title = 'Items') => ({
  title,
  description: null,
  tags: ['shop'],
  domains: [],
  owner: owner.name,
  version,
  queries: [{ name: 'all', datamap_id: datamapId }],
  license: null,
  terms_of_use: null,
});

const contentOf = (datamapId: string, title = 'Items') => ({
  title,
  tags: ['shop'],
  queries: [{ name: 'all', datamap_id: datamapId }],
});

async function itemOf({ act, person, hosts }: ScenarioRunner): Promise<MadeItem> {
  const owner = await person(['steward']);
  const datamapId = await publishDatamap(hosts, hosts.acme, SQL);
  const id = `item-${randomUUID()}`;
  await act({
    action: 'CREATE_MARKETPLACE_ITEM',
    by: owner,
    host: 'stream',
    path: '/marketplace',
    body: { id, ...contentOf(datamapId) },
    status: 201,
    record: () => ({ target: id, metadata: { before: null, after: presentItem({ datamapId, owner }, 1) } }),
  });
  return { id, datamapId, owner };
}

async function grantTo({ act }: ScenarioRunner, { id, owner }: MadeItem, name: string): Promise<void> {
  const grants = [{ kind: 'user', name, expires_ts: null }];
  await act({
    action: 'GRANT_MARKETPLACE_ITEM',
    by: owner,
    host: 'stream',
    method: 'PUT',
    path: `/marketplace/${id}/grants`,
    body: { grants },
    record: () => ({ target: id, metadata: { before: [], after: grants } }),
  });
}

/** Requests access as a new user; returns the user and the id of the request. */
async function requestFor({ act, person }: ScenarioRunner, { id }: MadeItem) {
  const by = await person(['analyst']);
  const { body } = await act({
    action: 'REQUEST_ACCESS',
    by,
    host: 'stream',
    path: `/marketplace/${id}/access-requests`,
    body: { reason: 'Monthly report' },
    status: 201,
    record: (answer) => ({
      target: id,
      metadata: {
        request_id: answer.body.request_id,
        user: by.name,
        reason: 'Monthly report',
        expires_ts: null,
        note: null,
      },
    }),
  });
  return { by, requestId: body.request_id as string };
}

async function decide(
  runner: ScenarioRunner,
  action: AuditAction,
  verdict: { readonly step: string; readonly body: object },
) {
  const item = await itemOf(runner);
  const { by, requestId } = await requestFor(runner, item);
  await runner.act({
    action,
    by: item.owner,
    host: 'stream',
    path: `/marketplace/${item.id}/access-requests/${requestId}/${verdict.step}`,
    body: verdict.body,
    record: () => ({
      target: item.id,
      metadata: {
        request_id: requestId,
        user: by.name,
        reason: 'Monthly report',
        expires_ts: null,
        note: null,
        ...verdict.body,
      },
    }),
  });
}

interface Reading extends Pick<AuditedRequest, 'host' | 'path'> {
  readonly by: Actor;
  readonly target: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const read = ({ act }: ScenarioRunner, { target, metadata, ...how }: Reading) =>
  act({ action: 'READ_MARKETPLACE', ...how, record: () => ({ target, metadata }) });

/** Lists the grants of all items at the API host. */
async function readGrants(runner: ScenarioRunner, item: MadeItem): Promise<void> {
  const by = await runner.person(['admin']);
  const { email } = runner.hosts.ann;
  await grantTo(runner, item, email);
  for (const [query, subject] of [
    ['role=analyst', { role: 'analyst' }],
    [`user=${email}`, { user: email }],
    ['client=etl', { client: 'etl' }],
  ] as const) {
    const path = `/admin/grants?${query}&item=${item.id}&expired=false&from=0&size=5`;
    const metadata = { ...subject, item: item.id, expired: false, from: 0, size: 5 };
    await read(runner, { by, path, target: 'grants', metadata });
  }
  const metadata = { kind: 'user', name: email };
  await read(runner, { by, path: `/admin/grants/${item.id}/user/${email}`, target: item.id, metadata });
}

export const marketplaceScenarios: Scenarios = {
  async DOWNLOAD_MARKETPLACE(runner) {
    const item = await itemOf(runner);
    const by = await runner.person(['analyst']);
    await grantTo(runner, item, by.name);
    const sql = 'SELECT * FROM items WHERE id > $low ORDER BY id';
    await runner.hosts.rows('update datamaps set sql = $2 where fact_id = $1', [item.datamapId, sql]);
    await declareParameters(runner.hosts, item.datamapId, [{ name: 'low', type: 'bigint' }]);
    const queries = [{ name: 'all', datamap_id: item.datamapId, sql }];
    const parameters = { low: 0 };
    await runner.act({
      action: 'DOWNLOAD_MARKETPLACE',
      by,
      host: 'stream',
      method: 'POST',
      path: `/marketplace/${item.id}/download/csv?compression=store`,
      body: { parameters },
      record: (answer) => ({
        target: item.id,
        queryId: queryIdOf(answer),
        metadata: {
          ...{ sql, parameters, item_id: item.id, version: 1, format: 'csv', compression: 'store', queries },
          tables_read: ['shop.main.items'],
        },
        outcome: {
          state: 'FINISHED',
          rows: 3,
          bytes: answer.bytes.length,
          sha256: sha256Of(answer.bytes),
          limited: false,
          duration_ms: expect.any(Number),
          error: null,
        },
      }),
    });
  },
  CREATE_MARKETPLACE_ITEM: itemOf,
  async UPDATE_MARKETPLACE_ITEM(runner) {
    const item = await itemOf(runner);
    await runner.act({
      action: 'UPDATE_MARKETPLACE_ITEM',
      by: item.owner,
      host: 'stream',
      method: 'PUT',
      path: `/marketplace/${item.id}`,
      body: contentOf(item.datamapId, 'All items'),
      record: () => ({
        target: item.id,
        metadata: { before: presentItem(item, 1), after: presentItem(item, 2, 'All items') },
      }),
    });
  },
  async DELETE_MARKETPLACE_ITEM(runner) {
    const item = await itemOf(runner);
    await runner.act({
      action: 'DELETE_MARKETPLACE_ITEM',
      by: item.owner,
      host: 'stream',
      method: 'DELETE',
      path: `/marketplace/${item.id}`,
      status: 204,
      record: () => ({ target: item.id, metadata: { before: presentItem(item, 1), after: null } }),
    });
  },
  GRANT_MARKETPLACE_ITEM: async (runner) => await grantTo(runner, await itemOf(runner), runner.hosts.ann.email),
  REQUEST_ACCESS: async (runner) => await requestFor(runner, await itemOf(runner)),
  APPROVE_ACCESS: (runner) =>
    decide(runner, 'APPROVE_ACCESS', { step: 'approve', body: { expires_ts: 4_102_444_800_000 } }),
  REFUSE_ACCESS: (runner) => decide(runner, 'REFUSE_ACCESS', { step: 'refuse', body: { note: 'Not yours' } }),
  async READ_MARKETPLACE(runner) {
    const item = await itemOf(runner);
    const { id, owner: by } = item;
    const path = `/marketplace/${id}`;
    const find = { q: 'shop', from: 0, size: 5 };
    const stream = { by, host: 'stream' } as const;
    const list = '/marketplace?q=shop&from=0&size=5';
    await read(runner, { ...stream, path: list, target: 'marketplace', metadata: find });
    const filters = { tag: 'shop', domain: 'none', owner: by.name, datamap: 'none' };
    const filtered = `${list}&tag=shop&domain=none&owner=${encodeURIComponent(by.name)}&datamap=none&facets=true`;
    await read(runner, { ...stream, path: filtered, target: 'marketplace', metadata: { ...find, ...filters } });
    const requests = { scope: 'inbox', state: 'PENDING', from: 0, size: 5 };
    const requestsPath = '/access-requests?scope=inbox&state=PENDING&from=0&size=5';
    await read(runner, { ...stream, path: requestsPath, target: 'access-requests', metadata: requests });
    await read(runner, { ...stream, path, target: id, metadata: { version: 1 } });
    await read(runner, { ...stream, path: `${path}/grants`, target: id, metadata: { item: id } });
    await read(runner, { ...stream, path: `${path}/access-requests`, target: id, metadata: { requests: 'all' } });
    await readGrants(runner, item);
  },
};
