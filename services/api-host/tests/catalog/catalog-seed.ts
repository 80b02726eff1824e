import { randomUUID } from 'node:crypto';
import { createPasswords } from '@sluice/auth';
import { createAccountStore } from '@sluice/store/identity';
import { postJson, type ReceivedResponse, send } from '../hosts/requests.ts';
import type { TestAccounts, TestHost } from '../hosts/start-test-host.ts';

/** Password of the users of `logInAs`. */
export const SEED_PASSWORD = 'a password that is long';

export interface LoggedIn {
  readonly id: string;
  readonly email: string;
  readonly idToken: string;
}

/** A new user with these roles, logged in. */
export async function logInAs(test: TestHost, roles: readonly string[], tenant: TestAccounts): Promise<LoggedIn> {
  const email = `${roles.join('-')}-${randomUUID().slice(0, 8)}@example.com`;
  const passwordHash = await createPasswords({ memoryKib: 64, passes: 1 }).hash(SEED_PASSWORD);
  const id = await createAccountStore(test.database).putUser({ tenantId: tenant.tenantId, email, passwordHash, roles });
  const { body } = await postJson(`${test.url}/auth/login/${tenant.tenantName}`, { email, password: SEED_PASSWORD });
  return { id, email, idToken: body.id_token };
}

interface TableSeed {
  readonly type?: 'TABLE' | 'VIEW';
  readonly catalog?: string;
  readonly schema?: string;
  readonly name: string;
  readonly columns?: readonly string[];
  readonly absentColumns?: readonly string[];
  readonly isAbsent?: boolean;
}

const HOLD_HARVEST = `
  insert into harvest_runs (tenant_id, run_id, state, reason, requested_by, held_until)
  values ($1, $2, 'RUNNING', 'request', 'test', now() + interval '1 day')
  on conflict (tenant_id) where state in ('QUEUED', 'RUNNING') do nothing`;

const OWN_HARVEST = `
  select 1 from harvest_runs where tenant_id = $1 and requested_by = 'test' and state = 'RUNNING'`;

/** A permanent running harvest of the tenant, so the host does not overwrite what a test writes. */
async function holdHarvest(test: TestHost, tenantId: string): Promise<void> {
  for (;;) {
    await test.rows(HOLD_HARVEST, [tenantId, randomUUID()]);
    if ((await test.rows(OWN_HARVEST, [tenantId])).length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50)); // the host's own is under way
  }
}

/** Creates a table as a harvest does and returns its fact_id. */
export async function seedTable(test: TestHost, { tenantId }: TestAccounts, seed: TableSeed): Promise<string> {
  const { type = 'TABLE', catalog = 'demo', schema = 'vega', name, columns = [], absentColumns = [] } = seed;
  await holdHarvest(test, tenantId);
  const factId = randomUUID();
  const absentSince = seed.isAbsent === true ? new Date() : null;
  await test.rows(
    `insert into catalogs (tenant_id, catalog_id, name, vendor_name, location) values ($1, $2, $3, 'duckdb', 'localhost')
    on conflict do nothing`,
    [tenantId, randomUUID(), catalog],
  );
  await test.rows(
    'insert into catalog_schemas (tenant_id, catalog_name, name) values ($1, $2, $3) on conflict do nothing',
    [tenantId, catalog, schema],
  );
  await test.rows('insert into facts (tenant_id, fact_id, type) values ($1, $2, $3)', [tenantId, factId, type]);
  await test.rows(
    `insert into catalog_tables (tenant_id, fact_id, catalog_name, schema_name, name, absent_since)
    values ($1, $2, $3, $4, $5, $6)`,
    [tenantId, factId, catalog, schema, name, absentSince],
  );
  for (const [position, column] of [...columns, ...absentColumns].entries()) {
    await test.rows(
      `insert into catalog_columns (tenant_id, fact_id, name, position, type, absent_since)
      values ($1, $2, $3, $4, 'varchar', $5)`,
      [tenantId, factId, column, position, absentColumns.includes(column) ? new Date() : null],
    );
  }
  return factId;
}

interface DatamapSeed {
  readonly ownerId: string;
  readonly stewardId?: string;
  readonly state?: 'DRAFT' | 'IN_PROGRESS' | 'PUBLISHED' | 'ARCHIVED';
  readonly fields?: readonly string[];
}

/** Creates a datamap and returns its id. */
export async function seedDatamap(test: TestHost, { tenantId }: TestAccounts, seed: DatamapSeed): Promise<string> {
  const id = randomUUID();
  await test.rows(`insert into facts (tenant_id, fact_id, type) values ($1, $2, 'DATAMAP')`, [tenantId, id]);
  await test.rows(
    `insert into datamaps (tenant_id, fact_id, name, display_name, state, owner_kind, owner_id, owner_name, steward_id, created_by)
    values ($1, $2, 'a_map', 'A map', $3, 'user', $4, 'owner@example.com', $5, 'owner@example.com')`,
    [tenantId, id, seed.state ?? 'PUBLISHED', seed.ownerId, seed.stewardId ?? null],
  );
  for (const [position, name] of (seed.fields ?? []).entries()) {
    await test.rows(
      `insert into datamap_fields (tenant_id, fact_id, position, name, type, data_type, java_type, column_size, decimal_digits)
      values ($1, $2, $3, $4, 'varchar', 12, 'java.lang.String', 0, 0)`,
      [tenantId, id, position, name],
    );
  }
  return id;
}

interface StoredFact {
  readonly description: string | null;
  readonly tags: string[];
  readonly version: string;
  readonly updated_by: string | null;
  readonly domains: string[];
  readonly display_name: string | null;
}

interface StoredField {
  readonly name: string;
  readonly description: string | null;
  readonly tags: string[];
}

/** Stored metadata of a fact of any tenant. */
export async function storedMetadata(test: TestHost, factId: string) {
  const { fact, fields } = await test.database.acrossTenants(async (transaction) => {
    const [fact] = await transaction.query<StoredFact>(
      `select f.description, f.tags, f.version, f.updated_by, m.display_name,
        array(select d.domain_id::text from fact_domains d where d.fact_id = f.fact_id order by d.position) as domains
      from facts f left join datamaps m on m.fact_id = f.fact_id where f.fact_id = $1`,
      [factId],
    );
    const fields = await transaction.query<StoredField>(
      'select name, description, tags from fact_fields where fact_id = $1 order by name',
      [factId],
    );
    return { fact, fields };
  });
  if (fact === undefined) throw new Error('there is no such fact');
  return { ...fact, fields };
}

export const importMetadata = (
  test: TestHost,
  { idToken }: LoggedIn,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ReceivedResponse> => postJson(`${test.url}/metadata/import`, body, { idtoken: idToken, ...headers });

export const importOf = (...metadataObjects: readonly object[]) => ({ metadata_objects: metadataObjects });

export const createDomain = async (test: TestHost, { idToken }: LoggedIn, name: string): Promise<string> => {
  const { body } = await postJson(`${test.url}/domains`, { name }, { idtoken: idToken });
  return body.id;
};

export const auditRecords = (test: TestHost, { headers }: ReceivedResponse) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any metadata.
  test.rows<{ action: string; target: string; user_name: string; metadata: any }>(
    'select action, target, user_name, metadata from audit_log where request_id = $1 order by occurred',
    [headers['x-request-id']],
  );

export const get = (test: TestHost, { idToken }: LoggedIn, path: string): Promise<ReceivedResponse> =>
  send(`${test.url}${path}`, { headers: { idtoken: idToken } });
