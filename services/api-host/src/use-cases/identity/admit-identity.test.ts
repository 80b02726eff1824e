import { describe, expect, it } from '@jest/globals';
import type { VerifiedIdentity } from '@sluice/auth';
import type { IdentityProviderContent } from '@sluice/store/administration';
import {
  createInMemoryAdministration,
  storedProvider,
  storedRole,
  storedUser,
  type TenantRows,
} from '../../../tests/administration/in-memory-administration.ts';
import { createAdmitIdentity, identityEmail } from './admit-identity.ts';

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
const caller = { tenant, origin: { address: '192.0.2.1', requestId: 'r' } };

const ISSUER = 'https://idp.example.com';
const ANN = 'ann@example.com';
const ROLES = [storedRole('admin', ['admin']), storedRole('analyst'), storedRole('auditor')];
const BOSS = storedUser('boss@example.com', ['admin']);

const identityOf = (claims: Record<string, unknown> = {}, subject = 's'): VerifiedIdentity => ({
  issuer: ISSUER,
  subject,
  idToken: 'token',
  claims: { email: ANN, email_verified: true, ...claims },
});

function fixture(rows: Partial<TenantRows> = {}, settings: Partial<IdentityProviderContent> = {}) {
  const memory = createInMemoryAdministration({ roles: [...ROLES], users: [BOSS], ...rows });
  const admit = createAdmitIdentity(memory);
  const provider = storedProvider(settings);
  return {
    ...memory,
    admit: (identity: VerifiedIdentity, confirmedUserId?: string) =>
      admit(caller, { provider, identity, ...(confirmedUserId === undefined ? {} : { confirmedUserId }) }),
  };
}

const MAPPINGS = {
  groupsClaim: 'groups',
  roleMappings: [
    { value: 'finance', roles: ['analyst', 'removed'] },
    { value: 'control', roles: ['auditor', 'analyst'] },
    { value: 'root', roles: ['admin'] },
  ],
};

describe('an identity that is linked', () => {
  const ann = storedUser(ANN, ['analyst']);
  const linked = (change: Partial<TenantRows> = {}) => ({
    users: [BOSS, ann],
    identities: { [`${ISSUER} s`]: ann.id },
    ...change,
  });

  it('is admitted without a lock or a record if its roles do not change, whatever its e-mail is now', async () => {
    const { admit, changes, rows } = fixture(linked(), MAPPINGS);
    const claims = { email: 'new@example.com', email_verified: false, groups: ['finance'] };
    expect(await admit(identityOf(claims))).toEqual({ kind: 'admitted', user: ann, isLinked: false });
    expect([changes(), rows.records]).toEqual([0, []]);
  });

  it('gets the roles of its groups, without roles that were removed, and a record', async () => {
    const { admit, rows } = fixture(linked(), MAPPINGS);
    const admitted = await admit(identityOf({ groups: ['finance', 'control', 'unknown'] }));
    expect(admitted.user.roles).toEqual(['analyst', 'auditor']);
    expect(rows.users.find(({ id }) => id === ann.id)).toMatchObject({
      roles: ['analyst', 'auditor'],
      updated_by: 'identity provider',
    });
    expect(rows.records).toMatchObject([
      {
        action: 'UPDATE_USER',
        target: ANN,
        metadata: {
          before: { roles: ['analyst'] },
          after: { roles: ['analyst', 'auditor'] },
          issuer: ISSUER,
        },
      },
    ]);
  });

  it('loses all roles without a group, and keeps its roles if the provider does not map groups', async () => {
    expect((await fixture(linked(), MAPPINGS).admit(identityOf())).user.roles).toEqual([]);
    expect((await fixture(linked()).admit(identityOf({ groups: [] }))).user.roles).toEqual(['analyst']);
  });

  it('is rejected with a rollback if the last admin would lose the role', async () => {
    const boss = { ...BOSS, id: ann.id };
    const { admit, rows } = fixture(linked({ users: [boss] }), MAPPINGS);
    await expect(admit(identityOf({ groups: ['finance'] }))).rejects.toMatchObject({ code: 'conflict' });
    expect([rows.users, rows.records]).toEqual([[boss], []]);
  });

  it.each([
    ['with the same roles', ['finance']],
    ['with other roles', ['control']],
  ])('is rejected if its account is disabled, %s', async (_name, groups) => {
    const { admit, rows } = fixture(linked({ users: [BOSS, { ...ann, disabled: true }] }), MAPPINGS);
    await expect(admit(identityOf({ groups }))).rejects.toMatchObject({ code: 'access_denied' });
    expect(rows.records).toEqual([]);
  });
});

