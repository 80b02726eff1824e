import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parse } from 'yaml';

export const DEMO_TENANTS = ['acme', 'globex'] as const;
export type DemoTenant = (typeof DEMO_TENANTS)[number];

const { resolve } = createRequire(import.meta.url);

/** The admin of a tenant, who applies its file and so must exist before. */
export const adminOf = (tenant: DemoTenant): string => `admin@${tenant}.example`;

/** Issuer in the files, replaced when IDP_PORT is set. */
const DEFAULT_ISSUER = 'http://127.0.0.1:8082';

/** Sections of a file that refer to the demo's tables. */
const TABLE_SECTIONS: ReadonlySet<string> = new Set(['datamaps', 'marketplace_items']);

/** Returns the file of a demo tenant for `POST /admin/apply`. `issuer` is the URL of the development identity provider. */
export async function readDemoFile(tenant: DemoTenant, issuer = DEFAULT_ISSUER): Promise<string> {
  const text = await readFile(resolve(`@sluice/embedded/demo/${tenant}.yaml`), 'utf8');
  return text.replaceAll(DEFAULT_ISSUER, issuer);
}

/** Returns the file without its tables, for an engine that has none of them: accounts and roles only. */
export async function readDemoPeople(tenant: DemoTenant, issuer?: string): Promise<string> {
  const file = parse(await readDemoFile(tenant, issuer)) as Readonly<Record<string, unknown>>;
  // JSON is valid YAML.
  return JSON.stringify(Object.fromEntries(Object.entries(file).filter(([section]) => !TABLE_SECTIONS.has(section))));
}

interface DemoAccounts {
  readonly users: readonly { readonly email: string; readonly roles: readonly string[] }[];
  readonly clientIds: readonly string[];
}

/** Returns the accounts of a file. The files are part of this repository and checked by their tests, so they are not validated here. */
export async function readDemoAccounts(tenant: DemoTenant): Promise<DemoAccounts> {
  const { users, service_accounts } = parse(await readDemoFile(tenant)) as {
    readonly users: DemoAccounts['users'];
    readonly service_accounts: readonly { readonly client_id: string }[];
  };
  return { users, clientIds: service_accounts.map(({ client_id }) => client_id) };
}
