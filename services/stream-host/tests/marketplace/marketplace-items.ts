import { randomUUID } from 'node:crypto';
import { parameterDeclarations, type Tenant } from '@sluice/contract';
import { type Credential, type ReceivedResponse, send } from '../client/requests.ts';
import type { TestHosts } from '../hosts/start-hosts.ts';

export type SendRequest = (
  method: string,
  path: string,
  options: {
    readonly credential: Credential;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  },
) => Promise<ReceivedResponse>;

const TRIES_MAX = 5;

/** Sends requests to the stream host, with or without a JSON body. Retries on 503 of a busy database, as clients do. */
export const createSendRequest =
  (hosts: TestHosts): SendRequest =>
  async (method, path, { credential, body, headers = {} }) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await send(`${hosts.url}${path}`, {
        method,
        headers: { ...credential, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (answer.status !== 503 || tries === TRIES_MAX) return answer;
    }
  };

/** Creates a published datamap with this SQL, as the API host would, and returns its id. */
export async function publishDatamap(hosts: TestHosts, tenant: Pick<Tenant, 'id'>, sql: string): Promise<string> {
  const id = randomUUID();
  await hosts.rows(`insert into facts (tenant_id, fact_id, type, updated_by) values ($1, $2, 'DATAMAP', 'test')`, [
    tenant.id,
    id,
  ]);
  await hosts.rows(
    `insert into datamaps (tenant_id, fact_id, name, display_name, state, owner_kind, owner_id, owner_name, sql, created_by)
     values ($1, $2, 'map', 'Map', 'PUBLISHED', 'user', $2, 'somebody', $3, 'test')`,
    [tenant.id, id, sql],
  );
  await hosts.rows('insert into fact_counters (tenant_id, fact_id) values ($1, $2)', [tenant.id, id]);
  return id;
}

/** Declares the parameters of the SQL of a datamap, as the API host would. */
export async function declareParameters(hosts: TestHosts, id: string, declared: readonly unknown[]): Promise<void> {
  const parameters = JSON.stringify(parameterDeclarations.parse(declared));
  await hosts.rows('update datamaps set parameters = $2::jsonb where fact_id = $1', [id, parameters]);
}

/** Creates an item of these statements, granted to the role analyst, and returns its id. */
export async function createItem(
  hosts: TestHosts,
  admin: Credential,
  item: {
    readonly id: string;
    readonly queries: Readonly<Record<string, string>>;
    /** Tenant of the admin; default: acme. */
    readonly tenant?: Pick<Tenant, 'id'>;
  },
): Promise<string> {
  const queries = await Promise.all(
    Object.entries(item.queries).map(async ([name, sql]) => ({
      name,
      datamap_id: await publishDatamap(hosts, item.tenant ?? hosts.acme, sql),
    })),
  );
  const ask = createSendRequest(hosts);
  const made = await ask('POST', '/marketplace', {
    credential: admin,
    body: { id: item.id, title: `Title of ${item.id}`, queries },
  });
  if (made.status !== 201) throw new Error(`the item returned ${made.status}: ${made.text}`);
  const granted = await ask('PUT', `/marketplace/${item.id}/grants`, {
    credential: admin,
    body: { grants: [{ kind: 'role', name: 'analyst' }] },
  });
  if (granted.status !== 200) throw new Error(`the grants returned ${granted.status}: ${granted.text}`);
  return item.id;
}
