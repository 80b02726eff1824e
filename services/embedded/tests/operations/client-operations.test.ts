import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type ApiOperations,
  type ApiOperationTypes,
  type Client,
  createClient,
  ResponseError,
  type StreamOperations,
  type StreamOperationTypes,
} from '@sluice/client';
import {
  apiOperations,
  type DownloadFormatName,
  downloadFormats,
  downloadOperation,
  operatorOperations,
  streamOperations,
} from '@sluice/contract';
import { until } from '@sluice/testkit';
import { OPERATOR_TOKEN, startHosts, type TestHosts } from '@sluice/testkit/hosts';

const PASSWORD = 'a password of many characters';
const DAY_MS = 86_400_000;

let hosts: TestHosts;
/** An admin of acme, and the operator. */
let admin: Client;
let operator: Client;
let stream: StreamOperations;
let api: ApiOperations;
/** Ids that later calls need. */
const made: Record<string, string> = {};
const id = (name: string): string => made[name] ?? '';

beforeAll(async () => {
  hosts = await startHosts({}, { isHarvested: true });
  const { email, password } = await hosts.build.user(hosts.acme, { roles: ['admin', 'steward', 'auditor', 'analyst'] });
  const urls = { tenant: 'acme', streamUrl: hosts.url, apiUrl: hosts.api.url };
  admin = createClient({ ...urls, auth: { email, password } });
  operator = createClient({ ...urls, auth: { token: () => OPERATOR_TOKEN } });
  ({ stream, api } = admin);
  const { id: member, email: memberEmail } = await hosts.build.user(hosts.acme);
  Object.assign(made, { member, memberEmail, adminEmail: email });
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
});

/** Asserts that a call is rejected by the host with this code, so that it reached its operation. */
const rejectedWith = async (code: string, call: Promise<unknown>): Promise<void> => {
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ResponseError);
  expect(error).toMatchObject({ code });
};

const textOf = async (response: Promise<Response>): Promise<string> => await (await response).text();
const firstBytesOf = async (response: Promise<Response>): Promise<void> => {
  const { body } = await response;
  const reader = body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  await reader?.cancel();
};

/** A call of each operation, in the order in which one needs what another made. */
type Calls<Ids> = { readonly [Id in keyof Ids]: () => Promise<unknown> };

const item = () => ({ title: 'Item', queries: [{ name: 'q', datamap_id: id('datamap') }] });
/** Exceeds 2^53, so that a number that passed through a double is found. */
const EXACT = '9007199254740993';
const parameters = { n: { type: 'bigint' as const, value: EXACT } };
/** An item whose downloads take a parameter. */
const PARAMETRIZED = { id: 'parametrized' };

