import { describe, expect, it } from '@jest/globals';
import { createBeginLink } from './begin-link.ts';
import { createFindLink } from './find-link.ts';

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
const caller = { tenant, origin: { address: '192.0.2.1', requestId: 'r' } };
const link = {
  user: { id: 'u', email: 'boss@example.com', has_password: true },
  identity: { issuer: 'https://idp.example.com', subject: 's', idToken: 't', claims: {} },
  returnTo: '/start',
};

interface Keys {
  readonly tenantId: string;
  readonly stateHash: Uint8Array;
  readonly cookieHash: Uint8Array;
}

/** Store of logins in memory, with the keys of the real one. */
function fixture() {
  const rows = new Map<string, Uint8Array>();
  const keyOf = ({ tenantId, stateHash, cookieHash }: Keys): string =>
    [tenantId, ...[stateHash, cookieHash].map((hash) => Buffer.from(hash).toString('hex'))].join(' ');
  const logins = {
    begin: async ({ sealed, ...keys }: Keys & { readonly sealed: Uint8Array }) => void rows.set(keyOf(keys), sealed),
    find: async (keys: Keys) => rows.get(keyOf(keys)),
  };
  return { rows, begin: createBeginLink({ logins }), find: createFindLink({ logins }) };
}

describe('findLink', () => {
  it('returns the link to the browser that began the login', async () => {
    const { begin, find } = fixture();
    const token = await begin(caller, { link, cookie: 'cookie' });
    expect(await find(caller, { token, cookie: 'cookie' })).toEqual(link);
  });

  it.each([
    ['another browser', { cookie: 'other' }],
    ['a browser without the cookie', { cookie: undefined }],
    ['another token', { token: 'other' }],
  ])('throws invalid_request for %s', async (_name, changed) => {
    const { begin, find } = fixture();
    const token = await begin(caller, { link, cookie: 'cookie' });
    await expect(find(caller, { token, cookie: 'cookie', ...changed })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('throws invalid_request for a value that was sealed for another purpose', async () => {
    const { begin, find, rows } = fixture();
    const token = await begin(caller, { link, cookie: 'cookie' });
    for (const key of rows.keys()) rows.set(key, new Uint8Array(64));
    await expect(find(caller, { token, cookie: 'cookie' })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
