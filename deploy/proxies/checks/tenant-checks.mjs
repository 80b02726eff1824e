/** Tenants, addresses and forged headers through a proxy. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { until } from '@sluice/testkit';
import { send } from '../../helm/checks/manifest-cluster.mjs';
import { duckdb } from '../../helm/checks/manifest-fixture.mjs';
import { basic, emailOf, hostOf, json, PASSWORD } from '../../helm/checks/manifest-tenants.mjs';
import { postJson, signIn } from './proxied-cluster.mjs';
import { fetchText } from './tls-client.mjs';

const [api, stream] = ['api', 'stream'].map((suffix) => hostOf('acme', suffix));
const [otherApi, otherStream] = ['api', 'stream'].map((suffix) => hostOf('globex', suffix));
const FORGED_ADDRESS = '203.0.113.9';
const FORGED = {
  'x-forwarded-host': otherApi,
  'x-forwarded-for': FORGED_ADDRESS,
  'x-forwarded-proto': 'http',
  'x-forwarded-port': '1',
  'x-real-ip': FORGED_ADDRESS,
  forwarded: `for=${FORGED_ADDRESS};host=${otherApi};proto=http`,
};
const SQL = JSON.stringify({ sql: duckdb.sql });

const assertStatus = async (expected, response) => {
  const { status, text } = await response;
  assert.ok([expected].flat().includes(status), `${status} ${text}`);
};

/** Credentials and ids of acme on the host names of globex. */
export async function checkTenants({ client }) {
  const { id_token: idtoken, access_token: access, refresh_token: refresh } = await signIn(client, 'acme');
  const credentials = [{ idtoken }, { authorization: `Bearer ${access}` }, basic(emailOf('acme'))];
  for (const headers of credentials) {
    await assertStatus(200, fetchText(client, stream, '/query', post(SQL, headers)));
    await assertStatus(401, fetchText(client, otherStream, '/query', post(SQL, headers)));
    await assertStatus(401, fetchText(client, otherApi, '/me', { headers }));
  }
  const refreshing = post(JSON.stringify({ refresh_token: refresh }));
  await assertStatus([400, 401], fetchText(client, otherApi, '/auth/refresh/globex', refreshing));
  const { cookie } = await signInForCookie(client);
  await assertStatus(
    204,
    fetchText(client, otherApi, '/auth/session/globex', post('', { cookie, origin: `https://${otherApi}` })),
  );
  await checkIds(client, idtoken);
}

async function checkIds(client, idtoken) {
  const other = basic(emailOf('globex'));
  const run = await fetchText(client, stream, '/query', post(SQL, { idtoken }));
  const path = `/query/${run.headers['x-query-id']}`;
  await assertStatus(200, fetchText(client, stream, path, { headers: { idtoken } }));
  await assertStatus(404, fetchText(client, otherStream, path, { headers: other }));
  await assertStatus(404, fetchText(client, otherStream, path, { method: 'DELETE', headers: other }));
  const search = await fetchText(client, api, '/audits/logs/search', post('{"size":1}', { idtoken }));
  const { next_page_token: page } = JSON.parse(search.text);
  const { id_token: otherToken } = await signIn(client, 'globex');
  await assertStatus(
    400,
    fetchText(client, otherApi, `/audits/logs/search?page_token=${page}`, { headers: { idtoken: otherToken } }),
  );
}

/** A ticket works on its tenant's host name only, and its address is in no log. */
export async function checkTicket({ client, proxy, from }) {
  const { id_token: idtoken } = await signIn(client, 'acme');
  const body = JSON.stringify({ method: 'POST', path: '/query/download/csv', body: { sql: duckdb.sql } });
  const created = await fetchText(client, stream, '/tickets', post(body, { idtoken }));
  assert.equal(created.status, 201, created.text);
  const { url } = JSON.parse(created.text);
  await assertStatus(404, fetchText(client, otherStream, url));
  await assertStatus(200, fetchText(client, stream, url));
  await assertStatus(200, fetchText(client, stream, '/query/history', { headers: { idtoken } }));
  const isLogged = () =>
    proxy
      .log()
      .split('\n')
      .some((line) => line.includes(`${from} `) && line.includes('/query/history'));
  await until(() => isLogged() || undefined, { what: 'the log line of the next request', withinMs: 30_000 });
  assert.doesNotMatch(proxy.log(), /\/tickets\/./);
  assert.doesNotMatch(proxy.errors(), /\/tickets\/./);
}

const post = (body, headers = {}) => ({ method: 'POST', headers: { ...json, ...headers }, body });

