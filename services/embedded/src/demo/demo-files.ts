import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

export const DEMO_TENANTS = ['acme', 'globex'] as const;
export type DemoTenant = (typeof DEMO_TENANTS)[number];

/** Beside `src` and `dist` alike. */
const FOLDER = new URL('../../demo/', import.meta.url);

/** Who must be there before the file can be applied, for somebody has to apply it. */
export const adminOf = (tenant: DemoTenant): string => `admin@${tenant}.example`;

/** The identity provider of the files, unless IDP_PORT says otherwise. */
const USUAL_ISSUER = 'http://127.0.0.1:8082';

/** What of a file speaks of the demo's tables. */
const OF_TABLES: ReadonlySet<string> = new Set(['datamaps', 'marketplace_items']);

/** The file of a tenant of the demo, as `POST /admin/apply` takes it; `issuer` is where the development identity provider is. */
export async function readDemoFile(tenant: DemoTenant, issuer = USUAL_ISSUER): Promise<string> {
  const text = await readFile(new URL(`${tenant}.yaml`, FOLDER), 'utf8');
  return text.replaceAll(USUAL_ISSUER, issuer);
}

/** The same for an engine that has none of the demo's tables: who is there, and what they may do. */
export async function readDemoPeople(tenant: DemoTenant, issuer?: string): Promise<string> {
  const file = parse(await readDemoFile(tenant, issuer)) as Readonly<Record<string, unknown>>;
  // JSON is YAML, too.
  return JSON.stringify(Object.fromEntries(Object.entries(file).filter(([section]) => !OF_TABLES.has(section))));
}

/** Whom a file names. */
export interface DemoAccounts {
  readonly users: readonly { readonly email: string; readonly roles: readonly string[] }[];
  readonly clientIds: readonly string[];
}

/** What of a file is needed besides applying it. The files are ours, so they are believed; their tests check them. */
export async function readDemoAccounts(tenant: DemoTenant): Promise<DemoAccounts> {
  const { users, service_accounts } = parse(await readDemoFile(tenant)) as {
    readonly users: DemoAccounts['users'];
    readonly service_accounts: readonly { readonly client_id: string }[];
  };
  return { users, clientIds: service_accounts.map(({ client_id }) => client_id) };
}
