import { describe, expect, it } from '@jest/globals';
import type { Administration } from '@sluice/store/administration';
import { buildCaller } from '@sluice/testkit';
import {
  createInMemoryAdministration,
  storedProvider,
  storedRole,
  storedUser,
} from '../../../tests/administration/in-memory-administration.ts';
import { createAccountTransactions } from './account-transactions.ts';
import { createLinkIdentity } from './link-identity.ts';

const ISSUER = 'https://idp.example.com';
const me = storedUser('me@example.com', ['admin'], { id: 'me' });
const ann = storedUser('ann@example.com');
const caller = buildCaller('me', ['admin']);

function fixture({ hasProvider = true } = {}) {
  const { rows, administration, store } = createInMemoryAdministration({
    users: [me, ann],
    roles: [storedRole('admin', ['admin'])],
    identities: { [`${ISSUER} old`]: ann.id, [`${ISSUER} taken`]: me.id },
    invited: [ann.id],
    provider: hasProvider ? storedProvider({ issuer: ISSUER }) : undefined,
  });
  const within = {
    ...administration,
    identities: {
      findSubject: async (issuer: string, userId: string) =>
        Object.entries(rows.identities)
          .find(([, id]) => id === userId)?.[0]
          .replace(`${issuer} `, ''),
      async replace({ issuer, subject }: { readonly issuer: string; readonly subject: string }, userId: string) {
        const owner = rows.identities[`${issuer} ${subject}`];
        if (owner !== undefined && owner !== userId) return false;
        const others = Object.entries(rows.identities).filter(([, id]) => id !== userId);
        rows.identities = { ...Object.fromEntries(others), [`${issuer} ${subject}`]: userId };
        return true;
      },
    },
  } as unknown as Administration;
  const transactions = createAccountTransactions({
    administration: { change: (tenantId, work) => store.change(tenantId, () => work(within)) },
  });
  return { rows, link: createLinkIdentity({ transactions }) };
}

describe('a link to an identity', () => {
  it('replaces the earlier one, ends open invitations and is recorded', async () => {
    const { rows, link } = fixture();
    expect((await link(caller, { userId: ann.id, subject: 'new' })).email).toBe('ann@example.com');
    expect(rows.identities).toEqual({ [`${ISSUER} taken`]: 'me', [`${ISSUER} new`]: ann.id });
    expect(rows.invited).toEqual([]);
    const metadata = { user_id: ann.id, issuer: ISSUER, before: { subject: 'old' }, after: { subject: 'new' } };
    expect(rows.records).toMatchObject([{ action: 'LINK_IDENTITY', target: 'ann@example.com', metadata }]);
  });

  it.each([
    ['of the caller', { userId: 'me', subject: 'new' }, true, 'conflict'],
    ['to the identity of another user', { userId: ann.id, subject: 'taken' }, true, 'conflict'],
    ['in a tenant without a provider', { userId: ann.id, subject: 'new' }, false, 'conflict'],
    ['of an unknown user', { userId: 'unknown', subject: 'new' }, true, 'not_found'],
  ])('%s is rejected, and nothing changes', async (_, input, hasProvider, code) => {
    const { rows, link } = fixture({ hasProvider });
    const before = structuredClone(rows);
    await expect(link(caller, input)).rejects.toMatchObject({ code });
    expect(rows).toEqual(before);
  });
});
