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
});
