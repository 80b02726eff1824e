import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reservePort, send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { postForm } from '@sluice/testkit/requests';
import { LOGIN_CLIENTS, type LoginClient } from './client-programs.ts';
import type { ClientTarget } from './client-target.ts';
import { startTlsProxy, type TlsProxy } from './start-tls-proxy.ts';

const LONG_MS = 600_000;

let folder: string;
let hosts: TestHosts;
let tls: TlsProxy;
let target: ClientTarget;
let cookie: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-external-logins-'));
  const port = await reservePort();
  const issuer = { ISSUER_TEMPLATE: `http://127.0.0.1:${port}/auth/{tenant}` };
  const settings = { ...issuer, DEFAULT_TENANT: 'acme', TRINO_DOOR: 'true', TRUSTED_PROXIES: 'loopback' };
  hosts = await startHosts(settings, { apiSettings: { ...issuer, API_PORT: String(port) } });
  tls = await startTlsProxy([hosts.url], folder);
  const { email, password } = hosts.ann;
  target = { url: tls.url, authority: tls.authority, user: email, catalog: 'shop', schema: 'main' };
  const fields = { email, password };
  const signedIn = await postForm(`${hosts.api.url}/auth/sign-in/acme`, fields, { origin: hosts.api.url });
  cookie = (signedIn.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  for (const client of LOGIN_CLIENTS) await client.install();
}, LONG_MS);
afterAll(async () => {
  await tls?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const ADDRESS = /http:\S+\/auth\/external\/\S+/;

/** Opens the page that a client printed, and decides as its user. */
async function decide(address: string, decision: 'approve' | 'deny'): Promise<void> {
  const headers = { accept: 'text/html', cookie };
  expect((await send(address, { headers })).status).toBe(200);
  const url = new URL(address);
  const login = url.searchParams.get('login') ?? '';
  const fields = { login, account: hosts.ann.id, decision };
  const decided = await postForm(`${url.origin}${url.pathname}`, fields, { ...headers, origin: hosts.api.url });
  expect(decided.status).toBe(200);
}

/** Runs a client, and decides about the login whose address it prints. */
async function logIn(client: LoginClient, decision: 'approve' | 'deny') {
  let output = '';
  let decided: Promise<void> | undefined;
  const ended = client.logIn(target, (text) => {
    output += text;
    // The address ends with a line, or with what follows it.
    const address = ADDRESS.exec(output)?.[0];
    if (address !== undefined) decided ??= decide(address, decision);
  });
  const end = await ended;
  await decided;
  return end;
}

describe.each(LOGIN_CLIENTS)('$name, whose user has given it no password', (client) => {
  it(
    'prints the address of the login, and works once its user has let it in',
    async () => {
      const { code, stdout, stderr } = await logIn(client, 'approve');
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout).toMatch(ADDRESS);
      expect(stdout).toContain(`I am ${hosts.ann.email}`);
    },
    LONG_MS,
  );

  it(
    'fails when its user denies it, and has run nothing',
    async () => {
      const before = await hosts.rows('select 1 from queries');
      const { code, stdout } = await logIn(client, 'deny');
      expect(code).not.toBe(0);
      expect(stdout).not.toContain('I am');
      expect(await hosts.rows('select 1 from queries')).toHaveLength(before.length);
    },
    LONG_MS,
  );
});
