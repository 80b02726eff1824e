import { describe, expect, it } from '@jest/globals';
import { draftOf, lostMappings, type ProviderDraft, providerBody } from './provider-draft.ts';

const NEW = draftOf(undefined);
const draft = (changes: Partial<ProviderDraft>): ProviderDraft => ({ ...NEW, ...changes });

describe('the draft of an identity provider', () => {
  it('of a new one has the defaults of the host', () => {
    expect(providerBody(draft({ issuer: ' https://idp.example ', clientId: 'sluice' }))).toEqual({
      issuer: 'https://idp.example',
      client_id: 'sluice',
      scopes: ['openid', 'profile', 'email'],
      email_claim: 'email',
      groups_claim: null,
      role_mappings: [],
      trust_email: false,
      create_users: false,
      return_to: [],
    });
  });

  it('names a secret only if one was entered, and none for a public client', () => {
    expect(providerBody(draft({ clientSecret: 'of the provider' }))).toMatchObject({
      client_secret: 'of the provider',
    });
    expect(providerBody(draft({ clientSecret: 'x', isPublicClient: true }))).toMatchObject({ client_secret: null });
    expect(providerBody(NEW)).not.toHaveProperty('client_secret');
  });

  it('is what was stored', () => {
    const stored = {
      issuer: 'https://idp.example',
      client_id: 'sluice',
      has_client_secret: true,
      scopes: ['openid', 'groups'],
      email_claim: 'mail',
      groups_claim: 'groups',
      role_mappings: [{ value: 'finance', roles: ['analyst'] }],
      trust_email: true,
      create_users: true,
      return_to: ['https://app.example/a', 'https://app.example/b'],
      callback_url: 'https://api.example/auth/callback/acme',
      updated_ts: 1,
      updated_by: 'admin@acme.example',
    };
    const { has_client_secret, callback_url, updated_ts, updated_by, ...content } = stored;
    expect(providerBody(draftOf(stored))).toEqual(content);
  });
});

describe('what members of groups lose', () => {
  const before = [
    { value: 'finance', roles: ['analyst', 'auditor'] },
    { value: 'all', roles: ['analyst'] },
  ];

  it('is the roles of mappings that are removed or smaller', () => {
    expect(lostMappings(before, [{ value: 'finance', roles: ['analyst', 'admin'] }])).toEqual([
      { group: 'finance', roles: ['auditor'] },
      { group: 'all', roles: ['analyst'] },
    ]);
    expect(lostMappings(before, before)).toEqual([]);
  });

  it('is nothing when logins no longer set roles', () => {
    expect(lostMappings(before, [])).toEqual([]);
  });
});
