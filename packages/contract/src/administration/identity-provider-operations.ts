import { API_CREDENTIALS, jsonBody, type Operation } from '../operations/operation.ts';
import { identityProvider, identityProviderBody, testLogin } from './identity-provider.ts';

/** 200 mappings with 100 roles each. */
const PROVIDER_VALUES_MAX = 25_000;

const admin = { credentials: API_CREDENTIALS, permission: 'admin', path: '/admin/identity-provider' } as const;
const one = (description: string) => ({ description, mediaType: 'application/json', schema: identityProvider });

/** Identity provider of the caller's tenant. */
export const identityProviderOperations = {
  getIdentityProvider: {
    ...admin,
    id: 'getIdentityProvider',
    subject: 'administration',
    method: 'GET',
    summary: 'Get the identity provider of the tenant, without its secret',
    responses: { 200: one('The identity provider') },
    problems: ['not_found', 'audit_unavailable'],
  },
  putIdentityProvider: {
    ...admin,
    id: 'putIdentityProvider',
    subject: 'administration',
    method: 'PUT',
    summary: 'Replace the identity provider after its discovery document was fetched; If-Match prevents lost updates',
    body: jsonBody(identityProviderBody, { valuesMax: PROVIDER_VALUES_MAX }),
    responses: { 200: one('The identity provider') },
    problems: ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'],
  },
  deleteIdentityProvider: {
    ...admin,
    id: 'deleteIdentityProvider',
    subject: 'administration',
    method: 'DELETE',
    summary: 'Delete the identity provider; only password login remains. If-Match prevents lost updates',
    responses: { 204: { description: 'Deleted' } },
    problems: ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'],
  },
  testIdentityProvider: {
    ...admin,
    id: 'testIdentityProvider',
    subject: 'administration',
    method: 'POST',
    path: '/admin/identity-provider/test-login',
    summary:
      'Get an address at which a browser logs in at the identity provider and sees the received claims and the roles they give. It signs no user in and changes nothing',
    responses: { 201: { description: 'Where the login begins', mediaType: 'application/json', schema: testLogin } },
    problems: ['not_found', 'audit_unavailable'],
  },
} as const satisfies Record<string, Operation>;
