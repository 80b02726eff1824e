import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { callerOfTenant, type OpenedCatalogue, openCatalogueOf } from './catalogue-fixture.ts';
import { seedCatalogue, seedWideCatalog } from './seed-catalogue.ts';

let hosts: TestHosts;
let catalogue: OpenedCatalogue;
beforeAll(async () => {
  hosts = await startHosts();
  await seedCatalogue(hosts, hosts.acme);
  catalogue = openCatalogueOf(hosts);
}, 120_000);
afterAll(async () => {
  await catalogue?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});

interface StoredRecord {
  readonly action: string;
  readonly target: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const recordsOf = (user: string): Promise<StoredRecord[]> =>
  hosts.rows<StoredRecord>(
    'select action, target, metadata from audit_log where user_name = $1 order by occurred, id',
    [`${user}@example.com`],
  );

describe('an answer from the mirrored catalog', () => {
  it('is recorded once with its SQL, and equal ones are counted when the host stops', async () => {
    await using own = openCatalogueOf(hosts);
    const caller = callerOfTenant(hosts.acme, 'reader');
    for (const sql of ['SHOW CATALOGS', 'SHOW CATALOGS', 'SHOW CATALOGS', 'SELECT version()'])
      await own.ask(sql, { caller });
    const first = { action: 'READ_CATALOG', target: 'catalog', metadata: { sql: 'SHOW CATALOGS', within_s: 60 } };
    const other = { ...first, metadata: { sql: 'SELECT version()', within_s: 60 } };
    expect(await recordsOf('reader')).toEqual([first, other]);
    await own[Symbol.asyncDispose]();
    const count = { ...first, metadata: { sql: 'SHOW CATALOGS', repeats: 2, since_ts: expect.any(Number) } };
    expect(await recordsOf('reader')).toEqual([first, other, count]);
  });

  it('is of the tenant of its caller', async () => {
    const { rows } = await catalogue.ask('SHOW CATALOGS', { caller: callerOfTenant(hosts.globex) });
    expect(rows).toEqual([['system']]);
  });

  it('needs the permission to read the catalog, and a denial is recorded', async () => {
    const nobody = buildCaller('nobody', ['query:run']);
    const caller = { ...nobody, principal: { ...nobody.principal, tenant: hosts.acme } };
    await expect(catalogue.ask('SHOW CATALOGS', { caller })).rejects.toMatchObject({ code: 'access_denied' });
    expect(await recordsOf('nobody')).toEqual([
      { action: 'ACCESS_DENIED', target: 'catalog', metadata: { permission: 'datamap:read' } },
    ]);
  });

  it('holds no query slot and has no receipt', async () => {
    const before = await hosts.rows('select 1 from queries');
    await catalogue.ask('SHOW SCHEMAS FROM demo', { caller: callerOfTenant(hosts.acme) });
    expect(await hosts.rows('select 1 from queries')).toHaveLength(before.length);
    expect(hosts.stream.context.workers.size).toBe(0);
  });

  it('stops with its caller', async () => {
    const stop = new AbortController();
    const reason = new ProblemError('query_cancelled', 'The query was stopped.');
    stop.abort(reason);
    const asked = catalogue.ask('SHOW CATALOGS', { caller: callerOfTenant(hosts.acme), signal: stop.signal });
    await expect(asked).rejects.toBe(reason);
  });

  it('fails when it is too large', async () => {
    const asked = catalogue.ask(
      `SELECT repeat('x', 1000000) FROM system.jdbc.columns a, system.jdbc.columns b LIMIT 100`,
      { caller: callerOfTenant(hosts.acme) },
    );
    await expect(asked).rejects.toMatchObject({ code: 'resource_limit' });
  });

  it('fails, and is not recorded as complete, while the log cannot be written', async () => {
    const { name } = hosts.testDatabase.streamRole;
    await hosts.rows(`revoke insert on audit_log from ${name}`);
    try {
      const caller = callerOfTenant(hosts.acme, 'unrecorded');
      await expect(catalogue.ask('SHOW CATALOGS', { caller })).rejects.toMatchObject({ code: 'audit_unavailable' });
    } finally {
      await hosts.rows(`grant insert on audit_log to ${name}`);
    }
  });
});

describe('a changed catalog', () => {
  it('is seen within seconds: new tables and descriptions', async () => {
    const caller = callerOfTenant(hosts.globex);
    await seedCatalogue(hosts, hosts.globex);
    const ask = (sql: string) =>
      catalogue.ask(sql, { caller }).then(
        ({ rows }) => rows,
        () => undefined,
      );
    const until = async (sql: string, expected: unknown): Promise<void> => {
      while (JSON.stringify(await ask(sql)) !== JSON.stringify(expected))
        await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await until('SHOW TABLES FROM shop.main', [['items']]);
    await hosts.rows(
      `update facts set description = 'Goods', updated = now() where tenant_id = $1 and fact_id =
      (select fact_id from catalog_tables where tenant_id = $1 and name = 'items')`,
      [hosts.globex.id],
    );
    await until("SELECT remarks FROM system.jdbc.tables WHERE table_name = 'items'", [['Goods']]);
    await hosts.rows(`update catalogs set absent_since = now() where tenant_id = $1 and name = 'demo'`, [
      hosts.globex.id,
    ]);
    await until('SHOW CATALOGS', [['shop'], ['system']]);
  });
});

describe('1,000 tables with 20 columns', () => {
  it('are listed by one statement, in pages of tables', async () => {
    const tenant = await hosts.build.tenant({ name: 'wide' });
    await seedWideCatalog(hosts, tenant, 1_000);
    const caller = callerOfTenant(tenant);
    const { rows } = await catalogue.ask(
      `SELECT * FROM system.jdbc.columns WHERE table_cat = 'wide' ORDER BY table_cat, table_schem, table_name, ordinal_position`,
      { caller },
    );
    expect(rows).toHaveLength(20_000 + 20);
    const counted = await catalogue.ask(
      `SELECT count(*), count(DISTINCT table_name), max(ordinal_position) FROM system.jdbc.columns WHERE table_schem = 'main'`,
      { caller },
    );
    expect(counted.rows).toEqual([[20_000, 1_000, 20]]);
  });
});
