import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { startApiHost } from '@sluice/api-host';
import { createPasswords } from '@sluice/auth';
import { createDatabase } from '@sluice/store/database';
import { createAccountStore } from '@sluice/store/identity';
import pg from 'pg';
import type { Finding } from '../report.ts';
import { measureAppends } from './audit-appends.ts';
import { type AuditDatabase, openAuditDatabase } from './audit-database.ts';
import { type AuditHttp, measurePages } from './audit-pages.ts';

interface AuditOptions {
  readonly records: number;
  readonly rounds: number;
  readonly print: (line: string) => void;
}

const EMAIL = 'auditor@bench.example';
const PASSWORD = 'bench-bench-bench';

async function openHttp(url: string): Promise<AuditHttp & Disposable> {
  const json = { 'content-type': 'application/json' };
  const login = await fetch(`${url}/auth/login/bench`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  const { id_token: idtoken } = (await login.json()) as { id_token: string };
  const agent = new Agent({ keepAlive: true });
  const send = async (path: string, body?: string): Promise<{ bytes: Buffer; ms: number }> => {
    const startedMs = performance.now();
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(`${url}${path}`, { method, agent, headers: { ...json, idtoken } }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(response, 'end');
    const ms = performance.now() - startedMs;
    const bytes = Buffer.concat(chunks);
    if (response.statusCode !== 200) throw new Error(`${path} returned ${response.statusCode}: ${bytes}`);
    return { bytes, ms };
  };
  return {
    async search(body) {
      const { bytes, ms } = await send('/audits/logs/search', JSON.stringify(body));
      const { total, next_page_token: token } = JSON.parse(`${bytes}`) as { total: number; next_page_token: string };
      return { total, token, ms };
    },
    next: async (token) => (await send(`/audits/logs/search?page_token=${token}`)).ms,
    [Symbol.dispose]: () => agent.destroy(),
  };
}

const UNSEALED = `
  select 1 from audit_log l, audit_sealer s where l.xact >= (select pg_snapshot_xmin(seen) from audit_sealer)
    and not pg_visible_in_snapshot(l.xact, s.seen) limit 1`;

/** Waits until the host has sealed the records of earlier measurements, which would disturb the measurement of pages. */
async function untilSealed(database: AuditDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    while ((await client.query(UNSEALED)).rows.length > 0) await wait(1000);
  } finally {
    await client.end();
  }
}

async function putAuditor(database: AuditDatabase): Promise<void> {
  await using ours = createDatabase({ url: database.apiUrl, poolMax: 1 });
  const passwordHash = await createPasswords().hash(PASSWORD);
  await createAccountStore(ours).putUser({
    tenantId: database.tenantId,
    email: EMAIL,
    passwordHash,
    roles: ['auditor'],
  });
}

/** Measures the audit log, with ten million records by default, in a durable PostgreSQL. */
export async function auditLog({ records, rounds, print }: AuditOptions): Promise<readonly Finding[]> {
  await using database = await openAuditDatabase({ records, print });
  await putAuditor(database);
  const environment = {
    LISTEN_HOST: '127.0.0.1',
    API_PORT: '0',
    DATABASE_URL: database.apiUrl,
    DATABASE_TIMEOUT: '30s',
    SLUICE_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    ISSUER_TEMPLATE: 'https://{tenant}.issuer.example',
    DEFAULT_TENANT: 'bench',
    DRAIN_DELAY: '0',
    LOG_LEVEL: 'warn',
  };
  const findings: Finding[] = [];
  const host = await startApiHost({ environment });
  try {
    await untilSealed(database);
    print('Measuring pages ...');
    using http = await openHttp(host.url);
    findings.push(...(await measurePages(database, http, rounds)));
  } finally {
    await host[Symbol.asyncDispose]();
  }
  print('Measuring appends ...');
  findings.push(...(await measureAppends(database, rounds)));
  return findings;
}
