import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountStatus, mergeAccount, requireRoles } from './accounts.ts';

const roles = fc.uniqueArray(fc.constantFrom('admin', 'analyst', 'reader'));
const account = fc.record({ roles, disabled: fc.boolean() });

describe('mergeAccount', () => {
  it('keeps missing fields, and replaces the others', () => {
    fc.assert(
      fc.property(account, fc.record({ roles, disabled: fc.boolean() }, { requiredKeys: [] }), (before, change) => {
        expect(mergeAccount(before, change).after).toEqual({ ...before, ...change });
      }),
    );
  });

  it('reports the same account exactly if the state and the set of roles are the same', () => {
    fc.assert(
      fc.property(account, account, (before, after) => {
        const isSame =
          before.disabled === after.disabled && [...before.roles].sort().join() === [...after.roles].sort().join();
        expect(mergeAccount(before, after).isSame).toBe(isSame);
      }),
    );
  });
});

describe('requireRoles', () => {
  const administration = {
    roles: { unknown: async (names: readonly string[]) => names.filter((name) => name !== 'admin') },
  } as unknown as Parameters<typeof requireRoles>[0];

  it('throws invalid_request with the path of each unknown role', async () => {
    await expect(requireRoles(administration, ['admin', 'x', 'y'])).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.roles[1]' }, { path: 'body.roles[2]' }],
    });
    await expect(requireRoles(administration, ['admin'])).resolves.toBeUndefined();
  });
});

describe('accountStatus', () => {
  it('has only the roles and the state', () => {
    expect(accountStatus({ roles: ['admin'], disabled: false, email: 'me@example.com' })).toEqual({
      roles: ['admin'],
      disabled: false,
    });
    expect(accountStatus(null)).toBeNull();
  });
});
