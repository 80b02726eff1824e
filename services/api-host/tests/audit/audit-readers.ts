import { createPasswords } from '@sluice/auth';
import { OPTIONAL_AUDIT_FIELDS } from '@sluice/contract';
import { createAccountStore } from '@sluice/store/identity';
import { type ReceivedResponse, send } from '@sluice/testkit';
import type { TestHost } from '@sluice/testkit/hosts';
import { passwordOf, postJson } from '@sluice/testkit/requests';

/** Advisory lock that a sealer takes. */
export const SEALER_LOCK = 7_205_812;

/** Members of a search result that are null unless a test expects more, so that a new field changes no test. */
export const NULL_FIELDS = Object.fromEntries(OPTIONAL_AUDIT_FIELDS.map(({ name }) => [name, null]));

/** A user who may read the audit log. */
export interface AuditReader {
  readonly email: string;
  readonly headers: Record<string, string>;
  search(body: unknown, url?: string): Promise<ReceivedResponse>;
  next(token: string, url?: string): Promise<ReceivedResponse>;
}

/** Creates an account that may read the log of its tenant, and logs in. */
export async function auditReader(
  test: TestHost,
  { email = 'audrey@example.com', tenantName = 'acme', roles = ['auditor'] } = {},
): Promise<AuditReader> {
  const { tenantId } = tenantName === 'acme' ? test.acme : test.globex;
  const passwordHash = await createPasswords({ memoryKib: 64, passes: 1 }).hash(passwordOf(tenantName));
  await createAccountStore(test.database).putUser({ tenantId, email, passwordHash, roles });
  const { body } = await postJson(`${test.url}/auth/login/${tenantName}`, { email, password: passwordOf(tenantName) });
  const headers = { idtoken: body.id_token as string };
  return {
    email,
    headers,
    search: (wanted, url = test.url) => postJson(`${url}/audits/logs/search`, wanted, headers),
    next: (token, url = test.url) => send(`${url}/audits/logs/search?page_token=${token}`, { headers }),
  };
}

/** Reads the log in each way at once. */
export const readLog = (url: string, reader: AuditReader): Promise<ReceivedResponse[]> =>
  Promise.all([
    reader.search({}, url),
    postJson(`${url}/audits/logs/export`, {}, reader.headers),
    send(`${url}/audits/logs/stream`, { headers: reader.headers }),
    send(`${url}/audits/checkpoints`, { headers: reader.headers }),
  ]);

/** Writes this many past records, one a minute, by three users in turn; `ordinal` in their metadata counts from the oldest. */
export const writeRecords = (
  test: Pick<TestHost, 'rows'>,
  count: number,
  { tenantName = 'acme', from }: { tenantName?: string; from: Date },
) =>
  test.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, request_id)
     select t.id, gen_random_uuid(), $2::timestamptz + i * interval '1 minute', 'user' || i % 3 || '@example.com',
       case when i % 2 = 0 then 'LOGIN' else 'LOGIN_FAILED' end, 'target' || i % 5, jsonb_build_object('ordinal', i), 'req-' || i
     from tenants t, generate_series(1, $3::int) i where t.name = $1`,
    [tenantName, from, count],
  );

export interface PageRecord {
  readonly id: string;
  readonly timestamp: number;
  readonly user: string;
  readonly action: string;
  readonly target: string;
  readonly metadata: Record<string, unknown>;
}

/** Reads every page of a search. */
export async function allPages(reader: AuditReader, wanted: object): Promise<{ total: number; data: PageRecord[] }[]> {
  const pages = [];
  let { status, body } = await reader.search(wanted);
  for (;;) {
    if (status !== 200) throw new Error(`a page answered ${status}: ${JSON.stringify(body)}`);
    pages.push(body);
    if (body.next_page_token === undefined) return pages;
    ({ status, body } = await reader.next(body.next_page_token));
  }
}
