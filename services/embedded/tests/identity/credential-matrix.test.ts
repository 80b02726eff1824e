import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiOperations, type Operation, type Permission, streamOperations } from '@sluice/contract';
import { reservePort, send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  authorizeProgram,
  bearer,
  type Credential,
  clientToken,
  idtoken,
  logIn,
  postForm,
  type Tokens,
} from '@sluice/testkit/requests';

/** Every operation of both hosts that needs a credential, with every kind of token in every way in which it can be wrong. */

type HostName = 'stream' | 'api';

interface GuardedOperation {
  readonly host: HostName;
  readonly name: string;
  readonly operation: Operation;
}

const guardedOf = (host: HostName, operations: Readonly<Record<string, Operation>>): GuardedOperation[] =>
  Object.values(operations)
    .filter(({ credentials }) => credentials.length > 0)
    .map((operation) => ({ host, name: `${host} ${operation.method} ${operation.path}`, operation }));

const GUARDED = [...guardedOf('stream', streamOperations), ...guardedOf('api', apiOperations)];

/** The scope of the program in this file. Every other permission is refused, although its user has all of them. */
const SCOPE: Permission = 'datamap:read';

/** Operations without a permission that a program with any scope may use: about itself, or limited by what their handlers check. */
const OPEN_TO_ANY_SCOPE: readonly string[] = [
  'api GET /me',
  'stream GET /me',
  'stream GET /query/{id}',
  'stream POST /tickets',
];

/** Tables of what users create and read. Those of accounts, sessions and records are read for each request. */
const CONTENT_TABLES = [
  'catalogs',
  'catalog_schemas',
  'catalog_tables',
  'catalog_columns',
  'datamaps',
  'datamap_fields',
  'domains',
  'facts',
  'fact_fields',
  'identity_providers',
  'marketplace_items',
  'marketplace_grants',
  'queries',
];

/** An idle connection reports its statistics after ten seconds (PostgreSQL, PGSTAT_IDLE_INTERVAL). */
const STATISTICS_MS = 11_000;
/** Scans by periodic tasks of the hosts meanwhile. The refused requests are over a thousand, and hundreds for one table alone. */
const PERIODIC_SCANS_MAX = 20;
const UNNAMED = '00000000-0000-4000-8000-000000000000';

let hosts: TestHosts;
/** Credentials that every operation refuses with 401, by what is wrong. */
let refused: ReadonlyMap<string, Credential>;
/** Token of a program that an administrator let log in with one permission. */
let narrowed: Credential;
/** Tokens of programs that are for the other host only (RFC 8707), by the host that gets them. */
let misdirected: Readonly<Record<HostName, Credential>>;

const tokenOf = async (form: Readonly<Record<string, string>>): Promise<Tokens> => {
  const { status, body, text } = await postForm(`${hosts.api.url}/auth/acme/oauth2/token`, form);
  if (status !== 200) throw new Error(`the token endpoint returned ${status}: ${text}`);
  return body as Tokens;
};

const withoutSignature = ({ access_token: token }: Tokens, header: object): string =>
  [Buffer.from(JSON.stringify(header)).toString('base64url'), token.split('.')[1], ''].join('.');

async function createRefused(): Promise<Map<string, Credential>> {
  const { build, acme, ann } = hosts;
  const good = await logIn(hosts, ann);
  const ended = await logIn(hosts, ann);
  await send(`${hosts.api.url}/auth/logout/acme`, { headers: { idtoken: ended.id_token } });
  const disabledUser = await build.user(acme);
  const disabled = await logIn(hosts, disabledUser);
  await hosts.rows('update users set disabled = true where id = $1', [disabledUser.id]);
  const disabledClient = await build.client(acme);
  const ofDisabledClient = await clientToken(hosts, disabledClient);
  await hosts.rows('update clients set disabled = true where id = $1', [disabledClient.id]);
  const codeForm = await authorizeProgram(hosts.api.url, ann, SCOPE);
  const program = await tokenOf(codeForm);
  const { id_token: idToken } = await tokenOf(await authorizeProgram(hosts.api.url, ann, `${SCOPE} openid`));
  const revoked = await tokenOf(await authorizeProgram(hosts.api.url, ann, SCOPE));
  const revocation = { token: revoked.refresh_token, client_id: 'sluice-cli' };
  await postForm(`${hosts.api.url}/auth/acme/oauth2/revoke`, revocation);
  const device = await postForm(`${hosts.api.url}/auth/acme/oauth2/device_authorization`, { client_id: 'sluice-cli' });
  const [head = '', body = '', signature = ''] = good.access_token.split('.');
  return new Map<string, Credential>([
    ['no credential', {}],
    ['an access token as idtoken', idtoken(good.access_token)],
    ['an ID token after Bearer', bearer(good.id_token)],
    ['a refresh token', bearer(good.refresh_token)],
    ['the access token of a program as idtoken', idtoken(program.access_token)],
    ['the refresh token of a program', bearer(program.refresh_token)],
    ['the ID token of a program as idtoken', idtoken(idToken)],
    ['the ID token of a program after Bearer', bearer(idToken)],
    ['an authorization code', bearer(codeForm['code'] ?? '')],
    ['a device code', bearer(String(device.body.device_code))],
    ['a token of an ended session', idtoken(ended.id_token)],
    ['a token of a revoked program', bearer(revoked.access_token)],
    ['a token of a disabled user', idtoken(disabled.id_token)],
    ['a token of a disabled service account', bearer(ofDisabledClient)],
    ['a token with another signature', bearer([head, body, `${signature.slice(0, -8)}AAAAAAAA`].join('.'))],
    ['a token without signature', bearer(withoutSignature(good, { alg: 'none', typ: 'at+jwt' }))],
    ['random text', bearer(randomBytes(32).toString('base64url'))],
  ]);
}

