import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@sluice/contract';
import { buildCaller, createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { endOf, newQuery } from '../../testing/stored-queries.ts';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createResourceDatabase, type ResourceDatabase } from '../resources/resource-database.ts';
import { createHostStore } from './host-store.ts';
import type { StoredShare } from './kept-result-repository.ts';
import { createKeptResultStore, type KeptResultStore } from './kept-result-store.ts';
import { createQueryStore } from './query-store.ts';

const SQL = 'SELECT $low AS a';

let test: TestDatabase;
let owner: Database;
let stream: Database;
let resources: ResourceDatabase;
let kept: KeptResultStore;
let tenantIds: readonly [string, string];
const hostId = randomUUID();
const [ann, bob, client] = [randomUUID(), randomUUID(), randomUUID()];

/** Runs a statement as the owner of the schema, whom row-level security does not bind. */
const asOwner = (text: string, values: readonly unknown[] = []) =>
  owner.withoutTenant((transaction) => transaction.query(text, values));

beforeAll(async () => {
  test = await createTestDatabase();
  await using api = createDatabase({ url: test.apiUrl });
  const tenants = createTenantStore(api);
  tenantIds = [(await tenants.create({ name: 'acme' })).id, (await tenants.create({ name: 'globex' })).id];
  owner = createDatabase({ url: test.ownerUrl });
  stream = createDatabase({ url: test.streamUrl });
  resources = createResourceDatabase(stream);
  kept = createKeptResultStore(stream);
  await createHostStore(stream).register({ id: hostId, service: 'stream' });
  for (const tenantId of tenantIds) {
    await asOwner(`insert into roles (tenant_id, name) values ($1, 'finance'), ($1, 'sales') on conflict do nothing`, [
      tenantId,
    ]);
    await asOwner(
      `insert into users (tenant_id, id, email, roles)
       values ($1, $2, 'ann@acme.example', '{sales}'), ($1, $3, 'bob@acme.example', '{finance}')`,
      [tenantId, ann, bob],
    );
    await asOwner(`insert into clients (tenant_id, id, client_id) values ($1, $2, 'report')`, [tenantId, client]);
  }
}, 120_000);
afterAll(async () => {
  await stream[Symbol.asyncDispose]();
  await owner[Symbol.asyncDispose]();
  await test.dispose();
});

/** Keeps the result of a complete query of Ann. */
async function keep(
  tenantId = tenantIds[0],
  reported: { readonly record?: object; readonly outcome?: Readonly<Record<string, unknown>> } = {},
): Promise<{ readonly tenantId: string; readonly queryId: string }> {
  const metadata = { format: 'sse', parameters: { low: 1 }, ...reported.record };
  const query = newQuery({ tenantId, accountId: ann, sql: SQL, metadata });
  const { queryId } = query;
  const tenantBytesMax = 1_000_000;
  const result = { tenantId, queryId, accountKind: 'user', accountId: ann, hostId, keepMs: 3_600_000 } as const;
  await kept.begin({ ...result, wrappedKey: randomBytes(60), requestKey: randomBytes(32), tenantBytesMax });
  await kept.finish({ tenantId, queryId, rows: 7, bytes: 100, sha256: 'ab', tenantBytesMax });
  const queries = createQueryStore(stream);
  await queries.begin(query);
  await queries.finish(endOf(query, { metadata: reported.outcome }));
  return { tenantId, queryId };
}

const callerOf = (tenantId: string): Caller => {
  const caller = buildCaller(ann);
  return { ...caller, principal: { ...caller.principal, tenant: { ...caller.principal.tenant, id: tenantId } } };
};

/** Replaces the shares of a result. Returns the entries that are unknown. */
const share = ({ tenantId, queryId }: { tenantId: string; queryId: string }, shares: readonly StoredShare[]) =>
  resources.read(callerOf(tenantId), async (tx) => {
    await tx.grants.lockGranteesShared();
    return await tx.keptResults.replaceShares(queryId, shares);
  });

const ANN = { kind: 'user', id: ann } as const;
const BOB = { kind: 'user', id: bob } as const;
const REPORT = { kind: 'client', id: client } as const;