/** Signs in as the page of the API host does. Returns the redirect, the cookies' attributes and the session cookie. */
async function signInForCookie(client, headers = {}) {
  const body = new URLSearchParams({ email: emailOf('acme'), password: PASSWORD, return_to: '/console/' }).toString();
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: `https://${api}`, ...headers };
  const options = { method: 'POST', headers: form, body };
  const { status, text, headers: received } = await fetchText(client, api, '/auth/sign-in/acme', options);
  assert.equal(status, 303, text);
  const set = [received['set-cookie']].flat();
  return {
    location: received.location,
    attributes: set.map((each) => each.replace(/=[^;]*/, '').replace(/(Expires|Max-Age)=[^;]*/gi, '$1')),
    cookie: set.map((each) => each.split(';')[0]).join('; '),
  };
}

/** Forwarded headers of a client change nothing. */
export async function checkForgedHeaders({ client }) {
  const honest = await signInForCookie(client);
  const forged = await signInForCookie(client, FORGED);
  assert.equal(forged.location, honest.location);
  assert.deepEqual(forged.attributes, honest.attributes);
  for (const attribute of honest.attributes) assert.match(attribute, /^__Host-.*Secure/i);
  const { id_token: idtoken } = await signIn(client, 'acme', FORGED);
  await assertStatus(200, fetchText(client, stream, '/query', post(SQL, { idtoken, ...FORGED })));
  await assertStatus(
    401,
    fetchText(client, otherStream, '/query', post(SQL, { idtoken, ...FORGED, 'x-forwarded-host': stream })),
  );
  const { headers } = await fetchText(client, api, '/me', { headers: { idtoken, ...FORGED } });
  assert.match(headers['strict-transport-security'], /max-age/);
}

/** The Host header names the tenant; other names, and two at once, are refused. */
export async function checkForgedHost({ client, proxy, from }, ca) {
  const headers = { idtoken: (await signIn(client, 'acme')).id_token };
  // A browser may use one connection for several names of a certificate (RFC 9113 section 9.1.1).
  await assertStatus(401, fetchText(client, otherApi, '/me', { headers, servername: api }));
  await assertStatus(421, fetchText(client, 'attacker.example', '/me', { headers, servername: api }));
  const raw = async (lines) => (await sendRaw(proxy, { ca, from, servername: api }, lines)).split('\r\n')[0];
  const idtoken = `idtoken: ${headers.idtoken}`;
  assert.match(await raw(['GET /me HTTP/1.1', `Host: ${api}`, idtoken]), / 200 /);
  assert.match(await raw(['GET /me HTTP/1.1', `Host: ${api}`, `Host: ${otherApi}`, idtoken]), / 400 /);
  assert.match(await raw([`GET https://${otherApi}/me HTTP/1.1`, `Host: ${api}`, idtoken]), / 40[01] /);
  assert.match(await raw(['GET /query HTTP/1.0', `Host: ${stream}`, idtoken]), / 505 /);
}

/** Sends lines and returns what arrives until the connection closes. */
async function sendRaw({ address, port }, { ca, from, servername }, lines) {
  const socket = connect({ host: address, port, ca, servername, localAddress: from, ALPNProtocols: ['http/1.1'] });
  let text = '';
  socket.setEncoding('utf8').on('data', (more) => (text += more));
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  await once(socket, 'close');
  return text;
}

/** The audit log has each client's own address, of the API host and of the stream host. */
export async function checkAddresses({ client, from }, userAgent) {
  const agent = { 'user-agent': userAgent, ...FORGED };
  const { id_token: idtoken } = await signIn(client, 'acme', agent);
  await assertStatus(200, fetchText(client, stream, '/query', post(SQL, { idtoken, ...agent })));
  const response = await postJson(
    client,
    api,
    '/auth/login/acme',
    { email: 'nobody@acme.example', password: userAgent },
    agent,
  );
  assert.equal(response.status, 401);
  response.stream.resume();
  const expected = ['LOGIN', 'LOGIN_FAILED', 'RUN_QUERY'];
  const records = await until(
    async () => {
      const { text } = await fetchText(client, api, '/audits/logs/search', post('{"size":100}', { idtoken }));
      const found = JSON.parse(text).data.filter(({ user_agent: name }) => name === userAgent);
      return expected.every((action) => found.some((record) => record.action === action)) ? found : undefined;
    },
    { what: 'records of the requests', withinMs: 30_000 },
  );
  // The first login through a proxy is one from a new device.
  const actions = records.map(({ action }) => action).filter((action) => action !== 'NEW_DEVICE');
  assert.deepEqual(actions.toSorted(), expected);
  assert.deepEqual([...new Set(records.map(({ address }) => address))], [from]);
}

/** Plain HTTP only leads to https, on the tenants' own names. */
export async function checkRedirect({ proxy }) {
  const url = `http://${proxy.address}:${proxy.httpPort}/docs?x=1`;
  const own = await send(url, { host: api });
  assert.equal(own.status, 308);
  assert.equal(own.headers.location, `https://${api}/docs?x=1`);
  const other = await send(url, { host: 'attacker.example' });
  assert.equal(other.status, 421);
}
