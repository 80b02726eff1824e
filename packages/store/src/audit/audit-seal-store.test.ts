import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuditSigner, createClassifyCheckpoint, readCheckpoint, sealRows } from '@sluice/audit';
import { createDatabaseProxy, createTestDatabase, type DatabaseProxy, type TestDatabase, until } from '@sluice/testkit';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { inTransaction, withConnection } from './audit-connection.ts';
import { SEALER_LOCK } from './audit-seal-statements.ts';
import { type AuditSealStore, createAuditSealStore, type Sealer } from './audit-seal-store.ts';

const BATCH = 200;
const signer = createAuditSigner(Buffer.alloc(32, 7));
const sealer: Sealer = {
  classify: createClassifyCheckpoint(signer),
  seal: (tenantId, rows, head, pass) => {
    const hash = Buffer.from(readCheckpoint(head?.payload ?? '')?.hash ?? '', 'hex');
    const { links, checkpoint } = sealRows(rows, head && { ...head, hash }, {
      tenantId,
      signer,
      now: Date.now(),
      pass,
    });
    return { tenantId, links, checkpoint };
  },
};

let test: TestDatabase;
let database: Database;
let store: AuditSealStore;
let tenantId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  database = createDatabase({ url: test.apiUrl, poolMax: 3 });
  store = createAuditSealStore(database);
  tenantId = (await createTenantStore(database).create({ name: 'acme' })).id;
}, 120_000);
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await test.dispose();
});

const ADD = `
  insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
  select $1, gen_random_uuid(), clock_timestamp(), 'ann@example.com', 'LOGIN', '', '{}' from generate_series(1, $2::int)`;

const add = (count: number) =>
  database.withTenant(tenantId, (transaction) => transaction.query(ADD, [tenantId, count]));

const seal = async (): Promise<{ rows: number; hasMore: boolean }> => {
  const outcome = await store.sealBatch(sealer);
  if (outcome.kind === 'busy') throw new Error('the sealer is locked');
  return { rows: outcome.rows, hasMore: outcome.hasMore };
};

beforeEach(async () => {
  while ((await seal()).rows > 0);
  while ((await seal()).hasMore);
});

it('finds the records of a snapshot that no pass has sealed', async () => {
  const before = await store.currentSnapshot();
  await add(3);
  const after = await store.currentSnapshot();
  expect([await store.hasUnsealed(before), await store.hasUnsealed(after)]).toEqual([false, true]);
  await seal();
  expect(await store.hasUnsealed(after)).toBe(false);
});

it('finds a record that was committed during a backlog, after the pass that finds nothing more of it', async () => {
  await add(BATCH);
  expect(await seal()).toEqual({ rows: BATCH, hasMore: true });
  await add(1);
  const snapshot = await store.currentSnapshot();
  expect(await seal()).toEqual({ rows: 0, hasMore: false });
  expect(await store.hasUnsealed(snapshot)).toBe(true);
  expect(await seal()).toEqual({ rows: 1, hasMore: false });
  expect(await store.hasUnsealed(snapshot)).toBe(false);
});

it.each([0, BATCH])('finds a record whose transaction was open when a pass sealed %d later ones', async (backlog) => {
  let snapshotWhileOpen = '';
  await database.withTenant(tenantId, async (transaction) => {
    await transaction.query(ADD, [tenantId, 1]);
    await add(backlog + 1);
    await seal();
    snapshotWhileOpen = await store.currentSnapshot();
  });
  const snapshot = await store.currentSnapshot();
  expect(await store.hasUnsealed(snapshot)).toBe(true);
  while (await store.hasUnsealed(snapshotWhileOpen)) await seal();
  while (await store.hasUnsealed(snapshot)) await seal();
  const sealed = await database.withTenant(tenantId, (transaction) =>
    transaction.query(`select from audit_log l where not exists (select from audit_chain c where c.record_id = l.id)`),
  );
  expect(sealed).toEqual([]);
});

describe('a process that is lost while it holds the lock of the sealer', () => {
  let proxy: DatabaseProxy;
  beforeAll(async () => {
    proxy = await createDatabaseProxy(test.apiUrl);
  });
  afterAll(async () => await proxy[Symbol.asyncDispose]());

  const HOLDERS = `select from pg_locks where locktype = 'advisory' and objid = ${SEALER_LOCK} and granted`;

  /** Work in a transaction with the lock, through the proxy. */
  const processes = {
    'a sealing host': async () => {
      await using lost = createDatabase({ url: proxy.url, queryTimeoutMs: 1000 });
      await createAuditSealStore(lost).sealBatch(sealer);
    },
    'a removal of records': () =>
      withConnection(proxy.url, (client) =>
        inTransaction(client, () => client.query('select pg_try_advisory_xact_lock($1)', [SEALER_LOCK])),
      ),
  };

  it.each(Object.entries(processes))('delays other hosts by seconds only: %s', async (_name, work) => {
    proxy.freezeAfter('pg_try_advisory_xact_lock');
    const lost = work().catch(() => undefined);
    const holders = () => database.withoutTenant((transaction) => transaction.query(HOLDERS));
    await until(async () => ((await holders()).length > 0 ? true : undefined), {
      what: 'the lock of the lost process',
    });
    await until(async () => ((await store.sealBatch(sealer)).kind === 'sealed' ? true : undefined), {
      what: 'the end of the lost transaction',
      withinMs: 30_000,
    });
    proxy.restore();
    await lost;
  });
});