describe('a share', () => {
  it.each<readonly [string, StoredShare, typeof BOB | typeof REPORT]>([
    ['user', { kind: 'user', name: 'bob@acme.example' }, BOB],
    ['role', { kind: 'role', name: 'finance' }, BOB],
    ['client', { kind: 'client', name: 'report' }, REPORT],
  ])('with a %s lets this account find the result with its statement, in its own tenant', async (_kind, to, viewer) => {
    const result = await keep();
    expect(await kept.findViewable(result, viewer)).toBeUndefined();
    expect(await share(result, [to])).toEqual([]);
    expect(await kept.findViewable(result, viewer)).toMatchObject({
      isOwn: false,
      rows: 7,
      ranBy: 'ann@example.com',
      statement: { sql: SQL, parameters: { low: 1 } },
    });
    expect(await kept.findViewable({ ...result, tenantId: tenantIds[1] }, viewer)).toBeUndefined();
    for (const other of [BOB, REPORT]) {
      const found = await kept.findViewable(result, other);
      expect([other, found !== undefined]).toEqual([other, other === viewer]);
    }
    expect(await kept.listShares(result)).toEqual([to]);
    await share(result, []);
    expect(await kept.findViewable(result, viewer)).toBeUndefined();
  });

  it('is not needed by the account that ran the query, which gets the statement if it is requested', async () => {
    const result = await keep();
    expect(await kept.findViewable(result, ANN)).toMatchObject({ isOwn: true, statement: undefined });
    expect(await kept.findViewable(result, ANN, { withStatement: true })).toMatchObject({ statement: { sql: SQL } });
    // A service account with the id of the user is another account.
    expect(await kept.findViewable(result, { kind: 'client', id: ann })).toBeUndefined();
  });

  it('comes with the tables that the query read, from its record, or from its outcome where that names them', async () => {
    const tables = { tables_read: ['shop.main.items'], tables_read_limited: true };
    const recorded = await keep(tenantIds[0], { record: tables });
    expect(await kept.findViewable(recorded, ANN)).toMatchObject({ tablesRead: tables });
    const inOutcome = await keep(tenantIds[0], { outcome: { tables_read: null } });
    expect(await kept.findViewable(inOutcome, ANN)).toMatchObject({ tablesRead: { tables_read: null } });
    expect(await kept.findViewable(await keep(), ANN)).toMatchObject({ tablesRead: {} });
  });

  it('ends with the role of the account, and while the account is disabled', async () => {
    const result = await keep();
    await share(result, [{ kind: 'role', name: 'finance' }]);
    await asOwner(`update users set roles = '{sales}' where id = $1`, [bob]);
    expect(await kept.findViewable(result, BOB)).toBeUndefined();
    await asOwner(`update users set roles = '{finance}', disabled = true where id = $1`, [bob]);
    expect(await kept.findViewable(result, BOB)).toBeUndefined();
    await asOwner('update users set disabled = false where id = $1', [bob]);
    expect(await kept.findViewable(result, BOB)).toBeDefined();
  });

  it('ends with its role or account, and is not inherited by a later one of the same name', async () => {
    const result = await keep();
    const [tenantId] = tenantIds;
    await asOwner(`insert into roles (tenant_id, name) values ($1, 'guests')`, [tenantId]);
    const guest = randomUUID();
    const addGuest = (id: string) =>
      asOwner(`insert into users (tenant_id, id, email, roles) values ($1, $2, 'guest@acme.example', '{guests}')`, [
        tenantId,
        id,
      ]);
    await addGuest(guest);
    const shares: readonly StoredShare[] = [
      { kind: 'role', name: 'guests' },
      { kind: 'user', name: 'guest@acme.example' },
    ];
    expect(await share(result, shares)).toEqual([]);
    await asOwner('delete from users where id = $1', [guest]);
    await asOwner(`delete from roles where tenant_id = $1 and name = 'guests'`, [tenantId]);
    const later = randomUUID();
    await asOwner(`insert into roles (tenant_id, name) values ($1, 'guests')`, [tenantId]);
    await addGuest(later);
    expect(await kept.findViewable(result, { kind: 'user', id: later })).toBeUndefined();
    expect(await kept.listShares(result)).toEqual([]);
  });

  it('with an unknown or disabled account changes nothing, and is returned', async () => {
    const result = await keep();
    const before: readonly StoredShare[] = [{ kind: 'role', name: 'sales' }];
    await share(result, before);
    await asOwner(`update clients set disabled = true where client_id = 'report'`);
    const unknown: readonly StoredShare[] = [
      { kind: 'user', name: 'nobody@acme.example' },
      { kind: 'client', name: 'report' },
      { kind: 'role', name: 'Finance' },
      { kind: 'client', name: 'bob@acme.example' },
    ];
    expect(await share(result, [{ kind: 'role', name: 'finance' }, ...unknown])).toEqual(unknown);
    await asOwner(`update clients set disabled = false where client_id = 'report'`);
    expect(await kept.listShares(result)).toEqual(before);
  });

  it('of one tenant is invisible to others, and goes with the record of its result', async () => {
    const [own, other] = [await keep(), await keep(tenantIds[1])];
    for (const result of [own, other]) await share(result, [{ kind: 'role', name: 'finance' }]);
    expect(await kept.listShares({ ...own, tenantId: tenantIds[1] })).toEqual([]);
    const count = async () => (await asOwner('select 1 from result_shares where query_id = $1', [own.queryId])).length;
    expect(await count()).toBe(1);
    await kept.remove(own);
    await kept.forget(own);
    expect(await count()).toBe(0);
    expect(await kept.listShares(other)).toHaveLength(1);
  });
});

describe('an own result', () => {
  const lockOwn = (
    result: { tenantId: string; queryId: string },
    accountId: string,
    kind: 'user' | 'client' = 'user',
  ) =>
    resources.read(callerOf(result.tenantId), (tx) =>
      tx.keptResults.lockOwn({ queryId: result.queryId, accountKind: kind, accountId }),
    );

  it('is locked for its own account only, while it can be read', async () => {
    const result = await keep();
    await share(result, [{ kind: 'user', name: 'bob@acme.example' }]);
    expect(await lockOwn(result, ann)).toBe(true);
    expect(await lockOwn(result, bob)).toBe(false);
    expect(await lockOwn(result, ann, 'client')).toBe(false);
    expect(await lockOwn({ ...result, tenantId: tenantIds[1] }, ann)).toBe(false);
    expect(await lockOwn({ ...result, queryId: 'no uuid' }, ann)).toBe(false);
    await resources.read(callerOf(result.tenantId), (tx) => tx.keptResults.remove(result.queryId));
    expect(await lockOwn(result, ann)).toBe(false);
    expect(await kept.findViewable(result, ANN)).toBeUndefined();
  });
});
