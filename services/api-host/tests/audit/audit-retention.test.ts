import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyIdOf, trustedKeys } from '@sluice/audit';
import { openAuditVerification } from '@sluice/store/audit';
import { send } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { postJson } from '@sluice/testkit/requests';
import pg from 'pg';
import { runAuditCommand } from '../../src/commands/run-audit-command.ts';
import { runTenantCommand } from '../../src/commands/run-tenant-command.ts';
import { startApiHost } from '../../src/index.ts';
import { verifyAuditLog } from '../../src/use-cases/audit/verify-audit-log.ts';
import { type AuditReader, auditReader, SEALER_LOCK, writeRecords } from './audit-readers.ts';
import { createOldLog } from './old-log.ts';

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY);

let test: TestHost;
let reader: AuditReader;
let folder: string;

const masterKey = randomBytes(32);

/** Creates the partitions of a past month. Rows of a month without partitions are in the default ones, and are deleted instead. */
async function createMonth(log: Pick<TestHost, 'rows'>, at: Date): Promise<void> {
  const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  const next = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
  const name = first.toISOString().slice(0, 7).replace('-', '_');
  for (const table of ['audit_log', 'audit_chain'])
    await log.rows(
      `create table ${table}_${name} partition of ${table} for values from ('${first.toISOString()}') to ('${next.toISOString()}')`,
    );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-audit-'));
  const settings = { AUDIT_RETENTION: '100d', SLUICE_MASTER_KEY: masterKey.toString('base64') };
  const oldLog = await createOldLog({
    masterKey,
    sealedMs: ago(40).getTime(),
    async write(log) {
      await createMonth(log, ago(300));
      await writeRecords(log, 30, { from: ago(300) });
      await writeRecords(log, 30, { from: ago(50) });
    },
  });
  test = await startTestHost(settings, {}, oldLog);
  reader = await auditReader(test);
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const commandEnvironment = () => ({
  DATABASE_URL: test.testDatabase.apiUrl,
  DATABASE_OWNER_URL: test.testDatabase.ownerUrl,
  SLUICE_MASTER_KEY: test.environment['SLUICE_MASTER_KEY'] ?? '',
  AUDIT_RETENTION: '100d',
});

/** Output of a command and its exit code. */
const run = async (...argv: string[]): Promise<{ code: number; said: string }> => {
  const said: string[] = [];
  const code = await runAuditCommand({ argv, environment: commandEnvironment(), say: (line) => said.push(line) });
  return { code, said: said.join('\n') };
};

/** Tables of the index by the tables that were read, with their times. */
const READS_TABLES = new Map([
  ['audit_reads', 'occurred'],
  ['audit_read_names', 'first_read'],
  ['audit_read_counts', 'hour'],
]);

/** Writes a record of a statement that read a table. */
const writeReader = (at: Date) =>
  test.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select id, gen_random_uuid(), $1, 'reader@example.com', 'RUN_QUERY', 'q', '{"tables_read": ["demo.vega.flights"]}'
     from tenants where name = 'acme'`,
    [at],
  );

const hasOld = async (table: string): Promise<boolean> => {
  const old = `select 1 from ${table} where ${READS_TABLES.get(table)} < now() - interval '200 days' limit 1`;
  return (await test.rows(old)).length > 0;
};

const removeAcme = async (): Promise<string> => {
  const said: string[] = [];
  const argv = ['remove', 'acme', '--without-export'];
  await runTenantCommand({ argv, environment: commandEnvironment(), say: (line) => said.push(line) });
  return said.join('\n');
};
const exported = (): Promise<string> =>
  postJson(`${test.url}/audits/logs/export`, {}, reader.headers).then(({ text }) => text);
const totalSince = async (days: number): Promise<number> =>
  (await reader.search({ start: ago(days).getTime(), advance_options: { user_name: 'user1@example.com' } })).body.total;

describe('retention', () => {
  it("hides records older than the tenant's retention immediately, and keeps newer ones", async () => {
    expect(await totalSince(400)).toBe(10);
    expect(await exported()).not.toContain(`"timestamp":${String(ago(300).getTime()).slice(0, 5)}`);
    expect((await run('retain', '--tenant', 'acme', '--keep', '10d')).said).toBe('Records of acme are shown for 10d.');
    expect(await totalSince(400)).toBe(0);
    await run('retain', '--tenant', 'acme', '--keep', 'default');
    expect(await totalSince(400)).toBe(10);
    await expect(run('retain', '--tenant', 'acme', '--keep', '1h')).rejects.toThrow('--keep');
    await expect(run('retain', '--tenant', 'nobody', '--keep', '10d')).rejects.toThrow('There is no tenant nobody.');
  });

  it('waits while the log is verified, which sees every record of its snapshot', async () => {
    await using log = await openAuditVerification(test.testDatabase.apiUrl);
    await expect(run('retain')).rejects.toMatchObject({ code: 'service_unavailable' });
    const keys = trustedKeys((await log.keys()).map(({ publicKey }) => publicKey));
    for await (const { finding } of verifyAuditLog({ log, keys, saved: new Map() })) expect(finding).toBeUndefined();
  });

  it('drops a month that no tenant retains and in which no running query began, signed, and the rest still verifies', async () => {
    expect(await run('verify')).toMatchObject({ code: 0 });
    await run('retain', '--tenant', 'globex', '--keep', '400d');
    expect((await run('retain')).said).toBe('No month is old enough.');
    await run('retain', '--tenant', 'globex', '--keep', 'default');
    await test.rows(
      `insert into queries (tenant_id, query_id, account_kind, account_id, user_name, host_id, sql, state, started, audit_id)
       select tenant_id, gen_random_uuid(), 'user', gen_random_uuid(), user_name, gen_random_uuid(), '', 'RUNNING', occurred, id
       from audit_log where occurred < now() - interval '200 days' limit 1`,
    );
    expect((await run('retain')).said).toBe('No month is old enough.');
    await test.rows('delete from queries where ended is null');
    expect((await run('retain')).said).toMatch(/^Dropped: \d{4}-\d\d(, \d{4}-\d\d)?\.$/);
    expect(await test.rows(`select 1 from audit_log where occurred < now() - interval '200 days'`)).toEqual([]);
    expect(await test.rows(`select 1 from audit_chain where occurred < now() - interval '200 days'`)).toEqual([]);
    expect(await run('verify')).toMatchObject({ code: 0 });
    expect(await totalSince(400)).toBe(10);
    await reader.search({});
    await exported();
    expect(await run('verify')).toMatchObject({ code: 0 });
  });

  it('is applied by a host on schedule, signed, also to the index of tables that were read', async () => {
    await writeRecords(test, 30, { from: ago(300) });
    for (const days of [300, 0]) await writeReader(ago(days));
    await exported();
    for (const table of READS_TABLES.keys()) expect([table, await hasOld(table)]).toEqual([table, true]);
    const isThere = () => test.rows(`select 1 from audit_log where occurred < now() - interval '200 days' limit 1`);
    expect(await isThere()).toHaveLength(1);
    const other = await startApiHost({ environment: test.environment });
    try {
      while ((await isThere()).length > 0) await wait(50);
    } finally {
      await other[Symbol.asyncDispose]();
    }
    const [signed] = await test.rows<{ payload: string }>(
      `select payload from audit_checkpoints where payload like '%"dropped"%' order by issued desc limit 1`,
    );
    expect(JSON.parse(signed?.payload ?? '')).toMatchObject({ kind: 'retention', tenant_id: test.acme.tenantId });
    expect(await run('verify')).toMatchObject({ code: 0 });
    for (const table of READS_TABLES.keys()) expect([table, await hasOld(table)]).toEqual([table, false]);
    const { body } = await reader.search({ advance_options: { reads: 'demo.vega.flights' } });
    expect(body).toMatchObject({ total: 1, reads_since: body.data[0].timestamp });
  });

  it('rejects the return of dropped records, and an unsigned drop', async () => {
    const superuser = new pg.Client({ connectionString: test.testDatabase.superuserUrl });
    await superuser.connect();
    const [first] = await test.rows<{ n: string }>('select min(sequence) as n from audit_chain');
    await superuser.query('delete from audit_log l using audit_chain c where c.sequence = $1 and l.id = c.record_id', [
      first?.n,
    ]);
    const gone = await superuser.query('delete from audit_chain where sequence = $1 returning *', [first?.n]);
    await superuser.end();
    expect(gone.rowCount).toBeGreaterThan(0);
    const { code, said } = await run('verify');
    expect(code).toBe(1);
    expect(said).toContain(`missing: record ${first?.n}.`);
  });
});

describe('the role of a host', () => {
  const first = (daysAgo: number) => `${ago(daysAgo).toISOString().slice(0, 7)}-01`;
  const asHost = async (...statements: string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: test.testDatabase.apiUrl });
    await client.connect();
    try {
      await client.query(`begin; select set_config('sluice.tenant_id', '*', true)`);
      for (const statement of statements) await client.query(statement);
      await client.query('commit');
    } finally {
      await client.end();
    }
  };
  const drop = (daysAgo: number) => `select drop_audit_month('${first(daysAgo)}')`;
  /** An outcome, the only row that a transaction across tenants may add. */
  const record = (daysAgo: number) => `
    insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target)
    select id, gen_random_uuid(), gen_random_uuid(), '${first(daysAgo)}', 'late@example.com', 'RUN_QUERY', ''
    from tenants where name = 'globex'`;
  const claim = (kind: string, dropped: object[]) => `
    insert into audit_checkpoints (tenant_id, number, sequence, payload, key_id, signature)
    select c.tenant_id, max(number) + 1, max(sequence), '${JSON.stringify({ kind, dropped })}', 'none', ''
    from audit_checkpoints c join tenants t on t.id = c.tenant_id where t.name = 'globex' group by 1`;
  const place = (daysAgo: number) => `
    insert into audit_chain (tenant_id, sequence, occurred, record_id, hash)
    select tenant_id, 1000000, occurred, id, '' from audit_log where user_name = 'late@example.com' and occurred = '${first(daysAgo)}'`;

  it("drops no retained month, whatever the host's settings, and no partial month", async () => {
    await expect(asHost(drop(60))).rejects.toThrow('kept still');
    await expect(asHost(drop(0))).rejects.toThrow('kept still');
    await expect(asHost('update audit_retention set kept_ms = 1')).rejects.toThrow('permission denied');
  });

  it('drops nothing that is unsealed or missing from the newest checkpoint', async () => {
    await expect(asHost(record(300), drop(300))).rejects.toThrow('not sealed');
    const sealed = [record(300), place(300)];
    await expect(asHost(...sealed, drop(300))).rejects.toThrow('do not report');
    const wrong: [string, object[]][] = [
      ['checkpoint', [{ from: 1_000_000, to: 1_000_000 }]],
      ['retention', []],
      ['retention', [{ from: 1_000_001, to: 1_000_001 }]],
      ['retention', [{ from: 999_999, to: 1_000_000 }]],
    ];
    for (const [kind, dropped] of wrong) {
      await expect(asHost(...sealed, claim(kind, dropped), drop(300))).rejects.toThrow('do not report');
    }
    expect(await test.rows(`select 1 from audit_log where user_name = 'late@example.com'`)).toEqual([]);
  });

  it('is allowed for the API host only', async () => {
    const client = new pg.Client({ connectionString: test.testDatabase.streamUrl });
    await client.connect();
    try {
      await expect(client.query(drop(300))).rejects.toThrow('permission denied');
    } finally {
      await client.end();
    }
  });
});

describe('the verify command', () => {
  it('compares the log with checkpoints kept elsewhere, and trusts only the given keys', async () => {
    const { tenantId } = test.globex;
    const otherTenantAdmin = await auditReader(test, { tenantName: 'globex' });
    await postJson(`${test.url}/audits/logs/export`, {}, otherTenantAdmin.headers);
    const { text, body } = await send(`${test.url}/audits/checkpoints`, { headers: otherTenantAdmin.headers });
    const kept = join(folder, 'checkpoints.json');
    await writeFile(kept, text);
    expect((await run('verify', '--checkpoints', kept)).said).toMatch(new RegExp(`${tenantId}: .* are verified`));
    // In one transaction, without the sealer: it would give a record that is not sealed yet a new first checkpoint.
    const tables = ['audit_log', 'audit_chain', 'audit_checkpoints'];
    await test.rows(`do $$ begin
      perform pg_advisory_xact_lock(${SEALER_LOCK});
      ${tables.map((table) => `delete from ${table} where tenant_id = '${tenantId}';`).join(' ')}
    end $$`);
    expect((await run('verify', '--checkpoints', kept)).said).toContain(`${tenantId}: missing: checkpoint 1.`);
    const publicKey = Buffer.from(body.keys[0].public_key, 'base64');
    expect(body.keys[0].key_id).toBe(keyIdOf(publicKey));
    const argv = ['verify', '--checkpoints', kept];
    const environment = {
      DATABASE_URL: test.testDatabase.apiUrl,
      AUDIT_PUBLIC_KEYS: Buffer.alloc(32, 9).toString('base64'),
    };
    const said: string[] = [];
    expect(await runAuditCommand({ argv, environment, say: (line) => said.push(line) })).toBe(1);
    expect(said.join('\n')).toContain('It is not signed by a trusted key.');
  });

  it('verifies an export by itself, and reports the first finding', async () => {
    const { body } = await send(`${test.url}/audits/checkpoints`, { headers: reader.headers });
    const environment = { AUDIT_PUBLIC_KEYS: body.keys[0].public_key };
    const file = join(folder, 'audit.ndjson');
    const text = await exported();
    const verdict = async (content: string): Promise<string> => {
      await writeFile(file, content);
      const said: string[] = [];
      await runAuditCommand({ argv: ['verify', '--export', file], environment, say: (line) => said.push(line) });
      return said.join('\n');
    };
    expect(await verdict(text)).toContain('are verified');
    expect(await verdict(text.replace('user1@', 'user2@'))).toContain('altered: record');
  });

  it('shows its help, and rejects words that it does not know', async () => {
    expect((await run('--help')).said).toContain('retain [options]');
    expect((await run('verify', '--help')).said).toContain('--checkpoints <FILE>');
    await expect(run()).rejects.toThrow('`audit` needs the name of a command. See `audit --help`.');
    await expect(run('verify', '--export', 'a', '--package', 'b')).rejects.toThrow(
      'Give either --export or --package.',
    );
    await expect(run('retain', '--tenant', 'acme')).rejects.toThrow('Give --tenant and --keep together, or neither.');
    await expect(run('remove-tenant', '--tenant', 'acme')).rejects.toThrow("Unknown command 'remove-tenant'");
  });
});

describe('an off-boarded tenant', () => {
  it('has no records left, and leaves a signed tombstone', async () => {
    expect(await removeAcme()).toContain('Removed acme.');
    const { tenantId } = test.acme;
    const tables = ['audit_log', 'audit_chain', 'audit_counts', ...READS_TABLES.keys(), 'users', 'sessions', 'queries'];
    for (const table of tables) {
      expect(await test.rows(`select 1 from ${table} where tenant_id = $1`, [tenantId])).toEqual([]);
    }
    const [last] = await test.rows<{ payload: string }>(
      'select payload from audit_checkpoints where tenant_id = $1 order by number desc limit 1',
      [tenantId],
    );
    expect(JSON.parse(last?.payload ?? '')).toMatchObject({ kind: 'tombstone', tenant_id: tenantId });
    expect((await run('verify')).said).toMatch(new RegExp(`${tenantId}: 0 records and \\d+ checkpoints are verified`));
    await expect(removeAcme()).rejects.toThrow('There is no tenant acme.');
  });
});