const apiCalls: Calls<ApiOperationTypes> = {
  root: () => api.root(),
  health: () => api.health(),
  live: () => api.live(),
  ready: () => api.ready(),
  getMe: async () => expect((await api.getMe()).user).toBe(made['adminEmail']),
  listOwnSessions: async () => {
    const { data } = await api.listOwnSessions();
    expect(data).toContainEqual(expect.objectContaining({ current: true, opened_by: 'program' }));
  },
  endOwnSession: () =>
    rejectedWith('not_found', api.endOwnSession({ params: { id: '00000000-0000-4000-8000-000000000000' } })),
  endOtherSessions: async () => expect(await api.endOtherSessions()).toEqual({ ended_count: 0 }),
  changePassword: () =>
    rejectedWith(
      'invalid_request',
      api.changePassword({ body: { current_password: 'wrong', new_password: PASSWORD } }),
    ),
  getNotificationSettings: async () =>
    expect(await api.getNotificationSettings()).toMatchObject({ language: 'en', is_mail_configured: false }),
  putNotificationSettings: async () => {
    const body = { language: 'de', access_requests: true, access_decisions: true, grant_endings: false } as const;
    expect(await api.putNotificationSettings({ body })).toMatchObject(body);
  },
  listOwnConsents: async () => expect((await api.listOwnConsents()).data).toEqual([]),
  withdrawConsent: () =>
    rejectedWith('not_found', api.withdrawConsent({ params: { id: '00000000-0000-4000-8000-000000000000' } })),
  jwks: async () => expect((await api.jwks()).keys).not.toHaveLength(0),
  login: () => rejectedWith('unauthorized', api.login({ body: { email: 'a@acme.example', password: 'wrong' } })),
  startLogin: async () => expect((await api.startLogin()).status).toBe(302),
  finishLogin: () => rejectedWith('invalid_request', api.finishLogin({ query: { state: 'x', code: 'y' } })),
  signInPage: async () => expect(await textOf(api.signInPage())).toContain('<form'),
  signIn: () => rejectedWith('access_denied', api.signIn({ body: { email: 'a@acme.example', password: 'wrong' } })),
  confirmLink: () => rejectedWith('access_denied', api.confirmLink({ body: { link: 'x', password: 'wrong' } })),
  checkSession: async () => expect(await api.checkSession()).toEqual({ active: false }),
  sessionTokens: () => rejectedWith('access_denied', api.sessionTokens()),
  refresh: () => rejectedWith('invalid_grant', api.refresh({ body: { refresh_token: 'x' } })),
  protectedResourceMetadata: async () => expect((await api.protectedResourceMetadata()).resource).toBe(hosts.api.url),
  authorizationServerMetadata: async () =>
    expect((await api.authorizationServerMetadata()).grant_types_supported).toContain('authorization_code'),
  openidConfiguration: async () => expect((await api.openidConfiguration()).scopes_supported).toContain('openid'),
  authorize: () => rejectedWith('invalid_request', api.authorize({ query: { client_id: 'x' } })),
  decideConsent: () => rejectedWith('access_denied', api.decideConsent({ body: { account: 'x', decision: 'deny' } })),
  loginFinished: async () => expect(await textOf(api.loginFinished())).toContain('close this window'),
  requestToken: () =>
    rejectedWith(
      'invalid_client',
      api.requestToken({ body: { grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' } }),
    ),
  introspectToken: () =>
    rejectedWith('invalid_client', api.introspectToken({ body: { token: 'x', client_id: 'x', client_secret: 'y' } })),
  revokeToken: () => rejectedWith('invalid_client', api.revokeToken({ body: { token: 'x', client_id: 'y' } })),
  authorizeDevice: async () =>
    expect((await api.authorizeDevice({ body: { client_id: 'sluice-cli' } })).interval).toBe(5),
  devicePage: async () => expect((await api.devicePage()).status).toBe(302),
  decideDevice: () => rejectedWith('access_denied', api.decideDevice({ body: { user_code: 'x' } })),
  externalLoginPage: () => rejectedWith('invalid_request', api.externalLoginPage({ query: { login: 'x' } })),
  decideExternalLogin: () => rejectedWith('access_denied', api.decideExternalLogin({ body: { login: 'x' } })),
  pollExternalLogin: () => rejectedWith('invalid_request', api.pollExternalLogin({ query: { secret: 'x' } })),
  endExternalLogin: () => api.endExternalLogin({ query: { secret: 'x' } }),
  logout: async () => expect((await api.logout()).status).toBe(302),
  backchannelLogout: () => rejectedWith('invalid_request', api.backchannelLogout({ body: { logout_token: 'x' } })),
  confirmLogout: () => rejectedWith('access_denied', api.confirmLogout()),
  startHarvest: () => api.startHarvest(),
  listHarvests: async () => {
    await until(async () => ((await api.listHarvests()).data[0]?.state === 'FINISHED' ? true : undefined), {
      what: 'the harvest',
    });
    expect((await api.listHarvests()).data).not.toHaveLength(0);
  },
  listCatalogs: async () => Object.assign(made, { catalog: (await api.listCatalogs()).data[0]?.name }),
  listCatalogFiles: () => rejectedWith('not_found', api.listCatalogFiles({ query: { state: 'problem' } })),
  listCatalogSchemas: async () => {
    const { data } = await api.listCatalogSchemas({ params: { catalog: id('catalog') } });
    Object.assign(made, { schema: data[0]?.name });
  },
  listCatalogTables: async () => {
    const params = { catalog: id('catalog'), schema: id('schema') };
    const { data } = await api.listCatalogTables({ params, query: { size: 1 } });
    Object.assign(made, { table: data[0]?.name });
  },
  getCatalogTable: async () => {
    const params = { catalog: id('catalog'), schema: id('schema'), table: id('table') };
    Object.assign(made, { tableId: (await api.getCatalogTable({ params })).id });
  },
  importMetadata: async () => {
    const metadata_objects = [{ type: 'TABLE' as const, id: id('tableId'), description: 'text' }];
    const { metadata_results } = await api.importMetadata({ body: { metadata_objects } });
    expect(metadata_results).toMatchObject([{ success: true }]);
  },
  listMetadataChanges: async () => {
    const { data } = await api.listMetadataChanges({ query: { type: 'TABLE', id: id('tableId') } });
    expect(data).toMatchObject([{ changes: [{ property: 'description', before: null, after: 'text' }] }]);
  },
  getMetadataCoverage: async () => expect((await api.getMetadataCoverage()).described_count).toBeGreaterThan(0),
  listUndescribedTables: async () => expect((await api.listUndescribedTables()).total).toBeGreaterThanOrEqual(0),
  listTags: async () => expect(await api.listTags()).toEqual({ data: [] }),
  exportMetadata: async () => expect(await textOf(api.exportMetadata({ query: { format: 'csv' } }))).toContain('text'),
  startMetadataImport: async () => {
    const line = JSON.stringify({ type: 'TABLE', id: id('tableId'), description: 'more' });
    const headers = { 'content-type': 'application/x-ndjson' };
    Object.assign(made, { import: (await api.startMetadataImport({ body: `${line}\n`, headers })).import_id });
  },
  readMetadataImport: async () => {
    const params = { id: id('import') };
    const state = await until(
      async () => {
        const { state: current } = await api.readMetadataImport({ params });
        return current === 'FINISHED' || current === 'FAILED' ? current : undefined;
      },
      { what: 'the import' },
    );
    expect(state).toBe('FINISHED');
  },
  readMetadataReport: () => textOf(api.readMetadataReport({ params: { id: id('import') } })),
  cancelMetadataImport: () => api.cancelMetadataImport({ params: { id: id('import') } }),
  createDomain: async () => Object.assign(made, { domain: (await api.createDomain({ body: { name: 'Sales' } })).id }),
  listDomains: async () => expect((await api.listDomains()).data).toHaveLength(1),
  getDomain: () => api.getDomain({ params: { id: id('domain') } }),
  listDomainObjects: async () =>
    expect(await api.listDomainObjects({ params: { id: id('domain') } })).toEqual({ total: 0, data: [] }),
  updateDomain: () => api.updateDomain({ params: { id: id('domain') }, body: { name: 'Sales 2' } }),
  deleteDomain: async () => expect(await api.deleteDomain({ params: { id: id('domain') } })).toBeUndefined(),
  createDatamap: async () =>
    Object.assign(made, {
      datamap: (await api.createDatamap({ body: { name: 'Map', sql: 'SELECT 1 AS a' } })).id,
      parametrized: (
        await api.createDatamap({
          body: { name: 'With n', sql: 'SELECT $n AS a', parameters: [{ name: 'n', type: 'bigint' }] },
        })
      ).id,
    }),
  getDatamap: () => api.getDatamap({ params: { id: id('datamap') } }),
  updateDatamap: () => api.updateDatamap({ params: { id: id('datamap') }, body: { description: 'text' } }),
  publishDatamap: async () => {
    await api.publishDatamap({ params: { id: id('parametrized') } });
    await api.publishDatamap({ params: { id: id('datamap') } });
  },
  searchDatamaps: () => api.searchDatamaps({ body: { q: 'map' } }),
  setDatamapActivity: () => api.setDatamapActivity({ params: { id: id('datamap') }, body: { rating: 5 } }),
  unpublishDatamap: async () => {
    // Unpublished at the end of the file, because an item needs it meanwhile.
    const { id: other } = await api.createDatamap({ body: { name: 'Other', sql: 'SELECT 1 AS a' } });
    Object.assign(made, { other });
    await api.publishDatamap({ params: { id: other } });
    await api.unpublishDatamap({ params: { id: other } });
  },
  archiveDatamap: () => api.archiveDatamap({ params: { id: id('other') } }),
  deleteDatamap: () => api.deleteDatamap({ params: { id: id('other') } }),
  createUser: async () => {
    const email = 'made@acme.example';
    const created = await api.createUser({ body: { email, roles: ['analyst'] } });
    Object.assign(made, { user: created.id, invitation: created.invitation?.token });
  },
  invitationPage: async () =>
    expect(await textOf(api.invitationPage({ query: { token: id('invitation') } }))).toContain('<form'),
  acceptInvitation: () => api.acceptInvitation({ body: { token: id('invitation'), password: PASSWORD } }),
  listUsers: async () => expect((await api.listUsers({ query: { q: 'made' } })).data).toHaveLength(1),
  getUser: async () => {
    // The tag of the response makes the change conditional.
    const onResponse = ({ headers }: Response): void => void Object.assign(made, { userTag: headers.get('etag') });
    expect(await api.getUser({ params: { id: id('user') }, onResponse })).toMatchObject({ id: id('user') });
  },
  updateUser: async () => {
    const change = { params: { id: id('user') }, headers: { 'if-match': id('userTag') }, body: { roles: ['steward'] } };
    await api.updateUser(change);
    await rejectedWith('precondition_failed', api.updateUser(change));
  },
  resetPassword: () => api.resetPassword({ params: { id: id('user') }, body: { password: `${PASSWORD} 2` } }),
  linkIdentity: () =>
    rejectedWith('conflict', api.linkIdentity({ params: { id: id('user') }, body: { subject: 'x' } })),
  deleteUser: () => api.deleteUser({ params: { id: id('user') } }),
  createRole: () => api.createRole({ body: { name: 'made-role', permissions: ['query:run'] } }),
  listRoles: () => api.listRoles(),
  getRole: () => api.getRole({ params: { name: 'made-role' } }),
  updateRole: () => api.updateRole({ params: { name: 'made-role' }, body: { permissions: ['audit:read'] } }),
  deleteRole: () => api.deleteRole({ params: { name: 'made-role' } }),
  listSessions: async () => Object.assign(made, { session: (await api.listSessions()).data[0]?.id }),
  endSession: () =>
    rejectedWith('not_found', api.endSession({ params: { id: '00000000-0000-4000-8000-000000000000' } })),
  endSessions: () =>
    rejectedWith('not_found', api.endSessions({ body: { account_id: '00000000-0000-4000-8000-000000000000' } })),
  getLimits: () => api.getLimits(),
  putLimits: () => api.putLimits({ body: { queries_per_user: 5 } }),
  getSessionSettings: () => api.getSessionSettings(),
  putSessionSettings: () => api.putSessionSettings({ body: { absolute_hours: 24 } }),
  getAuditSettings: () => api.getAuditSettings(),
  putAuditSettings: () => api.putAuditSettings({ body: { metadata_reads: 'recorded' } }),
  createServiceAccount: async () => {
    const created = await api.createServiceAccount({ body: { client_id: 'made-service', roles: ['service'] } });
    Object.assign(made, { service: created.id });
  },
  listServiceAccounts: () => api.listServiceAccounts(),
  getServiceAccount: () => api.getServiceAccount({ params: { id: id('service') } }),
  updateServiceAccount: () => api.updateServiceAccount({ params: { id: id('service') }, body: { roles: ['service'] } }),
  listClientSecrets: () => api.listClientSecrets({ params: { id: id('service') } }),
  addClientSecret: async () => {
    const { secret_id } = await api.addClientSecret({ params: { id: id('service') } });
    Object.assign(made, { secret: secret_id });
  },
  revokeClientSecret: () => api.revokeClientSecret({ params: { id: id('service'), secret_id: id('secret') } }),
  deleteServiceAccount: () => api.deleteServiceAccount({ params: { id: id('service') } }),
  getOAuthSettings: async () => expect(await api.getOAuthSettings()).toEqual({ client_metadata_documents: 'refused' }),
  putOAuthSettings: () => api.putOAuthSettings({ body: { client_metadata_documents: 'refused' } }),
  createOAuthClient: async () => {
    const body = {
      client_id: 'made-program',
      name: 'Program',
      type: 'confidential' as const,
      redirect_uris: ['https://program.example.com/callback'],
    };
    Object.assign(made, { program: (await api.createOAuthClient({ body })).id });
  },
  listOAuthClients: () => api.listOAuthClients(),
  getOAuthClient: () => api.getOAuthClient({ params: { id: id('program') } }),
  updateOAuthClient: () => api.updateOAuthClient({ params: { id: id('program') }, body: { scopes: ['query:run'] } }),
  replaceOAuthClientSecret: async () => {
    const { client_secret: secret } = await api.replaceOAuthClientSecret({ params: { id: id('program') } });
    expect(secret).toMatch(/^[\w-]{43}$/);
  },
  deleteOAuthClient: () => api.deleteOAuthClient({ params: { id: id('program') } }),
  createGrant: async () => {
    Object.assign(made, { item: (await stream.createMarketplaceItem({ body: { id: 'granted', ...item() } })).id });
    await api.createGrant({ body: { item_id: id('item'), kind: 'role', name: 'analyst' } });
  },
  listGrants: () => api.listGrants(),
  getGrant: () => api.getGrant({ params: { item_id: id('item'), kind: 'role', name: 'analyst' } }),
  updateGrant: () =>
    api.updateGrant({
      params: { item_id: id('item'), kind: 'role', name: 'analyst' },
      body: { expires_ts: Date.now() + DAY_MS },
    }),
  deleteGrant: () => api.deleteGrant({ params: { item_id: id('item'), kind: 'role', name: 'analyst' } }),
  putIdentityProvider: async () => {
    const body = { issuer: 'https://127.0.0.1:1', client_id: 'x', client_secret: 'y' };
    expect(await api.putIdentityProvider({ body }).catch((error: unknown) => error)).toBeDefined();
  },
  getIdentityProvider: async () => {
    await api.getIdentityProvider().catch((error: unknown) => expect(error).toMatchObject({ code: 'not_found' }));
  },
  testIdentityProvider: () => rejectedWith('not_found', api.testIdentityProvider()),
  deleteIdentityProvider: async () => {
    await api.deleteIdentityProvider().catch((error: unknown) => expect(error).toMatchObject({ code: 'not_found' }));
  },
  applyConfiguration: () => api.applyConfiguration({ body: { dry_run: true, domains: [{ name: 'Applied' }] } }),
  searchAuditLogs: () => api.searchAuditLogs({ body: { size: 1 } }),
  nextAuditPage: async () => {
    const { next_page_token } = await api.searchAuditLogs({ body: { size: 1 } });
    expect((await api.nextAuditPage({ query: { page_token: next_page_token ?? '' } })).data).toHaveLength(1);
  },
  exportAuditLogs: async () => expect(await textOf(api.exportAuditLogs({ body: {} }))).toContain('"hash"'),
  exportAuditEvidence: () =>
    firstBytesOf(api.exportAuditEvidence({ query: { start: Date.now() - DAY_MS, end: Date.now() + DAY_MS } })),
  streamAuditLogs: () => firstBytesOf(api.streamAuditLogs({ query: { after: '0' } })),
  summarizeAuditLogs: async () => {
    const query = { by: 'user', start: Date.now() - DAY_MS, end: Date.now() + DAY_MS } as const;
    expect((await api.summarizeAuditLogs({ query })).data).not.toEqual([]);
  },
  listAuditCheckpoints: () => api.listAuditCheckpoints(),
  createTenant: () => operator.api.createTenant({ body: { name: 'made', admin_email: 'a@made.example' } }),
  listTenants: () => operator.api.listTenants(),
  listKeys: async () => {
    const { data } = await operator.api.listKeys();
    Object.assign(made, { key: data.find(({ state }) => state === 'next')?.kid });
  },
  revokeKey: () => operator.api.revokeKey({ params: { kid: id('key') } }),
  rotateKeys: () => operator.api.rotateKeys({ query: { immediate: false } }),
  getTenant: () => operator.api.getTenant({ params: { name: 'made' } }),
  updateTenant: () => operator.api.updateTenant({ params: { name: 'made' }, body: { email_domains: null } }),
  inviteAdmin: () => operator.api.inviteAdmin({ params: { name: 'made' }, body: {} }),
  suspendTenant: () => operator.api.suspendTenant({ params: { name: 'made' } }),
  resumeTenant: () => operator.api.resumeTenant({ params: { name: 'made' } }),
  removeTenant: async () => {
    await operator.api.suspendTenant({ params: { name: 'made' } });
    await operator.api.removeTenant({ params: { name: 'made' }, headers: { 'x-confirm': 'made' } });
  },
};

const body = { sql: 'SELECT 1 AS a' };
const requestAccess = async (): Promise<{ id: string; request_id: string }> => {
  const { email, password } = await hosts.build.user(hosts.acme);
  const urls = { tenant: 'acme', streamUrl: hosts.url, apiUrl: hosts.api.url };
  const member = createClient({ ...urls, auth: { email, password } });
  const params = { id: 'made' };
  const { request_id } = await member.stream.requestMarketplaceAccess({ params, body: { reason: 'work' } });
  return { ...params, request_id };
};

/** A download in every format. */
const downloads = Object.fromEntries(
  downloadFormats.map(([name]) => {
    const { id: operation } = downloadOperation(name);
    return [operation, () => firstBytesOf(stream[operation as 'downloadCsv']({ body }))];
  }),
) as Pick<Calls<StreamOperationTypes>, `download${Capitalize<DownloadFormatName>}`>;

const streamCalls: Calls<StreamOperationTypes> = {
  root: () => stream.root(),
  health: () => stream.health(),
  live: () => stream.live(),
  ready: () => stream.ready(),
  getMe: () => stream.getMe(),
  protectedResourceMetadata: async () =>
    expect(await stream.protectedResourceMetadata()).toMatchObject({
      resource: hosts.url,
      authorization_servers: ['https://acme.issuer.test'],
    }),
  streamQuery: async () => {
    const response = await stream.streamQuery({ body: { sql: 'SELECT $n AS a', parameters } });
    Object.assign(made, { query: response.headers.get('x-query-id') });
    const events = await response.text();
    expect(events).toContain(`"a":${EXACT}`);
    expect(events).toContain('"type":"complete"');
  },
  getQuery: async () => expect((await stream.getQuery({ params: { id: id('query') } })).state).toBe('FINISHED'),
  readRows: () => rejectedWith('not_found', stream.readRows({ params: { id: id('query') }, query: { size: 1 } })),
  resumeEvents: () =>
    rejectedWith('not_found', stream.resumeEvents({ params: { id: id('query') }, query: { after: 1 } })),
  getResult: () => rejectedWith('not_found', stream.getResult({ params: { id: id('query') } })),
  shareResult: () =>
    rejectedWith('not_found', stream.shareResult({ params: { id: id('query') }, body: { shares: [] } })),
  deleteResult: () => rejectedWith('not_found', stream.deleteResult({ params: { id: id('query') } })),
  downloadResult: () =>
    rejectedWith('not_found', stream.downloadResult({ params: { id: id('query'), format: 'csv' }, query: {} })),
  cancelQuery: () => stream.cancelQuery({ params: { id: id('query') } }),
  listQueries: () => stream.listQueries(),
  listQueryHistory: async () =>
    expect((await stream.listQueryHistory({ query: { size: 1 } })).data).toMatchObject([{ query_id: id('query') }]),
  listTenantQueries: () => stream.listTenantQueries(),
  cancelTenantQuery: () =>
    rejectedWith('not_found', stream.cancelTenantQuery({ params: { id: '00000000-0000-4000-8000-000000000000' } })),
  ...downloads,
  downloadCsv: async () => expect(await textOf(stream.downloadCsv({ body }))).toBe('a\n1\n'),
  downloadNdjson: async () => expect(await textOf(stream.downloadNdjson({ body }))).toBe('{"a":1}\n'),
  createMarketplaceItem: async () => {
    const queries = [{ name: 'q', datamap_id: id('parametrized') }];
    await stream.createMarketplaceItem({ body: { ...PARAMETRIZED, title: 'With n', queries } });
    await stream.createMarketplaceItem({ body: { id: 'made', ...item() } });
  },
  listMarketplace: () => stream.listMarketplace(),
  getMarketplaceItem: () => stream.getMarketplaceItem({ params: { id: 'made' } }),
  updateMarketplaceItem: () =>
    stream.updateMarketplaceItem({ params: { id: 'made' }, body: { ...item(), title: 'Item 2' } }),
  requestMarketplaceAccess: requestAccess,
  listMarketplaceAccess: () => stream.listMarketplaceAccess({ params: { id: 'made' } }),
  countAccessRequests: async () =>
    expect(await stream.countAccessRequests()).toMatchObject({
      open: expect.any(Number),
      own_open: expect.any(Number),
    }),
  listAccessRequests: async () =>
    expect(await stream.listAccessRequests({ query: { scope: 'inbox', size: 1 } })).toMatchObject({
      total: expect.any(Number),
    }),
  approveMarketplaceAccess: async () => stream.approveMarketplaceAccess({ params: await requestAccess(), body: {} }),
  refuseMarketplaceAccess: async () => stream.refuseMarketplaceAccess({ params: await requestAccess(), body: {} }),
  putMarketplaceGrants: () =>
    stream.putMarketplaceGrants({ params: { id: 'made' }, body: { grants: [{ kind: 'role', name: 'analyst' }] } }),
  getMarketplaceGrants: () => stream.getMarketplaceGrants({ params: { id: 'made' } }),
  downloadMarketplace: async () => {
    const query = { ...PARAMETRIZED, format: 'ndjson' as const };
    expect(await textOf(stream.downloadMarketplace({ query, body: { parameters } }))).toBe(`{"a":${EXACT}}\n`);
  },
  downloadMarketplaceCsv: async () =>
    expect(await textOf(stream.downloadMarketplaceCsv({ params: PARAMETRIZED, body: { parameters } }))).toBe(
      `a\n${EXACT}\n`,
    ),
  downloadMarketplaceJson: async () =>
    expect(await textOf(stream.downloadMarketplaceJson({ params: PARAMETRIZED, body: { parameters } }))).toContain(
      EXACT,
    ),
  getMarketplaceCsv: async () =>
    expect(await textOf(stream.getMarketplaceCsv({ params: PARAMETRIZED, query: { 'p.n': EXACT } }))).toBe(
      `a\n${EXACT}\n`,
    ),
  getMarketplaceJson: () => firstBytesOf(stream.getMarketplaceJson({ params: { id: 'made' } })),
  getMarketplaceFile: () => firstBytesOf(stream.getMarketplaceFile({ params: { id: 'made', format: 'xlsx' } })),
  getDatamapFile: async () => {
    const params = { id: id('parametrized'), format: 'csv' as const };
    expect(await textOf(stream.getDatamapFile({ params, query: { 'p.n': EXACT } }))).toBe(`a\n${EXACT}\n`);
  },
  createTicket: async () => {
    const ticket = await stream.createTicket({ body: { method: 'POST', path: '/query/download/csv', body } });
    Object.assign(made, { ticket: ticket.url.split('/').at(-1) });
  },
  useTicket: async () => expect(await textOf(stream.useTicket({ params: { id: id('ticket') } }))).toBe('a\n1\n'),
  deleteMarketplaceItem: () => stream.deleteMarketplaceItem({ params: { id: 'made' } }),
};

it('calls every operation in the OpenAPI documents that the hosts serve', async () => {
  for (const [host, calls] of [
    ['stream', streamCalls],
    ['api', apiCalls],
  ] as const) {
    const get = (path: string): Promise<Response> => admin.request({ host, method: 'GET', path });
    const { paths } = (await (await get('/openapi.json')).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map(({ operationId }) => ({ path, operationId })),
    );
    const others = operations.filter(({ operationId }) => !Object.hasOwn(calls, operationId));
    // Descriptions and pages for people are not functions of the client. Raw requests reach them.
    expect(others.filter(({ path }) => !/^\/(?:openapi\.json$|docs\b|console\b)/.test(path))).toEqual([]);
    expect((await get('/docs')).status).toBe(200);
  }
});

it('has a call of every operation of both hosts, and a function of the client', () => {
  expect(Object.keys(apiCalls).sort()).toEqual(Object.keys({ ...apiOperations, ...operatorOperations }).sort());
  expect(Object.keys(streamCalls).sort()).toEqual(Object.keys(streamOperations).sort());
  expect(Object.keys(api).sort()).toEqual(Object.keys(apiCalls).sort());
  expect(Object.keys(stream).sort()).toEqual(Object.keys(streamCalls).sort());
});

it.each(Object.keys(apiCalls))('the API host answers %s', (name) => apiCalls[name as keyof ApiOperationTypes]());
it.each(Object.keys(streamCalls))('the stream host answers %s', (name) =>
  streamCalls[name as keyof StreamOperationTypes](),
);
