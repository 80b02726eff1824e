import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuditSigner, describeSetAside, trustedKeys, verifyExport } from '@sluice/audit';
import { type AccountBuilders, createAccountBuilders, type ReceivedResponse, send, until } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { postJson } from '@sluice/testkit/requests';
import pg from 'pg';
import { runAuditCommand } from '../../src/commands/run-audit-command.ts';
import { FORGERIES, type Forgery } from './audit-forgeries.ts';
import { SEALER_LOCK } from './audit-readers.ts';

const seed = Buffer.alloc(32, 9);
const PUBLIC_KEY = Buffer.from(createAuditSigner(seed).publicKey).toString('base64');

let test: TestHost;
let build: AccountBuilders;
let metricsPort: number;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

interface AttackedTenant {
  readonly tenantId: string;
  logIn(): Promise<Record<string, string>>;
  /** Exports the log as its auditor, which seals it first. */
  exportLog(): Promise<ReceivedResponse>;
}

async function addTenant(): Promise<AttackedTenant> {
  const tenant = await build.tenant();
  const { email, password } = await build.user(tenant, { roles: ['auditor'] });
  const logIn = async (): Promise<Record<string, string>> => {
    const { status, body } = await postJson(`${test.url}/auth/login/${tenant.name}`, { email, password });
    expect(status).toBe(200);
    return { idtoken: body.id_token };
  };
  const headers = await logIn();
  return { tenantId: tenant.id, logIn, exportLog: () => postJson(`${test.url}/audits/logs/export`, {}, headers) };
}

const UNSEALED = `
  from audit_log l where user_name <> 'eve' and action = 'LOGIN'
    and not exists (select from audit_chain c where (c.tenant_id, c.occurred, c.record_id) = (l.tenant_id, l.occurred, l.id))`;

/** Waits until the host has sealed all logins. */
const untilSealed = () =>
  until(async () => ((await test.rows(`select ${UNSEALED}`)).length === 0 ? true : undefined), {
    what: 'the sealing of all logins',
  });

/** Keeps hosts from sealing meanwhile. */
async function withoutSealing<T>(work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: test.testDatabase.superuserUrl });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${SEALER_LOCK})`);
    return await work();
  } finally {
    await client.end();
  }
}

/** Tenants whose chain has two logins, with a checkpoint each. */
const tenants: AttackedTenant[] = [];
const nextTenant = (): AttackedTenant => tenants.pop() as AttackedTenant;

beforeAll(async () => {
  metricsPort = await freePort();
  test = await startTestHost({ AUDIT_SIGNING_KEY: seed.toString('base64'), METRICS_PORT: String(metricsPort) });
  build = createAccountBuilders(test.testDatabase.apiUrl);
  for (let count = 0; count < FORGERIES.length + 4; count += 1) tenants.push(await addTenant());
  await untilSealed();
  for (const { logIn } of tenants) await logIn();
  await untilSealed();
}, 120_000);
afterAll(async () => {
  await build[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

/** Output of `npm run audit:verify` about a tenant. */
async function verify(tenantId: string): Promise<string> {
  const said: string[] = [];
  await runAuditCommand({
    argv: ['verify'],
    environment: { DATABASE_URL: test.testDatabase.ownerUrl, AUDIT_PUBLIC_KEYS: PUBLIC_KEY },
    say: (line) => said.push(line),
  });
  return said.filter((line) => line.startsWith(tenantId)).join('\n');
}

const metric = async (name: string): Promise<number> => {
  const { text } = await send(`http://127.0.0.1:${metricsPort}/metrics`);
  return Number(new RegExp(`^${name}\\S* (\\d+)$`, 'm').exec(text)?.[1]);
};

/** Logins of a tenant without an entry in the chain, except those of the attacker. */
const unsealedLogins = (tenantId: string) => test.rows(`select ${UNSEALED} and tenant_id = $1`, [tenantId]);

const eventsOf = (tenantId: string): readonly string[] =>
  test.logLines
    .map((line) => JSON.parse(line) as { level: string; event?: string; tenantId?: string })
    .filter((line) => line.tenantId === tenantId && line.level === 'error')
    .map(({ event = '' }) => event);

async function attack({ sql, act }: Forgery, tenantId: string): Promise<void> {
  if (sql !== undefined) await test.rows(sql(tenantId));
  await act?.({ test, tenantId });
}

