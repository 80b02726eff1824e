import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { AuditAction } from '@sluice/contract';
import { sha256Of } from '../client/receipts.ts';
import { queryIdOf } from '../client/requests.ts';
import { publishDatamap } from '../marketplace/marketplace-items.ts';
import type { Act, Actor, ScenarioRunner, Scenarios } from './scenario-runner.ts';

const SQL = 'SELECT * FROM items ORDER BY id';

interface MadeItem {
  readonly id: string;
  readonly datamapId: string;
  readonly owner: Actor;
}

const told = ({ datamapId, owner }: Omit<MadeItem, 'id'>, version: number, title = 'Items') => ({
  title,
  description: null,
  tags: ['shop'],
  domains: [],
  owner: owner.name,
  version,
  queries: [{ name: 'all', datamap_id: datamapId }],
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
    record: () => ({ target: id, metadata: { before: null, after: told({ datamapId, owner }, 1) } }),
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
  walk: ScenarioRunner,
  action: AuditAction,
  verdict: { readonly step: string; readonly body: object },
) {
  const item = await itemOf(walk);
  const { by, requestId } = await requestFor(walk, item);
  await walk.act({
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

interface Reading extends Pick<Act, 'host' | 'path'> {
  readonly by: Actor;
  readonly target: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const read = ({ act }: ScenarioRunner, { target, metadata, ...how }: Reading) =>
  act({ action: 'READ_MARKETPLACE', ...how, record: () => ({ target, metadata }) });

/** Lists the grants of all items at the API host. */
async function readGrants(walk: ScenarioRunner, item: MadeItem): Promise<void> {
  const by = await walk.person(['admin']);
  const { email } = walk.hosts.ann;
  await grantTo(walk, item, email);
  for (const [query, subject] of [
    ['role=analyst', { role: 'analyst' }],
    [`user=${email}`, { user: email }],
    ['client=etl', { client: 'etl' }],
  ] as const) {
    const path = `/admin/grants?${query}&item=${item.id}&expired=false&from=0&size=5`;
    const metadata = { ...subject, item: item.id, expired: false, from: 0, size: 5 };
    await read(walk, { by, path, target: 'grants', metadata });
  }
  const metadata = { kind: 'user', name: email };
  await read(walk, { by, path: `/admin/grants/${item.id}/user/${email}`, target: item.id, metadata });
}

export const marketplaceScenarios: Scenarios = {
  async DOWNLOAD_MARKETPLACE(walk) {
    const item = await itemOf(walk);
    const by = await walk.person(['analyst']);
    await grantTo(walk, item, by.name);
    const queries = [{ name: 'all', datamap_id: item.datamapId, sql: SQL }];
    await walk.act({
      action: 'DOWNLOAD_MARKETPLACE',
      by,
      host: 'stream',
      method: 'POST',
      path: `/marketplace/${item.id}/download/csv`,
      record: (answer) => ({
        target: item.id,
        queryId: queryIdOf(answer),
        metadata: { sql: SQL, item_id: item.id, version: 1, format: 'csv', queries },
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
  async UPDATE_MARKETPLACE_ITEM(walk) {
    const item = await itemOf(walk);
    await walk.act({
      action: 'UPDATE_MARKETPLACE_ITEM',
      by: item.owner,
      host: 'stream',
      method: 'PUT',
      path: `/marketplace/${item.id}`,
      body: contentOf(item.datamapId, 'All items'),
      record: () => ({ target: item.id, metadata: { before: told(item, 1), after: told(item, 2, 'All items') } }),
    });
  },
  async DELETE_MARKETPLACE_ITEM(walk) {
    const item = await itemOf(walk);
    await walk.act({
      action: 'DELETE_MARKETPLACE_ITEM',
      by: item.owner,
      host: 'stream',
      method: 'DELETE',
      path: `/marketplace/${item.id}`,
      status: 204,
      record: () => ({ target: item.id, metadata: { before: told(item, 1), after: null } }),
    });
  },
  GRANT_MARKETPLACE_ITEM: async (walk) => await grantTo(walk, await itemOf(walk), walk.hosts.ann.email),
  REQUEST_ACCESS: async (walk) => await requestFor(walk, await itemOf(walk)),
  APPROVE_ACCESS: (walk) =>
    decide(walk, 'APPROVE_ACCESS', { step: 'approve', body: { expires_ts: 4_102_444_800_000 } }),
  REFUSE_ACCESS: (walk) => decide(walk, 'REFUSE_ACCESS', { step: 'refuse', body: { note: 'Not yours' } }),
  async READ_MARKETPLACE(walk) {
    const item = await itemOf(walk);
    const { id, owner: by } = item;
    const path = `/marketplace/${id}`;
    const find = { q: 'shop', from: 0, size: 5 };
    const stream = { by, host: 'stream' } as const;
    const list = '/marketplace?q=shop&from=0&size=5';
    await read(walk, { ...stream, path: list, target: 'marketplace', metadata: find });
    await read(walk, { ...stream, path, target: id, metadata: { version: 1 } });
    await read(walk, { ...stream, path: `${path}/grants`, target: id, metadata: { item: id } });
    await read(walk, { ...stream, path: `${path}/access-requests`, target: id, metadata: { requests: 'all' } });
    await readGrants(walk, item);
  },
};
