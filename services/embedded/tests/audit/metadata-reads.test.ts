import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { createItem, publishDatamap } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { type Credential, idtoken, logIn, post } from '@sluice/testkit/requests';

let hosts: TestHosts;
let admin: Credential;
let analyst: Credential;
/** An admin of another tenant, whose setting stays. */
let other: Credential;
let domainId: string;
let datamapId: string;
const logInAs = async (tenant: TestHosts['acme'], name: string, roles: readonly string[]): Promise<Credential> =>
  idtoken((await logIn(hosts, await hosts.build.user(tenant, { roles }), name)).id_token);
beforeAll(async () => {
  hosts = await startHosts();
  admin = await logInAs(hosts.acme, 'acme', ['admin']);
  analyst = await logInAs(hosts.acme, 'acme', ['analyst']);
  other = await logInAs(hosts.globex, 'globex', ['admin']);
  await hosts.rows(
    `insert into catalogs (tenant_id, catalog_id, name, vendor_name, location) values ($1, gen_random_uuid(), 'shop', 'duckdb', 'localhost')`,
    [hosts.acme.id],
  );
  datamapId = await publishDatamap(hosts, hosts.acme, 'SELECT 1 AS one');
  await createItem(hosts, admin, { id: 'numbers', queries: { one: 'SELECT 1 AS one' } });
  const domain = await post(`${hosts.api.url}/domains`, { name: 'Numbers' }, admin);
  domainId = domain.body.id;
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const api = (path: string, credential = analyst): Promise<ReceivedResponse> =>
  send(`${hosts.api.url}${path}`, { headers: credential });
const stream = (path: string, credential = analyst): Promise<ReceivedResponse> =>
  send(`${hosts.url}${path}`, { headers: credential });

/** Actions of the records of a request. */
const actionsOf = async ({ headers }: ReceivedResponse): Promise<readonly string[]> => {
  const rows = await hosts.rows<{ action: string }>(
    'select action from audit_log where request_id = $1 and record_id is null',
    [headers['x-request-id']],
  );
  return rows.map(({ action }) => action);
};

const choose = async (metadata_reads: 'recorded' | 'not_recorded'): Promise<void> => {
  const answer = await send(`${hosts.api.url}/admin/audit-settings`, {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ metadata_reads }),
  });
  expect([answer.status, await actionsOf(answer)]).toEqual([200, ['UPDATE_AUDIT_SETTINGS']]);
  const expected = metadata_reads === 'recorded' ? 1 : 0;
  // Each host keeps a tenant's settings for up to two seconds.
  for (const read of [() => api('/catalog'), () => stream('/marketplace')]) {
    await until(async () => ((await actionsOf(await read())).length === expected ? true : undefined), {
      what: 'the new setting',
    });
  }
};

type Read = readonly [what: string, action: string, read: () => Promise<ReceivedResponse>];

const METADATA_READS: readonly Read[] = [
  ['the list of catalogs', 'READ_CATALOG', () => api('/catalog')],
  ['the list of schemas', 'READ_CATALOG', () => api('/catalog/shop')],
  ['a search of tables', 'SEARCH_DATAMAPS', () => searchFor('TABLE')],
  ['a search of datamaps', 'SEARCH_DATAMAPS', () => searchFor('DATAMAP')],
  ['a datamap', 'READ_DATAMAP', () => api(`/datamap/${datamapId}`)],
  ['the list of domains', 'READ_DOMAINS', () => api('/domains')],
  ['a domain', 'READ_DOMAINS', () => api(`/domains/${domainId}`)],
  ['what is in a domain', 'READ_DOMAINS', () => api(`/domains/${domainId}/objects`)],
  ['the tags in use', 'READ_CATALOG', () => api('/tags')],
  ['the coverage', 'READ_CATALOG', () => api('/metadata/coverage', admin)],
  ['the undescribed tables', 'READ_CATALOG', () => api('/metadata/undescribed', admin)],
  ['the changes of a datamap', 'READ_DATAMAP', () => api(`/metadata/changes?type=DATAMAP&id=${datamapId}`, admin)],
  ['the list of the marketplace', 'READ_MARKETPLACE', () => stream('/marketplace')],
  ['an item of the marketplace', 'READ_MARKETPLACE', () => stream('/marketplace/numbers')],
];

const ALWAYS_RECORDED: readonly Read[] = [
  ['a query', 'RUN_QUERY', () => post(`${hosts.url}/query`, { sql: 'SELECT 1' }, analyst)],
  ['a download of SQL', 'DOWNLOAD_QUERY', () => post(`${hosts.url}/query/download/csv`, { sql: 'SELECT 1' }, analyst)],
  ['a download of an item', 'DOWNLOAD_MARKETPLACE', () => stream('/marketplace/numbers/download/csv')],
  ['a download of a datamap', 'DOWNLOAD_DATAMAP', () => stream(`/datamap/${datamapId}/download/csv`)],
  ['grants of an item', 'READ_MARKETPLACE', () => stream('/marketplace/numbers/grants', admin)],
  ['all grants', 'READ_MARKETPLACE', () => api('/admin/grants', admin)],
  ['access requests', 'READ_MARKETPLACE', () => stream('/access-requests?scope=own')],
  ['an export of metadata', 'EXPORT_METADATA', () => api('/metadata/export?type=TABLE', admin)],
  ['users', 'READ_USERS', () => api('/admin/users', admin)],
  ['the settings themselves', 'READ_AUDIT_SETTINGS', () => api('/admin/audit-settings', admin)],
  ['a denied read', 'ACCESS_DENIED', () => api('/admin/users')],
];

const searchFor = (type: string): Promise<ReceivedResponse> =>
  post(`${hosts.api.url}/datamap/search`, { advance_options: { type } }, analyst);

/** Returns the actions of each read, and the read when it failed. */
const recordsOf = async (reads: readonly Read[]): Promise<readonly unknown[]> => {
  const found: unknown[] = [];
  for (const [what, , read] of reads) {
    const answer = await read();
    found.push(answer.status < 400 || answer.status === 403 ? [what, await actionsOf(answer)] : [what, answer.text]);
  }
  return found;
};

describe('reads of metadata', () => {
  const recorded = (reads: readonly Read[]) => reads.map(([what, action]) => [what, [action]]);

  it('are recorded by default, each once', async () => {
    expect(await recordsOf(METADATA_READS)).toEqual(recorded(METADATA_READS));
    expect(await recordsOf(ALWAYS_RECORDED)).toEqual(recorded(ALWAYS_RECORDED));
  });

  it('are left out if the tenant chooses so, with nothing else, and for no other tenant', async () => {
    await choose('not_recorded');
    expect(await recordsOf(METADATA_READS)).toEqual(METADATA_READS.map(([what]) => [what, []]));
    expect(await recordsOf(ALWAYS_RECORDED)).toEqual(recorded(ALWAYS_RECORDED));
    expect(await actionsOf(await api('/catalog', other))).toEqual(['READ_CATALOG']);
    const globexStream = { ...other, host: 'globex-stream.localhost' };
    expect(await actionsOf(await stream('/marketplace', globexStream))).toEqual(['READ_MARKETPLACE']);
  });

  it('are recorded again as soon as the tenant chooses that', async () => {
    await choose('recorded');
    expect(await recordsOf(METADATA_READS)).toEqual(recorded(METADATA_READS));
  });
});
