import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditAction } from '@sluice/contract';
import { buildCaller, createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { type Actor, createResourceDatabase, type ResourceDatabase } from './resource-database.ts';

let test: TestDatabase;
let database: Database;
let resources: ResourceDatabase;
let actor: Actor;

beforeAll(async () => {
  test = await createTestDatabase();
  database = createDatabase({ url: test.apiUrl, poolMax: 4 });
  resources = createResourceDatabase(database);
  const { id: tenantId } = await createTenantStore(database).create({ name: 'acme' });
  actor = { tenantId, name: 'ann', auditOf: (act) => ({ tenantId, user: 'ann', ...act }) };
}, 120_000);
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await test.dispose();
});

const content = (name: string) => ({ name, description: null });
const find = (name: string) => resources.read(actor, ({ domains }) => domains.findByName(name));
const recordsOf = (target: string) =>
  database.withTenant(actor.tenantId, (transaction) =>
    transaction.query('select action, user_name, metadata from audit_log where target = $1', [target]),
  );

describe('a change', () => {
  it('is stored with its record, in the name of its actor', async () => {
    const made = await resources.change(actor, async (tx) => {
      const domain = await tx.domains.insert(content('kept'), tx.by);
      await tx.record('CREATE_DOMAIN', 'kept', { before: null });
      return domain;
    });
    expect([made?.name, made?.updated_by, (await find('kept'))?.id]).toEqual(['kept', 'ann', made?.id]);
    expect(await recordsOf('kept')).toEqual([
      { action: 'CREATE_DOMAIN', user_name: 'ann', metadata: { before: null } },
    ]);
  });

  it('is rolled back if nothing was recorded', async () => {
    const change = resources.change(actor, (tx) => tx.domains.insert(content('unrecorded'), tx.by));
    await expect(change).rejects.toThrow('a change has no audit record');
    expect(await find('unrecorded')).toBeUndefined();
  });

  it('needs no record if its work says so', async () => {
    await resources.change(actor, async (tx) => tx.skipRecord());
  });

  it('is rolled back, with audit_unavailable, if its record is rejected', async () => {
    const change = resources.change(actor, async (tx) => {
      await tx.domains.insert(content('rejected'), tx.by);
      await tx.record(null as unknown as AuditAction, 'rejected');
    });
    await expect(change).rejects.toMatchObject({ code: 'audit_unavailable' });
    expect(await find('rejected')).toBeUndefined();
  });

  it('of a caller is recorded with the fields of the request', async () => {
    const { principal, ...request } = buildCaller('bob', ['admin']);
    const caller = { ...request, principal: { ...principal, tenant: { ...principal.tenant, id: actor.tenantId } } };
    await resources.change(caller, (tx) => tx.record('UPDATE_DOMAIN', 'by bob'));
    expect(await recordsOf('by bob')).toEqual([{ action: 'UPDATE_DOMAIN', user_name: principal.name, metadata: {} }]);
  });
});

it('a dry run returns its result, and stores nothing', async () => {
  const made = await resources.dryRun(actor, async (tx) => {
    await tx.record('CREATE_DOMAIN', 'tried');
    return await tx.domains.insert(content('tried'), tx.by);
  });
  expect([made?.name, await find('tried'), await recordsOf('tried')]).toEqual(['tried', undefined, []]);
  const failed = resources.dryRun(actor, () => Promise.reject(new TypeError('bug')));
  await expect(failed).rejects.toThrow(new TypeError('bug'));
});
