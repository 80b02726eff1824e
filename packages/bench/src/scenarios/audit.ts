import { startApiHost } from '@sluice/api-host';
import { createPasswords } from '@sluice/auth';
import { createAccountStore, createDatabase } from '@sluice/store';
import type { Finding } from '../report.ts';
import { measureAppends } from './audit-appends.ts';
import { type AuditDatabase, openAuditDatabase } from './audit-database.ts';
import { type AuditHttp, measurePages } from './audit-pages.ts';

export interface AuditOrder {
  readonly records: number;
  readonly rounds: number;
  readonly say: (line: string) => void;
}

const EMAIL = 'auditor@bench.example';
const PASSWORD = 'bench-bench-bench';

async function openHttp(url: string): Promise<AuditHttp> {
  const json = { 'content-type': 'application/json' };
  const login = await fetch(`${url}/auth/login/bench`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  const { id_token: idtoken } = (await login.json()) as { id_token: string };
  const ask = async (path: string, init: RequestInit): Promise<{ text: string; ms: number }> => {
    const begun = performance.now();
    const response = await fetch(`${url}${path}`, { ...init, headers: { ...json, idtoken } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    return { text, ms: performance.now() - begun };
  };
  return {
    async search(body) {
      const { text, ms } = await ask('/audits/logs/search', { method: 'POST', body: JSON.stringify(body) });
      const { total, next_page_token: token } = JSON.parse(text) as { total: number; next_page_token: string };
      return { total, token, ms };
    },
    next: async (token) => (await ask(`/audits/logs/search?page_token=${token}`, {})).ms,
  };
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

/** The audit log with ten million records in a PostgreSQL that is durable. */
export async function auditLog({ records, rounds, say }: AuditOrder): Promise<readonly Finding[]> {
  await using database = await openAuditDatabase({ records, say });
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
    say('Measuring pages ...');
    findings.push(...(await measurePages(database, await openHttp(host.url), rounds)));
  } finally {
    await host[Symbol.asyncDispose]();
  }
  say('Measuring appends ...');
  findings.push(...(await measureAppends(database, rounds)));
  return findings;
}