const loginsOf = ({ text }: ReceivedResponse): number => text.split('"action":"LOGIN"').length - 1;

describe('after a superuser added or changed', () => {
  it.each(FORGERIES)('$name, later records are sealed, and the operator and the verifier say so', async (forgery) => {
    const { tenantId, logIn, exportLog } = nextTenant();
    const noticed = await metric('sluice_audit_tampering_total');
    await withoutSealing(async () => {
      await attack(forgery, tenantId);
      if (forgery.before !== undefined) expect(await verify(tenantId)).toMatch(forgery.before);
    });
    await logIn();
    const exported = await exportLog();
    expect([exported.status, loginsOf(exported)]).toEqual([200, forgery.logins]);
    expect(await unsealedLogins(tenantId)).toHaveLength(forgery.unsealed ?? 0);
    await exportLog();
    expect(await verify(tenantId)).toMatch(forgery.after);
    const events = forgery.events ?? [];
    expect(eventsOf(tenantId)).toEqual(events);
    expect(await metric('sluice_audit_tampering_total')).toBe(noticed + events.length);
    expect((await send(`${test.url}/ready`)).status).toBe(200);
  });

  it('an entry, an export says so too when it is verified', async () => {
    const { tenantId, exportLog } = nextTenant();
    await withoutSealing(() => attack(FORGERIES[0] as Forgery, tenantId));
    const { text } = await exportLog();
    const lines = (async function* () {
      yield* text.trimEnd().split('\n');
    })();
    const { finding, setAside } = await verifyExport({
      format: 'ndjson',
      lines,
      keys: trustedKeys([createAuditSigner(seed).publicKey]),
    });
    expect(finding).toBeUndefined();
    expect(setAside?.first.map(describeSetAside)).toEqual([
      expect.stringMatching(
        /^Record \d reports that a host set aside 1 entry and 0 checkpoints that no host had added/,
      ),
    ]);
  });

  it('the log of one tenant, that of another is sealed in the same batch', async () => {
    const [attacked, other] = [nextTenant(), nextTenant()];
    await withoutSealing(async () => {
      await attack(FORGERIES[0] as Forgery, attacked.tenantId);
      await attacked.logIn();
      await other.logIn();
    });
    const exported = await other.exportLog();
    expect([exported.status, loginsOf(exported)]).toEqual([200, 3]);
  });
});

describe('sealing', () => {
  it('continues a chain of more checkpoints than one digit counts, and sets nothing aside', async () => {
    const { tenantId, exportLog } = nextTenant();
    for (let count = 0; count < 12; count += 1) expect((await exportLog()).status).toBe(200);
    const [head] = await test.rows<{ number: string }>(
      'select max(number) as number from audit_checkpoints where tenant_id = $1',
      [tenantId],
    );
    expect(Number(head?.number)).toBeGreaterThan(10);
    expect(eventsOf(tenantId)).toEqual([]);
    expect(await verify(tenantId)).toMatch(/are verified\.$/);
  });

  it.each([
    {
      fault: `update audit_sealer set seen = '9000000000:9000000000:'`,
      remedy: () => readFile(new URL('../../../../deploy/postgres/after-restore.sql', import.meta.url), 'utf8'),
      says: 'deploy/postgres/after-restore.sql',
    },
    {
      fault: 'delete from audit_retention',
      remedy: async () => 'insert into audit_retention default values',
      says: 'insert into audit_retention default values',
    },
  ])('that cannot continue is an error event with what to do, and goes on after that: $fault', async (stop) => {
    const failures = await metric('sluice_audit_seal_failures_total');
    const logged = test.logLines.length;
    const failure = () => test.logLines.slice(logged).find((line) => line.includes('"audit_seal_failed"'));
    await test.rows(stop.fault);
    const { tenantId, exportLog } = await addTenant();
    expect(await until(failure, { what: 'the error event' })).toContain(stop.says);
    expect(await metric('sluice_audit_seal_failures_total')).toBeGreaterThan(failures);
    expect((await exportLog()).status).toBe(503);
    expect(await unsealedLogins(tenantId)).toHaveLength(1);
    await test.rows(await stop.remedy());
    await untilSealed();
    expect(await verify(tenantId)).toMatch(/verified\.$/);
  });
});
