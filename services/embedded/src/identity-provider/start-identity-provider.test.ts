import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { startIdentityProvider } from './start-identity-provider.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('startIdentityProvider', () => {
  it('passes passwords and secrets to its process where other users of the machine cannot read them', async () => {
    const client = { clientId: 'c', redirectUris: ['http://127.0.0.1/'], postLogoutRedirectUris: [] };
    await using provider = await startIdentityProvider({
      port: await freePort(),
      people: [{ email: 'ann@acme.example', password: 'canary-password', groups: [], about: '', clientId: 'c' }],
      clients: [{ ...client, clientSecret: 'canary-secret' }],
    });
    expect((await fetch(`${provider.issuer}/.well-known/openid-configuration`)).status).toBe(200);
    const commands = execFileSync('ps', ['-ww', '-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
    expect(commands).toContain('identity-provider');
    expect(commands).not.toMatch(/canary/);
  });

  it('shows its login page in the language of the reader, and again after a wrong password', async () => {
    const redirectUri = 'http://127.0.0.1/';
    const person = { email: 'ann@acme.example', password: 'right', groups: [], about: 'analyst', clientId: 'c' };
    await using provider = await startIdentityProvider({
      port: await freePort(),
      people: [person],
      clients: [{ clientId: 'c', clientSecret: 's', redirectUris: [redirectUri], postLogoutRedirectUris: [] }],
    });
    const query = new URLSearchParams({
      ...{ client_id: 'c', response_type: 'code', scope: 'openid', redirect_uri: redirectUri },
      ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
    });
    const begun = await fetch(`${provider.issuer}/auth?${query}`, { redirect: 'manual' });
    const cookie = begun.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const url = new URL(begun.headers.get('location') ?? '', provider.issuer);
    const headers = { cookie, 'accept-language': 'de' };
    const page = await (await fetch(url, { headers })).text();
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('<strong>ann@acme.example</strong><small>führt Abfragen aus</small>');
    const body = new URLSearchParams({ email: person.email, password: 'wrong' });
    const again = await fetch(url, { method: 'POST', headers, body });
    const text = await again.text();
    expect([again.status, text.includes('E-Mail oder Passwort ist falsch.')]).toEqual([401, true]);
    expect(text).toMatch(/id="email"[^>]* value="ann@acme.example"/);
    expect(text).toMatch(/id="password"[^>]* autofocus/);
  });
});