const urlOf = ({ host, operation }: GuardedOperation): string =>
  (host === 'api' ? hosts.api.url : hosts.url) + operation.path.replaceAll(/\{\w+\}/g, UNNAMED);

/** Sends a body that is never valid: it must not matter. */
const request = (guarded: GuardedOperation, credential: Credential) => {
  const { method } = guarded.operation;
  const hasBody = method !== 'GET' && method !== 'DELETE';
  return send(urlOf(guarded), {
    method,
    headers: { 'content-type': 'application/json', ...credential },
    ...(hasBody ? { body: '{"no":"such key"}' } : {}),
  });
};

/** Returns how often the tables of content were scanned, since the statistics began. */
async function countScans(): Promise<Record<string, number>> {
  const rows = await hosts.rows<{ name: string; scans: number }>(
    `select relname as name, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::float8 as scans
     from pg_stat_user_tables where relname = any ($1) order by relname`,
    [CONTENT_TABLES],
  );
  return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]));
}

let scansBefore: Record<string, number>;
let recordsBefore: string;

beforeAll(async () => {
  const port = await reservePort();
  const apiSettings = { STREAM_PUBLIC_URL: `http://127.0.0.1:${port}` };
  hosts = await startHosts({ STREAM_PORT: String(port) }, { apiSettings });
  refused = await createRefused();
  const admin = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  narrowed = bearer((await tokenOf(await authorizeProgram(hosts.api.url, admin, SCOPE))).access_token);
  const ofHost = async (resource: string) => {
    const form = await authorizeProgram(hosts.api.url, admin, SCOPE);
    return bearer((await tokenOf({ ...form, resource })).access_token);
  };
  misdirected = { stream: await ofHost(hosts.api.url), api: await ofHost(hosts.url) };
  await wait(STATISTICS_MS);
  scansBefore = await countScans();
  const [last] = await hosts.rows<{ occurred: string }>('select max(occurred)::text as occurred from audit_log');
  recordsBefore = last?.occurred ?? '-infinity';
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

describe('a wrong credential is refused with 401', () => {
  it.each(GUARDED.map((guarded) => [guarded.name, guarded] as const))('by %s', async (_name, guarded) => {
    const statuses: Record<string, number> = {};
    const wrong = new Map([...refused, ['a token for the other host', misdirected[guarded.host]] as const]);
    for (const [defect, credential] of wrong) statuses[defect] = (await request(guarded, credential)).status;
    expect(statuses).toEqual(Object.fromEntries([...wrong.keys()].map((defect) => [defect, 401])));
  });
});

describe('a program has the permissions of its scope only', () => {
  const beyond = GUARDED.filter(
    ({ operation }) => operation.permission !== undefined && operation.permission !== SCOPE,
  );

  it.each(beyond.map((guarded) => [guarded.name, guarded] as const))('at %s', async (_name, guarded) => {
    const answer = await request(guarded, narrowed);
    expect([answer.status, answer.body.error]).toEqual([403, 'access_denied']);
    const records = await hosts.rows('select action, metadata from audit_log where request_id = $1', [
      answer.headers['x-request-id'],
    ]);
    expect(records).toEqual([{ action: 'ACCESS_DENIED', metadata: { permission: guarded.operation.permission } }]);
  });
});

describe('a program with a scope does not get what users need no permission for', () => {
  /** Operations that any session may use. */
  const OPEN: readonly string[] = OPEN_TO_ANY_SCOPE;
  const withoutPermission = GUARDED.filter(({ operation }) => operation.permission === undefined);
  const beyond = withoutPermission.filter(
    ({ operation: { scopeNeeds } }) => scopeNeeds === 'account' || scopeNeeds?.includes(SCOPE) === false,
  );

  it('unless it is one of these', () => {
    const open = withoutPermission.filter(({ operation }) => operation.scopeNeeds === undefined);
    expect(open.map(({ name }) => name).sort()).toEqual([...OPEN].sort());
  });

  it.each(beyond.map((guarded) => [guarded.name, guarded] as const))('at %s', async (_name, guarded) => {
    const answer = await request(guarded, narrowed);
    expect([answer.status, answer.body.error]).toEqual([403, 'access_denied']);
    expect(answer.body.message).toContain('This session is limited to a scope');
    const records = await hosts.rows('select action, metadata from audit_log where request_id = $1', [
      answer.headers['x-request-id'],
    ]);
    expect(records).toEqual([{ action: 'ACCESS_DENIED', metadata: { reason: 'scope' } }]);
  });
});

describe('a refused request', () => {
  it('reads nothing of what users created, and starts no query', async () => {
    await wait(STATISTICS_MS);
    const scans = Object.entries(await countScans()).map(([table, count]) => [
      table,
      count - (scansBefore[table] ?? 0),
    ]);
    expect(scans.filter(([, count]) => Number(count) > PERIODIC_SCANS_MAX)).toEqual([]);
    expect(scans).toHaveLength(CONTENT_TABLES.length);
    expect(await hosts.rows('select 1 from queries')).toEqual([]);
    // A description of a statement is recorded before the engine plans it.
    expect(await hosts.rows('select distinct action from audit_log where occurred > $1', [recordsBefore])).toEqual([
      { action: 'ACCESS_DENIED' },
    ]);
  }, 30_000);
});
