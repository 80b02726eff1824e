import { describe, expect, it } from '@jest/globals';
import { operation, startApp } from '../../testing/start-app.ts';
import { type AppOptions, json, route } from '../index.ts';

const plain = operation({ id: 'plain', path: '/plain', credentials: ['basic', 'idtoken', 'bearer'] });
const door = operation({ ...plain, id: 'door', path: '/door', basicNeedsTls: true });
const routes = [plain, door].map((each) => route(each, async () => json(200, {})));

const BASIC = { authorization: `Basic ${Buffer.from('ann:secret').toString('base64')}` };
const TOKEN = { idtoken: 'ann@acme' };
const proxied = (scheme: string) => ({ 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': scheme });

/** Returns the error of a request, or its status. */
const answerTo = async (path: string, headers: Record<string, string>, options: Partial<AppOptions> = {}) => {
  await using started = await startApp({ routes, trustedProxies: ['loopback'], ...options });
  const response = await fetch(started.address(path), { headers });
  const { message } = (await response.json()) as { message?: string };
  return message ?? response.status;
};

const REFUSED = expect.stringContaining('A password is accepted here over https only');
// The test authenticator knows no passwords.
const ASKED = 'Send a valid ID token in the idtoken header.';

describe('a password at an operation that needs TLS', () => {
  it('is refused over http from another computer', async () => {
    expect(await answerTo('/door', { ...BASIC, ...proxied('http') })).toEqual(REFUSED);
    expect(await answerTo('/door', { authorization: 'basic', ...proxied('http') })).toBe(ASKED);
    expect(await answerTo('/plain', { ...BASIC, ...proxied('http') })).toBe(ASKED);
  });

  it('is verified over https as a trusted proxy or the public address says, and from this computer', async () => {
    expect(await answerTo('/door', { ...BASIC, ...proxied('https') })).toBe(ASKED);
    expect(await answerTo('/door', { ...BASIC, ...proxied('http') }, { publicUrl: 'https://x.test' })).toBe(ASKED);
    expect(await answerTo('/door', BASIC)).toBe(ASKED);
  });

  it('is the only credential that does', async () => {
    expect(await answerTo('/door', { ...TOKEN, ...proxied('http') })).toBe(200);
    const forged = { ...BASIC, ...proxied('https') };
    expect(await answerTo('/door', forged, { trustedProxies: ['10.0.0.0/8'] })).toBe(ASKED);
  });
});
