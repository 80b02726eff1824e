import { expect, it } from '@jest/globals';
import { createOpaqueToken, hashOpaqueToken } from '@sluice/auth';
import { buildCaller } from '@sluice/testkit';
import { createBeginLink } from './begin-link.ts';
import { openSealedLink, type UnconfirmedLink } from './unconfirmed-link.ts';

const { tenant } = buildCaller('ann').principal;
const caller = { tenant, origin: { requestId: 'r', address: '192.0.2.7' } };
const link = {
  user: { id: 'u', email: 'ann@example.com', has_password: true, roles: ['admin'] },
  identity: { issuer: 'https://idp.example.com', subject: 's' },
  returnTo: undefined,
} as unknown as UnconfirmedLink;

it('a link is stored sealed under the cookie, by the hash of its token, for ten minutes', async () => {
  const stored: Record<string, unknown>[] = [];
  const beginLink = createBeginLink({ logins: { begin: async (login) => void stored.push({ ...login }) } });
  const cookie = createOpaqueToken();
  const token = await beginLink(caller, { link, cookie });
  const [{ sealed, ...keys } = {}] = stored;
  expect(keys).toMatchObject({
    tenantId: 't',
    stateHash: hashOpaqueToken(token),
    cookieHash: hashOpaqueToken(cookie),
    lifetimeMs: 600_000,
  });
  expect(openSealedLink(cookie, sealed as Uint8Array)).toEqual({
    user: { id: 'u', email: 'ann@example.com', has_password: true },
    identity: link.identity,
  });
  expect(openSealedLink(createOpaqueToken(), sealed as Uint8Array)).toBeUndefined();
});