describe('an identity without a link', () => {
  const ann = storedUser(ANN, ['analyst']);

  it('is linked to the account with its verified e-mail, whose invitation ends', async () => {
    const { admit, rows } = fixture({ users: [BOSS, ann], invited: [ann.id, BOSS.id] });
    expect(await admit(identityOf({ email: ` ${ANN.toUpperCase()} ` }))).toEqual({
      kind: 'admitted',
      user: ann,
      isLinked: true,
    });
    expect(rows.identities).toEqual({ [`${ISSUER} s`]: ann.id });
    expect(rows.invited).toEqual([BOSS.id]);
  });

  it.each([
    ['the provider reports it as not verified', { email_verified: false }, {}],
    ['the provider reports nothing about it', { email_verified: undefined }, {}],
    ['another claim than `email` names it', { upn: ANN }, { emailClaim: 'upn' }],
  ])('is not linked by an e-mail of an account if %s', async (_name, claims, settings) => {
    const { admit, rows } = fixture({ users: [BOSS, ann] }, { createUsers: true, ...settings });
    await expect(admit(identityOf(claims))).rejects.toMatchObject({ code: 'access_denied' });
    expect([rows.identities, rows.records]).toEqual([{}, []]);
  });

  it.each([
    ['false', { email_verified: false }],
    ['missing', { email_verified: undefined }],
  ])('is linked with `email_verified` %s if the tenant trusts the e-mails of the provider', async (_name, claims) => {
    const { admit } = fixture({ users: [BOSS, ann] }, { trustsEmail: true });
    expect(await admit(identityOf(claims))).toMatchObject({ isLinked: true, user: { email: ANN } });
  });

  it('is rejected if the account has another identity of the same issuer', async () => {
    const { admit, rows } = fixture({ users: [BOSS, ann], identities: { [`${ISSUER} other`]: ann.id } });
    await expect(admit(identityOf())).rejects.toMatchObject({ code: 'access_denied' });
    expect(rows.identities).toEqual({ [`${ISSUER} other`]: ann.id });
  });

  it.each([
    ['no e-mail', { email: undefined }],
    ['an e-mail that no account can have', { email: 'no-mail' }],
    ['an e-mail that is not a string', { email: [ANN] }],
  ])('is rejected with %s', async (_name, claims) => {
    const { admit } = fixture({}, { createUsers: true, trustsEmail: true });
    await expect(admit(identityOf(claims))).rejects.toMatchObject({ code: 'access_denied' });
  });
});

describe('an identity of an account that administers the tenant', () => {
  const claims = { email: BOSS.email };

  it('is not linked before the password is confirmed, and nothing changes', async () => {
    const { admit, rows } = fixture({ invited: [BOSS.id] }, { trustsEmail: true, ...MAPPINGS });
    const before = structuredClone(rows);
    expect(await admit(identityOf(claims))).toEqual({ kind: 'unconfirmed', user: BOSS });
    expect(await admit(identityOf(claims), 'id of another user')).toEqual({ kind: 'unconfirmed', user: BOSS });
    expect(rows).toEqual(before);
  });

  it('is linked once its own password is confirmed', async () => {
    const { admit } = fixture();
    expect(await admit(identityOf(claims), BOSS.id)).toEqual({ kind: 'admitted', user: BOSS, isLinked: true });
  });
});

describe('an identity without an account', () => {
  it('is rejected unless the provider creates users', async () => {
    const { admit, rows } = fixture();
    await expect(admit(identityOf())).rejects.toMatchObject({ code: 'access_denied' });
    expect(rows.users).toEqual([BOSS]);
  });

  it('becomes a user without a password, with the roles of its groups and a record', async () => {
    const { admit, rows } = fixture({}, { createUsers: true, ...MAPPINGS });
    const admitted = await admit(identityOf({ email_verified: undefined, groups: ['finance'] }));
    expect(admitted).toMatchObject({ kind: 'admitted', isLinked: true });
    expect(admitted.user).toMatchObject({ email: ANN, roles: ['analyst'], has_password: false });
    expect(rows.records.map(({ action, target }) => [action, target])).toEqual([['CREATE_USER', ANN]]);
    expect(rows.identities).toEqual({ [`${ISSUER} s`]: admitted.user.id });
  });

  it('is rejected for an e-mail domain that the operator does not allow', async () => {
    const { admit, rows } = fixture({ emailDomains: ['other.example'] }, { createUsers: true });
    await expect(admit(identityOf())).rejects.toMatchObject({ code: 'access_denied' });
    expect(rows.users).toEqual([BOSS]);
  });
});

describe('identityEmail', () => {
  it('returns the e-mail as accounts store it, or undefined', () => {
    const provider = storedProvider();
    expect(identityEmail({ provider, identity: identityOf({ email: ' Ann@Example.COM ' }) })).toBe(ANN);
    for (const email of [undefined, '', 'x', 1, 'a:b@c']) {
      expect(identityEmail({ provider, identity: identityOf({ email }) })).toBeUndefined();
    }
  });
});
