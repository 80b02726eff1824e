import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyIdOf } from '@sluice/audit';
import pg from 'pg';
import { runAuditCommand } from '../src/run-audit-command.ts';
import { type AuditReader, auditReader, writeRecords } from './audit-readers.ts';
import { postJson, send } from './requests.ts';
import { startTestHost, type TestHost } from './start-test-host.ts';

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY);

let test: TestHost;
let reader: AuditReader;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-audit-'));
  test = await startTestHost({ AUDIT_RETENTION: '100d' });
  reader = await auditReader(test);
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** What a command says, and its exit code. */
const run = async (...argv: string[]): Promise<{ code: number; said: string }> => {
  const said: string[] = [];
  const environment = {
    DATABASE_URL: test.testDatabase.apiUrl,
    DATABASE_OWNER_URL: test.testDatabase.ownerUrl,
    SLUICE_MASTER_KEY: test.environment['SLUICE_MASTER_KEY'] ?? '',
    AUDIT_RETENTION: '100d',
  };
  const code = await runAuditCommand({ argv, environment, say: (line) => said.push(line) });
  return { code, said: said.join('\n') };
};
const exported = (): Promise<string> =>
  postJson(`${test.url}/audits/logs/export`, {}, reader.headers).then(({ text }) => text);
const totalSince = async (days: number): Promise<number> =>
  (await reader.search({ start: ago(days).getTime(), advance_options: { user_name: 'user1@example.com' } })).body.total;

describe('retention', () => {
  it('hides at once what is older than the time of the tenant, and keeps what is younger', async () => {
    await writeRecords(test, 30, { from: ago(300) });
    await writeRecords(test, 30, { from: ago(50) });
    expect(await totalSince(400)).toBe(10);
    expect(await exported()).not.toContain(`"timestamp":${String(ago(300).getTime()).slice(0, 5)}`);
    await test.rows(`update tenants set settings = '{"auditRetentionMs": 864000000}' where name = 'acme'`);
    expect(await totalSince(400)).toBe(0);
    await test.rows(`update tenants set settings = '{}' where name = 'acme'`);
  });

  it('takes out a month that no tenant keeps any more, signed, and the rest still proves itself', async () => {
    expect(await run('verify')).toMatchObject({ code: 0 });
    await test.rows(`update tenants set settings = '{"auditRetentionMs": 34560000000}' where name = 'globex'`);
    expect((await run('retain')).said).toBe('Nothing is old enough.');
    await test.rows(`update tenants set settings = '{}' where name = 'globex'`);
    expect((await run('retain')).said).toMatch(/^Dropped: \d{4}-\d\d(, \d{4}-\d\d)?\.$/);
    expect(await test.rows(`select 1 from audit_log where occurred < now() - interval '200 days'`)).toEqual([]);
    expect(await test.rows(`select 1 from audit_chain where occurred < now() - interval '200 days'`)).toEqual([]);
    expect(await run('verify')).toMatchObject({ code: 0 });
    expect(await totalSince(400)).toBe(10);
    await reader.search({});
    await exported();
    expect(await run('verify')).toMatchObject({ code: 0 });
  });

  it('does not let what was taken out come back, nor more be taken out unsigned', async () => {
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

describe('the verify command', () => {
  it('holds the log to checkpoints that were kept elsewhere, and believes no key that it was not given', async () => {
    const { tenantId } = test.globex;
    const stranger = await auditReader(test, { tenantName: 'globex' });
    await postJson(`${test.url}/audits/logs/export`, {}, stranger.headers);
    const { text, body } = await send(`${test.url}/audits/checkpoints`, { headers: stranger.headers });
    const kept = join(folder, 'checkpoints.json');
    await writeFile(kept, text);
    expect((await run('verify', '--checkpoints', kept)).said).toMatch(new RegExp(`${tenantId}: .* are proved`));
    await test.rows('delete from audit_checkpoints where tenant_id = $1', [tenantId]);
    await test.rows('delete from audit_chain where tenant_id = $1', [tenantId]);
    await test.rows('delete from audit_log where tenant_id = $1', [tenantId]);
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
    expect(said.join('\n')).toContain('Its signature is not by a key that is believed.');
  });

  it('proves an export alone, and says what is wrong with one', async () => {
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
    expect(await verdict(text)).toContain('are proved');
    expect(await verdict(text.replace('user1@', 'user2@'))).toContain('altered: record');
  });

  it('says how it is used', async () => {
    await expect(run()).rejects.toThrow('Use: verify');
    await expect(run('remove-tenant')).rejects.toThrow('Use: verify');
  });
});

describe('a tenant that leaves', () => {
  it('takes all of its records along, and leaves a signed tombstone', async () => {
    expect((await run('remove-tenant', '--tenant', 'acme')).said).toContain('acme is removed');
    const { tenantId } = test.acme;
    for (const table of ['audit_log', 'audit_chain', 'audit_counts', 'users', 'sessions', 'queries']) {
      expect(await test.rows(`select 1 from ${table} where tenant_id = $1`, [tenantId])).toEqual([]);
    }
    const [last] = await test.rows<{ payload: string }>(
      'select payload from audit_checkpoints where tenant_id = $1 order by number desc limit 1',
      [tenantId],
    );
    expect(JSON.parse(last?.payload ?? '')).toMatchObject({ kind: 'tombstone', tenant_id: tenantId });
    expect((await run('verify')).said).toMatch(new RegExp(`${tenantId}: 0 records and \\d+ checkpoints are proved`));
    await expect(run('remove-tenant', '--tenant', 'acme')).rejects.toThrow('There is no tenant acme.');
  });
});
