import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import type { ResourceDatabase } from '@sluice/store/resources';
import { buildCaller } from '@sluice/testkit';
import { createBeginTestLogin, createTakeTestLogin } from './test-login.ts';

const caller = { ...buildCaller('ann'), address: '192.0.2.7' };
const { tenant } = caller.principal;
const NOW = 1_800_000_000_000;

function fixture({ hasProvider = true } = {}) {
  const provider = hasProvider ? { issuer: 'https://idp.example.com' } : undefined;
  const logins = new Map<string, object>();
  const records: object[] = [];
  const keyOf = ({ tenantId, stateHash, cookieHash }: Record<string, unknown>) =>
    JSON.stringify([tenantId, stateHash, cookieHash]);
  const within = {
    identityProvider: { find: async () => provider },
    record: async (action: string, target: string) => void records.push({ action, target }),
  };
  const database = {
    read: (_by: unknown, run: (parts: typeof within) => unknown) => run(within),
  } as unknown as Pick<ResourceDatabase, 'read'>;
  const begin = createBeginTestLogin({
    database,
    logins: { begin: async (login) => void logins.set(keyOf({ ...login }), login) },
    now: () => NOW,
  });
  const take = createTakeTestLogin({
    logins: {
      take: async (keys) => {
        const found = logins.get(keyOf({ ...keys }));
        logins.delete(keyOf({ ...keys }));
        return found as never;
      },
    },
  });
  return { begin, take, logins, records };
}

describe('a test login', () => {
  it('is recorded, and stored without its ticket for ten minutes', async () => {
    const { begin, logins, records } = fixture();
    const { ticket, expiresTs } = await begin(caller);
    expect(expiresTs).toBe(NOW + 600_000);
    expect(records).toMatchObject([{ action: 'TEST_IDENTITY_PROVIDER', target: 'https://idp.example.com' }]);
    expect([...logins.values()]).toMatchObject([{ tenantId: tenant.id, lifetimeMs: 600_000 }]);
    expect(JSON.stringify([...logins])).not.toContain(ticket);
  });

  it('is started once with its ticket, and only in its tenant', async () => {
    const { begin, take } = fixture();
    const { ticket } = await begin(caller);
    const rejected = { code: 'invalid_request' };
    await expect(take({ tenant: { ...tenant, id: 'other' } }, ticket)).rejects.toMatchObject(rejected);
    await expect(take({ tenant }, `${ticket}x`)).rejects.toMatchObject(rejected);
    await take({ tenant }, ticket);
    await expect(take({ tenant }, ticket)).rejects.toBeInstanceOf(ProblemError);
  });

  it('needs an identity provider, and stores nothing without one', async () => {
    const { begin, logins, records } = fixture({ hasProvider: false });
    await expect(begin(caller)).rejects.toMatchObject({ code: 'not_found' });
    expect([logins.size, records]).toEqual([0, []]);
  });
});
