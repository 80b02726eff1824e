import { type ReceivedResponse, send } from '@sluice/testkit';
import { type Admin, type AskAsAdmin, adminOf, type LoggedIn, recordsOf } from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';

/** Everything except counters, because views of earlier tests are counted later. */
const TABLES = [
  'roles',
  'domains',
  'facts',
  'datamaps',
  'datamap_fields',
  'search_entries',
  'marketplace_items',
  'marketplace_queries',
  'marketplace_grants',
];

/** The shared host with an admin in each of two tenants, and requests that apply configuration files. */
export interface ApplyFixture extends AsyncDisposable {
  readonly test: TestHost;
  readonly admin: Admin;
  readonly otherTenantAdmin: Admin;
  apply(body: unknown, ask?: AskAsAdmin): Promise<ReceivedResponse>;
  applyYaml(body: string, by?: Pick<LoggedIn, 'idToken'>): Promise<ReceivedResponse>;
  /** Returns everything that a file can change in a tenant, except accounts. */
  stateOf(tenantId: string): Promise<string>;
  /** Returns the audit records of a response, without those of describing SQL. */
  changeRecordsOf(answer: ReceivedResponse): ReturnType<typeof recordsOf>;
}

export async function startApplyFixture(): Promise<ApplyFixture> {
  const test = await shareTestHost();
  const admin = await adminOf(test, test.acme);
  return {
    test,
    admin,
    otherTenantAdmin: await adminOf(test, test.globex),
    apply: (body, ask = admin.ask) => ask({ method: 'POST', path: '/apply', body }),
    applyYaml: (body, { idToken } = admin) =>
      send(`${test.url}/admin/apply`, {
        method: 'POST',
        headers: { idtoken: idToken, 'content-type': 'application/yaml' },
        body,
      }),
    stateOf: async (tenantId) =>
      JSON.stringify(
        await Promise.all(
          TABLES.map((table) =>
            test.rows(`select * from ${table} t where tenant_id = $1 order by t::text`, [tenantId]),
          ),
        ),
      ),
    changeRecordsOf: async (answer) =>
      (await recordsOf(test, answer)).filter(([action]) => action !== 'DESCRIBE_QUERY'),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

/** Returns a file with objects of every kind, all with names of their own. */
export const fileOf = (name: string) => ({
  roles: [{ name: `${name}-readers`, permissions: ['datamap:read', 'marketplace:download'] }],
  users: [{ email: `ada@${name}.example`, roles: [`${name}-readers`] }],
  domains: [{ name: `${name} domain`, description: 'What it is about' }, { name: `${name} other` }],
  datamaps: [
    { name: `${name}_ones`, description: 'Ones', tags: ['One'], sql: 'select 1 as one', state: 'PUBLISHED' },
    { name: `${name}_twos`, sql: 'select 2 as two', sme: `ada@${name}.example`, state: 'PUBLISHED' },
    { name: `${name}_draft`, priority: 'LOW', sql: 'select 3 as three' },
  ],
  marketplace_items: [
    {
      id: `${name}-pack`,
      title: `Pack of ${name}`,
      tags: ['pack'],
      domains: [`${name} DOMAIN`],
      queries: [
        { name: 'ones', datamap: `${name}_ones` },
        { name: 'twos', datamap: `${name}_twos` },
      ],
      grants: [
        { kind: 'role', name: `${name}-readers` },
        { kind: 'user', name: `Ada@${name}.example`, expires_ts: 4_000_000_000_000 },
      ],
    },
  ],
});

export const countsOf = ({ body: { changes: _changes, ...counts } }: ReceivedResponse) => counts;
export const actionsOf = ({ body }: ReceivedResponse): string[] =>
  body.changes.map(({ kind, name, action }: Record<string, string>) => `${action} ${kind} ${name}`);
export const pathsOf = ({ body }: ReceivedResponse): string[] => body.details.map(({ path }: { path: string }) => path);
