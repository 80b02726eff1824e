import type { BuiltUser } from '@sluice/testkit';
import { createSendRequest, declareParameters, publishDatamap } from '@sluice/testkit/fixtures';
import type { TestHosts } from '@sluice/testkit/hosts';
import { basicOf } from '@sluice/testkit/requests';

/** A marketplace for stories: who owns it, and calls that ask the host for the truth. */
export interface Market {
  readonly owner: BuiltUser;
  readonly admin: BuiltUser;
  /** Creates an item of the owner without grants, and returns its id. */
  item(item: MarketItemInput): Promise<string>;
  /** Grants an item to users; each grant may end. */
  grant(id: string, grants: readonly { readonly name: string; readonly expires_ts?: number }[]): Promise<void>;
  /** Asks for access as a user, and returns the id of the request. */
  request(id: string, user: BuiltUser, reason: string): Promise<string>;
  /** Decides a request as the admin. */
  decide(id: string, requestId: string, verdict: 'approve' | 'refuse', body: object): Promise<void>;
  /** Returns the grants that the host has stored. */
  grants(id: string): Promise<readonly { readonly name: string; readonly expires_ts: number | null }[]>;
  /** Returns the actions of the audit log about an item, without reads, oldest first. */
  audited(id: string): Promise<readonly { readonly action: string; readonly actor: string }[]>;
}

interface MarketItemInput {
  readonly id: string;
  readonly title?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly license?: string;
  readonly terms_of_use?: string;
  readonly queries: Readonly<Record<string, string>>;
  /** Columns of each query, as the engine would have described them. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Descriptions of columns. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Parameters of each query. */
  readonly parameters?: readonly object[];
}

const COLUMNS = `
  insert into datamap_fields (tenant_id, fact_id, position, name, type, data_type, java_type, column_size, decimal_digits)
  select $1, $2, position, name, type, 4, 'java.lang.Integer', 10, 0
  from unnest($3::text[], $4::text[]) with ordinality as c (name, type, position)`;

const DESCRIPTIONS = `
  insert into fact_fields (tenant_id, fact_id, name, description)
  select $1, $2, name, description from unnest($3::text[], $4::text[]) as c (name, description)`;

/** Makes a marketplace of the tenant acme. */
export async function makeMarket(hosts: TestHosts): Promise<Market> {
  const owner = await hosts.build.user(hosts.acme, { roles: ['steward'] });
  const admin = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  const ask = createSendRequest(hosts);
  const send = async (method: string, path: string, user: BuiltUser, body?: unknown) => {
    const answer = await ask(method, path, { credential: basicOf(user), body });
    if (answer.status >= 300) throw new Error(`${method} ${path} returned ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const datamapOf = async (sql: string, item: MarketItemInput): Promise<string> => {
    const { columns = {}, descriptions = {}, parameters = [] } = item;
    const datamapId = await publishDatamap(hosts, hosts.acme, sql);
    await hosts.rows(COLUMNS, [hosts.acme.id, datamapId, Object.keys(columns), Object.values(columns)]);
    const described = [Object.keys(descriptions), Object.values(descriptions)];
    await hosts.rows(DESCRIPTIONS, [hosts.acme.id, datamapId, ...described]);
    if (parameters.length > 0) await declareParameters(hosts, datamapId, parameters);
    return datamapId;
  };
  return {
    owner,
    admin,
    async item(item) {
      const { id, title = `Title of ${id}`, description, tags = [], license, terms_of_use } = item;
      const queries = [];
      for (const [name, sql] of Object.entries(item.queries))
        queries.push({ name, datamap_id: await datamapOf(sql, item) });
      const terms = { license, terms_of_use };
      await send('POST', '/marketplace', owner, { id, title, description, tags, queries, ...terms });
      return id;
    },
    async grant(id, grants) {
      await send('PUT', `/marketplace/${id}/grants`, owner, {
        grants: grants.map((each) => ({ kind: 'user', ...each })),
      });
    },
    request: async (id, user, reason) =>
      (await send('POST', `/marketplace/${id}/access-requests`, user, { reason })).request_id,
    async decide(id, requestId, verdict, body) {
      await send('POST', `/marketplace/${id}/access-requests/${requestId}/${verdict}`, admin, body);
    },
    grants: async (id) => (await send('GET', `/marketplace/${id}/grants`, admin)).grants,
    audited: (id) =>
      hosts.rows<{ action: string; actor: string }>(
        `select action, user_name as actor from audit_log where target = $1 and action not like 'READ%' order by occurred`,
        [id],
      ),
  };
}
